//! Threads that an algorithm starts itself, as the C programs of Cong, Kodali, Krishnamoorthy, Lea, Saraswat and Wen
//! (2008, section 3.1) do.

use super::result::TreeError;
use std::sync::OnceLock;
use std::thread;

/// Calls `work` with each number below `wanted`, each on a thread of its own, all at the same time; the caller is
/// number 0. So they can wait for each other. `work` must not panic, because the others would wait forever.
///
/// # Errors
///
/// [`TreeError::Threads`], and then `work` has not been called.
pub(super) fn on_threads(wanted: usize, work: impl Fn(usize) + Sync) -> Result<(), TreeError> {
    // Whether to begin, once that is known.
    let begins = OnceLock::new();
    thread::scope(|scope| {
        for rank in 1..wanted {
            let (begins, work) = (&begins, &work);
            let waits = move || {
                if *begins.wait() {
                    work(rank);
                }
            };
            if let Err(source) = thread::Builder::new().spawn_scoped(scope, waits) {
                begins.get_or_init(|| false);
                return Err(TreeError::Threads { wanted, started: rank, source });
            }
        }
        begins.get_or_init(|| true);
        work(0);
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Barrier, Mutex};

    #[test]
    fn all_threads_run_at_the_same_time_each_with_its_number() {
        for wanted in [1, 2, 5] {
            let (barrier, seen) = (Barrier::new(wanted), Mutex::new(Vec::new()));
            let work = |rank| {
                barrier.wait();
                seen.lock().unwrap().push(rank);
            };
            on_threads(wanted, work).unwrap();
            let mut seen = seen.into_inner().unwrap();
            seen.sort_unstable();
            assert_eq!(seen, (0..wanted).collect::<Vec<_>>());
        }
    }
}
