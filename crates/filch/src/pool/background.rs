//! What a pool asks of the system or measures in the background. Each question has a thread of its own that ends soon,
//! so neither who builds a pool nor who has work to do waits for the answer.

use crate::costs::{self, Capabilities};
use crate::sync::process::PerProcess;
use crate::sync::{AtomicBool, Ordering, fence};
use std::thread;

/// Enough for a system call, or for a measurement.
const STACK_BYTES: usize = 128 << 10;

/// False if the system refuses a thread.
fn spawn(name: &str, f: fn()) -> bool {
    thread::Builder::new().name(name.to_owned()).stack_size(STACK_BYTES).spawn(f).is_ok()
}

/// Gets the barrier granted; until it is, nobody takes. Called by each thread of a pool when it starts.
pub(super) fn prepare_to_take() {
    static BEGUN: PerProcess<AtomicBool> = PerProcess::new(AtomicBool::new(false));
    if fence::ASYMMETRIC && !BEGUN.get().swap(true, Ordering::Relaxed) && !spawn("filch-barrier", fence::prepare) {
        // Nobody would ever take. This thread of the pool has less to do than the others, then.
        fence::prepare();
    }
}

/// Measures what sharing costs, for pools to come and other processes, if that is not known. Called by a thread of a
/// pool that has had nothing to do for long.
pub(super) fn measure_costs() {
    static BEGUN: PerProcess<AtomicBool> = PerProcess::new(AtomicBool::new(false));
    if !BEGUN.get().swap(true, Ordering::Relaxed) && costs::is_worth_measuring(Capabilities::detect()) {
        // If there is no thread for it, nothing is measured.
        let _ = spawn("filch-costs", || _ = costs::measure(Capabilities::detect()));
    }
}
