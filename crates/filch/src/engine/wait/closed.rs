//! The ask word of a worker that is in the middle of its work, and does something else.

use crate::engine::seat::loans;
use crate::engine::team::Worker;

/// Calls `f` while no one can ask `worker`, which this thread works as. Then the thread goes on where it was. `f` does
/// not unwind.
pub(super) fn while_closed<R>(worker: &Worker, f: impl FnOnce() -> R) -> R {
    worker.close();
    let result = f();
    loans::go_on();
    // Closed once more: a strand of this ladder that was smuggled to another one may have waited here and opened it
    // again.
    worker.close();
    worker.open();
    result
}
