//! Progress of building and generating graphs, and of some algorithms.

/// A pass over the edges or the vertices of a graph, which is being built, generated or searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pass {
    /// What the pass does, for example `counting`.
    pub name: &'static str,
    /// What the pass goes over: `edges`, `arcs` or `vertices`.
    pub unit: &'static str,
    /// The number of these items.
    pub total: usize,
}

impl Pass {
    pub(crate) fn new(name: &'static str, unit: &'static str, total: usize) -> Self {
        Pass { name, unit, total }
    }
}

/// Receives the progress of building or generating a graph, or of an algorithm, for example to update a progress bar.
///
/// Workers report once per block, never per edge. A block usually has some thousand vertices or edges, so the cost is
/// too small to measure (`benches/watched.rs`). Without a watch, `()` ignores all reports. The methods should return
/// quickly, because the worker that calls them has a block to continue with. If a method panics, the panic propagates
/// to the caller of the function that builds, generates or solves.
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
    /// A pass begins, and the previous one has ended. Called outside of parallel work, on any thread.
    fn begin(&self, pass: Pass);

    /// `count` more items of the current pass are done. Several workers may call this at the same time. By the end of a
    /// pass, the counts add up to its total.
    fn advance(&self, count: usize);
}

impl Watch for () {
    fn begin(&self, _: Pass) {}

    fn advance(&self, _: usize) {}
}

/// How many vertices or edges a serial loop goes through between two looks whether it is cancelled: at some ten
/// nanoseconds for each, some ten microseconds.
pub(crate) const STEPS_PER_LOOK: usize = 1 << 10;

/// Looks whether the caller is cancelled, if it is time: `step` is the number of a step of a serial loop.
#[inline(always)]
pub(crate) fn look_at(step: usize) {
    if step.is_multiple_of(STEPS_PER_LOOK) {
        filch::end_if_cancelled();
    }
}
