//! Which of the arcs of the input a command takes, and as what.

use filch_graph::{Csr, CsrBuilder};
use filch_graph_io::read::ReadOptions;

/// How a command interprets the arcs of its input, in every format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Take {
    /// All of them, as they are: undirected if each has its reverse.
    All,
    /// One of several arcs from one vertex to another, the lightest.
    Arcs,
    /// The same without arcs from a vertex to itself.
    Simple,
    /// Each of them as an undirected edge, and one of several edges between two vertices, the lightest.
    Edges,
    /// The same without edges from a vertex to itself.
    SimpleEdges,
}

impl Take {
    /// The arcs of a command, or the edges if the user wants each arc in both directions.
    pub fn or_edges(self, symmetrize: bool) -> Self {
        match self {
            _ if !symmetrize => self,
            Self::Simple | Self::SimpleEdges => Self::SimpleEdges,
            Self::All | Self::Arcs | Self::Edges => Self::Edges,
        }
    }

    /// How a file is read.
    pub fn options(self) -> ReadOptions {
        let mut options = ReadOptions::default();
        (options.directed, options.remove_duplicates, options.remove_self_loops) = self.rules();
        options
    }

    /// How a graph is built from a list of edges.
    pub fn builder(self, num_vertices: usize) -> CsrBuilder {
        let (directed, remove_duplicates, remove_self_loops) = self.rules();
        Csr::builder(num_vertices)
            .symmetrize(!directed)
            .remove_duplicates(remove_duplicates)
            .remove_self_loops(remove_self_loops)
    }

    /// Whether the graph is directed, whether duplicates are left out, and whether self-loops are.
    fn rules(self) -> (bool, bool, bool) {
        match self {
            Self::All => (true, false, false),
            Self::Arcs => (true, true, false),
            Self::Simple => (true, true, true),
            Self::Edges => (false, true, false),
            Self::SimpleEdges => (false, true, true),
        }
    }
}
