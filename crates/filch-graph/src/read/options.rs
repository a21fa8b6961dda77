//! How a file is to be read.

/// How a file is to be understood. The default is for the undirected graphs of SNAP: every edge leads both ways.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// Edge lists: what the lowest number stands for.
    pub first_vertex: FirstVertex,
    /// Edge lists: as many vertices as there are. If it is not given, the highest number in the file is the last one.
    pub num_vertices: Option<usize>,
    /// Edge lists: what to do with more than two columns.
    pub extra_columns: ExtraColumns,
    /// Edge lists: an edge leads only from the first vertex to the second, and not back.
    pub directed: bool,
    /// Edge lists: of edges between the same vertices only one is kept.
    pub remove_duplicates: bool,
    /// Edge lists: edges from a vertex to itself are dropped.
    pub remove_self_loops: bool,
    /// Serialized graphs: that arcs come in pairs is taken on trust, see [`read_sg`](super::read_sg).
    pub trusted: bool,
}

/// What the lowest vertex of a file is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FirstVertex {
    /// 0, as in the files of SNAP.
    #[default]
    Zero,
    /// 1, as in those that come from Matlab or Fortran. The graph's vertices are numbered from 0 all the same.
    One,
}

impl FirstVertex {
    /// The number of the lowest vertex.
    pub(super) fn number(self) -> u64 {
        match self {
            FirstVertex::Zero => 0,
            FirstVertex::One => 1,
        }
    }
}

/// What to do with what follows the two vertices of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExtraColumns {
    /// It is an error: the file may not be what it is taken for.
    #[default]
    Refuse,
    /// Finite numbers there, such as weights and times, are ignored; anything else is an error.
    Ignore,
}
