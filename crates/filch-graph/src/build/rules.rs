//! Which arcs a graph has.

/// Which arcs a graph has: see [`Csr::by_rules`](crate::Csr::by_rules). By default those that are given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// If true, each arc is an undirected edge: its reverse is in the graph, too.
    pub symmetrize: bool,
    /// If true, only one of several arcs from the same source to the same target is kept, the lightest.
    pub remove_duplicates: bool,
    /// If true, arcs from a vertex to itself are left out.
    pub remove_self_loops: bool,
}

impl Rules {
    /// The arcs as they are.
    pub(crate) const ALL: Rules = Rules { symmetrize: false, remove_duplicates: false, remove_self_loops: false };
    /// An undirected graph, with neither duplicates nor self-loops.
    pub(crate) const SIMPLE: Rules = Rules { symmetrize: true, remove_duplicates: true, remove_self_loops: true };
}
