//! What a pool asks of the system, or measures, in the background. Each question has a short-lived thread of its own,
//! so that neither the builder of a pool nor a worker with work waits for the answer.

use crate::costs::{self, Capabilities};
use crate::sync::process::PerProcess;
use crate::sync::{AtomicBool, Ordering, boxed, fence, process};
use std::thread;

/// Enough stack for a system call or for a measurement.
pub(super) const STACK_BYTES: usize = 128 << 10;

/// False if the system refuses a thread.
fn spawn(name: &str, f: fn()) -> bool {
    thread::Builder::new().name(name.to_owned()).stack_size(STACK_BYTES).spawn(boxed(f)).is_ok()
}

/// Whether the process has been registered for the asymmetric barrier, or is about to be.
static PREPARED: PerProcess<AtomicBool> = PerProcess::new(AtomicBool::new(false));

/// Registers the process for the asymmetric barrier, if it has a single thread. That takes microseconds then (20 with
/// Linux 6.1), and milliseconds later. The builder of a pool calls this before it starts threads.
pub(super) fn prepare_to_take_early() {
    if fence::ASYMMETRIC && process::has_single_thread() && !PREPARED.get().swap(true, Ordering::Relaxed) {
        fence::prepare();
    }
}

/// Registers the process for the asymmetric barrier. Until the system has granted it, workers do not take. Each thread
/// of a pool calls this when it starts.
pub(super) fn prepare_to_take() {
    if fence::ASYMMETRIC && !PREPARED.get().swap(true, Ordering::Relaxed) && !spawn("filch-barrier", fence::prepare) {
        // Without a thread for it, this thread waits for the answer itself: otherwise no worker could ever take.
        fence::prepare();
    }
}

/// Measures what sharing costs if that is not known, for later pools and other processes. A thread of a pool calls this
/// when it has been idle for long.
pub(super) fn measure_costs() {
    static BEGUN: PerProcess<AtomicBool> = PerProcess::new(AtomicBool::new(false));
    if !BEGUN.get().swap(true, Ordering::Relaxed) && costs::is_worth_measuring(Capabilities::detect()) {
        // If the system refuses a thread, nothing is measured.
        let _ = spawn("filch-costs", || _ = costs::measure(Capabilities::detect()));
    }
}
