//! A thread that records a pool in intervals.

use crate::recording::{describe, record};
use filch::Pool;
use std::convert::Infallible;
use std::ops::Deref;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use std::{fmt, io};

/// A thread that [records](record) a pool in intervals, for as long as this lives.
///
/// ```
/// use std::sync::Arc;
/// use std::time::Duration;
///
/// let pool = Arc::new(filch::Pool::builder().workers(2).build()?);
/// let reporter = filch_metrics::Reporter::start(Arc::clone(&pool), Duration::from_secs(10))?;
/// pool.run(|mut s| s.join(|_| (), |_| ()));
/// drop(reporter); // records once more
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "the thread ends when this is dropped"]
pub struct Reporter {
    /// Nothing is ever sent.
    lives: Option<mpsc::Sender<Infallible>>,
    thread: Option<JoinHandle<()>>,
}

impl Reporter {
    /// Starts to record `pool`, now and every time that `interval` is over: an `Arc` of a pool, or a reference to the
    /// [global one](Pool::global).
    ///
    /// # Errors
    ///
    /// If the system refuses a thread.
    pub fn start(pool: impl Deref<Target = Pool> + Send + 'static, interval: Duration) -> io::Result<Reporter> {
        let (lives, ends) = mpsc::channel::<Infallible>();
        let reports = move || {
            describe();
            loop {
                record(&pool);
                match ends.recv_timeout(interval) {
                    Err(RecvTimeoutError::Timeout) => {}
                    // What has been done since would be lost.
                    Err(RecvTimeoutError::Disconnected) => return record(&pool),
                }
            }
        };
        let thread = thread::Builder::new().name("filch-metrics".to_owned()).spawn(reports)?;
        Ok(Reporter { lives: Some(lives), thread: Some(thread) })
    }
}

impl Drop for Reporter {
    fn drop(&mut self) {
        self.lives = None;
        if let Some(thread) = self.thread.take() {
            // If the recorder has panicked there, the system has said so.
            let _ = thread.join();
        }
    }
}

impl fmt::Debug for Reporter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reporter").finish_non_exhaustive()
    }
}
