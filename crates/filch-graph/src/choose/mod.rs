//! Which algorithm is used, and why: facts of a graph, thresholds, and decisions.
//!
//! An algorithm asks [`Facts`] what a sample of the graph shows, and then a function of this module what to do. Such a
//! function reads nothing but its arguments, so the same facts have the same plan, and each plan has its reason. A
//! decision that needs more than a sample, such as the size of a first tree, comes in a second function.

// Modules, from the bottom up: `tuning` (every threshold), `facts` (samples of a graph), and the decisions `forest`,
// `components` and `bfs`, which import both, and neither each other nor graphs.

pub(crate) mod bfs;
pub(crate) mod components;
mod facts;
pub(crate) mod forest;
pub(crate) mod tuning;

pub use facts::Facts;
pub(crate) use facts::{are_in_order, hub, is_near, sample, sample_of, sample_weights};

/// The reason for what no choice was made of.
pub(crate) const REQUESTED: &str = "it was requested";

/// What to do, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice<P> {
    pub(crate) plan: P,
    pub(crate) reason: &'static str,
}

impl<P> Choice<P> {
    fn new(plan: P, reason: &'static str) -> Self {
        Choice { plan, reason }
    }
}
