//! Slices of the user in a trace.

use crate::engine::TraceSpan;

/// Shows a part of the program in a trace, as a slice with this name on the track of the calling thread, until the
/// result is dropped. Any thread may call it, inside of a run or not. While no trace is written, it costs a load and a
/// branch.
///
/// ```
/// fn layer(data: &mut [u32]) {
///     let _span = filch::trace_span("layer");
///     filch::for_each(data, |_, n| *n += 1);
/// }
///
/// let mut data = vec![1; 100];
/// layer(&mut data);
/// assert!(data.iter().all(|&n| n == 2));
/// ```
///
/// **Traces.** A trace shows what each thread does for pools: the runs and tasks that it runs, what it asks, how it
/// waits, searches and sleeps, and an arrow for each fork that goes to another worker. The environment variable
/// `FILCH_TRACE` names its file when the first pool is built: `FILCH_TRACE=out.pftrace` writes the format of
/// [Perfetto](https://ui.perfetto.dev), and a name that ends in `.json` that of Chrome, which the same viewer shows. A
/// process has one trace, of all its pools. Events are written as the process goes on, so one that is killed leaves a
/// file that lacks about the last tenth of a second.
///
/// Forks that stay with their worker are not recorded, and cost nothing. An event costs some tens of nanoseconds.
///
/// A child of `fork(2)` records nothing. A program that is started by another one has its environment, and so the
/// variable: give it a value of its own, or none.
#[inline]
pub fn trace_span(name: &'static str) -> TraceSpan {
    TraceSpan::begin(name)
}
