//! Waiting for a future.

use crate::engine::wait::blocking::{is_alone, park_until};
use crate::engine::wait::yielding::{Reach, yields};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

/// Wakes the thread that waits.
struct Unpark {
    is_woken: AtomicBool,
    thread: Thread,
}

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if !self.is_woken.swap(true, Ordering::Release) {
            self.thread.unpark();
        }
    }
}

/// Polls `future` on this thread until it is ready. Meanwhile the thread sleeps, and others may work on its seat.
/// Unwinds if what this thread runs is cancelled while the future is pending.
pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let unpark = Arc::new(Unpark { is_woken: AtomicBool::new(false), thread: thread::current() });
    let waker = Waker::from(Arc::clone(&unpark));
    let mut context = Context::from_waker(&waker);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
        // Where nobody else works, this thread runs what the future may wait for.
        let is_woken = || unpark.is_woken.swap(false, Ordering::Acquire);
        let has_run = || is_alone() && yields(Reach::All) == Some(true);
        if !is_woken() && !has_run() {
            park_until(is_woken);
        }
    }
}
