//! The root of a package that `cargo xtask rayon core` makes: the drop-in, what else the unit tests of rayon-core use,
//! and these tests.
#![cfg(test)]

pub use rayon_core::*;

mod test;

mod unwind {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    pub fn halt_unwinding<R>(f: impl FnOnce() -> R) -> std::thread::Result<R> {
        catch_unwind(AssertUnwindSafe(f))
    }
}

mod registry {
    use rayon_core::{ThreadPool, scope};
    use std::cell::RefCell;
    use std::sync::{Arc, Condvar, Mutex};

    /// Calls `f` on a thread of a pool.
    pub fn in_worker<R: Send>(f: impl FnOnce((), bool) -> R + Send) -> R {
        scope(|_| f((), false))
    }

    /// How many threads of a pool live.
    pub struct Registry {
        num_threads: usize,
        alive: Mutex<usize>,
        one_has_stopped: Condvar,
    }

    /// Counts a thread out when the thread ends.
    struct CountsOut(Arc<Registry>);

    impl Drop for CountsOut {
        fn drop(&mut self) {
            *self.0.alive.lock().unwrap() -= 1;
            self.0.one_has_stopped.notify_all();
        }
    }

    std::thread_local! {
        static COUNTS_OUT: RefCell<Option<CountsOut>> = const { RefCell::new(None) };
    }

    /// To be called once for a pool.
    pub fn of(pool: &ThreadPool) -> Arc<Registry> {
        let num_threads = pool.current_num_threads();
        let registry =
            Arc::new(Registry { num_threads, alive: Mutex::new(num_threads), one_has_stopped: Condvar::new() });
        pool.broadcast(|_| COUNTS_OUT.set(Some(CountsOut(Arc::clone(&registry)))));
        registry
    }

    impl Registry {
        pub fn num_threads(&self) -> usize {
            self.num_threads
        }

        pub fn wait_until_stopped(&self) {
            let alive = self.alive.lock().unwrap();
            drop(self.one_has_stopped.wait_while(alive, |alive| *alive > 0).unwrap());
        }
    }
}

mod broadcast {
    mod test;
}

mod join {
    use crate::{join, join_context, unwind};

    mod test;
}

mod scope {
    mod test;
}

mod spawn {
    use crate::{spawn, spawn_fifo};

    mod test;
}

mod thread_pool {
    mod test;
}
