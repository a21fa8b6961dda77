//! Options for reading graphs.

/// How to interpret a file. By default, the graph is undirected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// Edge lists: the number of the first vertex.
    pub first_vertex: FirstVertex,
    /// The number of vertices. If `None`, the highest number in an edge list is the last vertex. A file that declares
    /// another number is refused.
    pub num_vertices: Option<usize>,
    /// Edge lists: if true, vertices are names, which are words or numbers of any size. They are numbered in the order
    /// of their names, numbers by their values before words by their bytes, and [`Loaded::names`] has the names. The
    /// number of the first vertex and the number of vertices do not matter then.
    ///
    /// [`Loaded::names`]: super::Loaded::names
    pub renumber: bool,
    /// Edge lists: what to do with columns after the first two.
    pub extra_columns: ExtraColumns,
    /// What arcs are of which some lack their reverse, or have it less often or with another weight. If true, they
    /// are a directed graph. If false, each of them is an undirected edge.
    pub directed: bool,
    /// If true, only one of several edges between the same vertices is kept, the lightest.
    pub remove_duplicates: bool,
    /// If true, edges from a vertex to itself are left out.
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
    pub fn number(self) -> u64 {
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
