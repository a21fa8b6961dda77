//! Options for reading graphs.

/// How to interpret a file. The default fits the undirected graphs of SNAP: every edge leads in both directions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// Edge lists: the number of the first vertex.
    pub first_vertex: FirstVertex,
    /// Edge lists: the number of vertices. If `None`, the highest number in the file is the last vertex.
    pub num_vertices: Option<usize>,
    /// Edge lists: what to do with columns after the first two.
    pub extra_columns: ExtraColumns,
    /// Edge lists: if true, an edge leads only from the first vertex to the second.
    pub directed: bool,
    /// Edge lists: if true, only one of several edges between the same vertices is kept.
    pub remove_duplicates: bool,
    /// Edge lists: if true, edges from a vertex to itself are left out.
    pub remove_self_loops: bool,
    /// Serialized graphs: if true, it is not checked that the arcs are consistent, see [`read_sg`](super::read_sg).
    pub trusted: bool,
}

/// The number of the first vertex in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FirstVertex {
    /// Vertices are numbered from 0, as in the files of SNAP.
    #[default]
    Zero,
    /// Vertices are numbered from 1, as in files from Matlab or Fortran. The vertices of the graph are numbered from 0
    /// nevertheless.
    One,
}

impl FirstVertex {
    /// The number of the first vertex.
    pub(super) fn number(self) -> u64 {
        match self {
            FirstVertex::Zero => 0,
            FirstVertex::One => 1,
        }
    }
}

/// What to do with columns after the two vertices of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExtraColumns {
    /// Report an error, because the file may not be an edge list.
    #[default]
    Refuse,
    /// Ignore finite numbers, such as weights and timestamps. Anything else is an error.
    Ignore,
}
