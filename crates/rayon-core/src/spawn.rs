//! Tasks that nobody awaits.

use crate::fifo::ticket;
use crate::registry::global;
use filch::is_worker;

/// Spawns a task that nobody awaits. On a thread of a pool, the task goes to that pool, and a thread runs the tasks
/// that it has spawned itself in the opposite order, the newest first. On another thread it goes to the global pool.
///
/// The task does not end with the function that spawns it, so it cannot borrow; [`scope`](crate::scope()) has tasks
/// that can.
///
/// # Panics
///
/// Never. If the task panics, the payload goes to the pool's
/// [`panic_handler`](crate::ThreadPoolBuilder::panic_handler); if there is none, the process aborts.
///
/// ```
/// let (sender, receiver) = std::sync::mpsc::channel();
/// rayon_core::spawn(move || sender.send(1).unwrap());
/// assert_eq!(receiver.recv(), Ok(1));
/// ```
pub fn spawn<F>(func: F)
where
    F: FnOnce() + Send + 'static,
{
    let task = |_: filch::Strand<'_>| func();
    if is_worker() { filch::spawn(task) } else { global().spawn(task) }
}

/// Like [`spawn`], but a thread runs the tasks that it has spawned this way in the order in which it spawned them.
///
/// # Panics
///
/// As [`spawn`].
///
/// ```
/// let (sender, receiver) = std::sync::mpsc::channel();
/// rayon_core::spawn_fifo(move || sender.send(1).unwrap());
/// assert_eq!(receiver.recv(), Ok(1));
/// ```
pub fn spawn_fifo<F>(func: F)
where
    F: FnOnce() + Send + 'static,
{
    if is_worker() {
        let ticket = ticket(func);
        filch::spawn(|_| ticket());
    } else {
        global().spawn_fifo(|_| func());
    }
}
