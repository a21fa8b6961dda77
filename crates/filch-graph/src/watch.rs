//! How far building or generating has come, told while workers are at it.

/// A pass over the edges or the vertices of a graph that is being made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pass {
    /// What is done: `counting`, for one.
    pub name: &'static str,
    /// What it goes over: `edges`, `arcs` or `vertices`.
    pub unit: &'static str,
    /// How many of them there are.
    pub total: usize,
}

impl Pass {
    pub(crate) fn new(name: &'static str, unit: &'static str, total: usize) -> Self {
        Pass { name, unit, total }
    }
}

/// Who is told how far building or generating has come, while it goes on: a bar on a terminal, for one.
///
/// Workers tell it once per block, of 2^12 vertices or more, or of some 2^14 to 2^18 edges, never per edge; so it costs
/// nothing that could be measured (`examples/watched.rs`), and `()`, which listens to nothing, is what functions
/// without a watch use. It should return soon: whoever calls it has a block to go on with. If it panics, the function
/// that calls it does, and there is no graph.
///
/// ```
/// use filch_graph::{Csr, GraphSpec, Pass, Watch};
/// use std::sync::atomic::{AtomicUsize, Ordering};
///
/// #[derive(Default)]
/// struct Sum(AtomicUsize);
///
/// impl Watch for Sum {
///     fn begin(&self, pass: Pass) {
///         println!("{} {} {}", pass.name, pass.total, pass.unit);
///     }
///
///     fn advance(&self, count: usize) {
///         self.0.fetch_add(count, Ordering::Relaxed);
///     }
/// }
///
/// let (spec, sum): (GraphSpec, Sum) = ("torus(100)".parse()?, Sum::default());
/// let graph: Csr = spec.generate_watched(1, &sum)?;
/// assert_eq!(sum.0.into_inner(), 2 * 10_000); // counting and writing, over all vertices
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Watch: Sync {
    /// A pass begins; the one before is over. Called outside of parallel work, by whichever thread is there.
    fn begin(&self, pass: Pass);

    /// So many more of the pass are done. Called by workers, several at once; by the end of a pass, its total is told.
    fn advance(&self, count: usize);
}

impl Watch for () {
    fn begin(&self, _: Pass) {}

    fn advance(&self, _: usize) {}
}
