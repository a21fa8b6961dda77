//! Ctrl-C: end at once with exit code 130, but never in the middle of writing a file.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

use signal_hook::consts::SIGINT;

/// What a shell reports for a program that was ended by Ctrl-C.
const EXIT_INTERRUPTED: i32 = 128 + 2;

/// Whether Ctrl-C ends the process. Written by [`deferred`], read by the signal handler.
static ENDS: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| Arc::new(AtomicBool::new(true)));

/// Makes Ctrl-C end the process from inside the signal handler, whatever its threads are doing.
pub fn exit_130_on_ctrl_c() {
    // Where the handler cannot be installed Ctrl-C still ends the process, the system's way.
    let _ = signal_hook::flag::register_conditional_shutdown(SIGINT, EXIT_INTERRUPTED, Arc::clone(&ENDS));
}

/// Runs `write` with Ctrl-C ignored; for the milliseconds in which a temporary file exists.
pub fn deferred<R>(write: impl FnOnce() -> R) -> R {
    ENDS.store(false, Ordering::SeqCst);
    let result = write();
    ENDS.store(true, Ordering::SeqCst);
    result
}
