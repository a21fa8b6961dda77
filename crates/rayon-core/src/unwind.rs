//! Panics of user code: caught where they must not pass, and passed on later.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

pub(crate) type Payload = Box<dyn Any + Send>;

/// Calls `f`, and returns its result or the payload of its panic.
pub(crate) fn halt_unwinding<R>(f: impl FnOnce() -> R) -> thread::Result<R> {
    // Unwind safety: whoever gets the payload passes it on before the user's code can see what the panic left broken.
    catch_unwind(AssertUnwindSafe(f))
}

pub(crate) use std::panic::resume_unwind as resume_unwinding;
