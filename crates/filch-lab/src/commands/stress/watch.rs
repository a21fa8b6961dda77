//! Detects a case that does not end.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use filch_bench::failure::Failure;

/// How often the watch looks per limit. A timer for each case would wake the thread for each case.
const LOOKS_PER_LIMIT: u32 = 20;

/// Watches a case, and calls a function when the case takes longer than a limit.
#[derive(Debug)]
pub struct Watch {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    over: Condvar,
}

/// Written by the watched thread, read by the watch, all under the lock.
#[derive(Debug, Default)]
struct State {
    /// When the current case began, and its name.
    current: Option<(Instant, String)>,
    is_over: bool,
}

impl Watch {
    /// Starts to watch. `help` is called once, from another thread, with the name of the case that takes too long.
    pub fn start(limit: Duration, help: impl FnOnce(&str) + Send + 'static) -> Result<Self, Failure> {
        let shared = Arc::new(Shared::default());
        let its = Arc::clone(&shared);
        let watches = move || {
            let mut state = its.lock();
            while !state.is_over {
                if let Some((begin, name)) = &state.current
                    && begin.elapsed() > limit
                {
                    return help(name);
                }
                let look = its.over.wait_timeout(state, limit / LOOKS_PER_LIMIT);
                state = look.unwrap_or_else(PoisonError::into_inner).0;
            }
        };
        let thread = thread::Builder::new().spawn(watches);
        let thread = thread.map_err(|error| Failure::Usage(format!("cannot start a thread that watches: {error}")))?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// A case starts.
    pub fn begin(&self, name: &str) {
        self.shared.lock().current = Some((Instant::now(), name.to_owned()));
    }

    /// The case has ended.
    pub fn end(&self) {
        self.shared.lock().current = None;
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.shared.lock().is_over = true;
        self.shared.over.notify_all();
        if let Some(thread) = self.thread.take() {
            // If the thread panicked, it has already reported that.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn a_case_that_does_not_end_is_called_out_by_its_name() {
        let (send, receive) = mpsc::channel();
        let watch = Watch::start(Duration::from_millis(5), move |name| send.send(name.to_owned()).unwrap()).unwrap();
        watch.begin("the endless case");
        assert_eq!(receive.recv().unwrap(), "the endless case");
    }

    #[test]
    fn cases_that_end_are_not() {
        let (send, receive) = mpsc::channel::<()>();
        let watch = Watch::start(Duration::from_secs(1000), move |_| send.send(()).unwrap()).unwrap();
        for _ in 0..10 {
            watch.begin("a short case");
            watch.end();
        }
        drop(watch);
        assert!(receive.recv().is_err(), "no case was called out");
    }
}
