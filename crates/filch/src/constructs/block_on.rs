//! Waiting for a future.

use crate::engine::wait::blocking::{blocking, is_alone};
use crate::engine::wait::yielding::{Reach, yields};
use crate::sync::parker::Parker;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

/// Wakes the thread that waits.
struct Unpark(Parker);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.0.unpark();
    }
}

/// Polls `future` on this thread until it is ready. Meanwhile the thread sleeps, and others may work on its seat.
pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let unpark = Arc::new(Unpark(Parker::new()));
    let waker = Waker::from(Arc::clone(&unpark));
    let mut context = Context::from_waker(&waker);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
        if unpark.0.take_token() {
            continue;
        }
        // Where nobody else works, this thread runs what the future may wait for.
        if !(is_alone() && yields(Reach::All) == Some(true)) {
            blocking(|| unpark.0.park());
        }
    }
}
