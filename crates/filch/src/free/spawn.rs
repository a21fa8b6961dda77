//! Detached tasks without a strand.

use super::run::global;
use crate::constructs::{self, Closure, Handle, Strand, detach};
use crate::engine::detached::Class;
use crate::engine::seats::current;

/// Spawns `task` on the pool that this thread works for or, outside of any run, on the global pool. Returns at once:
/// [`Pool::spawn`](crate::Pool::spawn).
///
/// ```
/// let (sender, receiver) = std::sync::mpsc::channel();
/// filch::spawn(move |_| sender.send("done").unwrap());
/// assert_eq!(receiver.recv(), Ok("done"));
/// ```
/// ```compile_fail,E0373
/// let local = 1;
/// filch::spawn(|_| println!("{local}"));
/// ```
/// ```compile_fail,E0277
/// let local = std::rc::Rc::new(1);
/// filch::spawn(move |_| println!("{local}"));
/// ```
///
/// # Panics
///
/// As [`Pool::spawn`](crate::Pool::spawn). Outside of any run, also as [`run`](crate::run).
pub fn spawn<F>(task: F)
where
    F: FnOnce(Strand<'_>) + Send + 'static,
{
    spawn_in(Class::Lifo, task);
}

/// Like [`spawn`], in the order of [`Pool::spawn_fifo`](crate::Pool::spawn_fifo).
///
/// # Panics
///
/// As [`spawn`].
///
/// ```
/// let (sender, receiver) = std::sync::mpsc::channel();
/// filch::spawn_fifo(move |_| sender.send("done").unwrap());
/// assert_eq!(receiver.recv(), Ok("done"));
/// ```
pub fn spawn_fifo<F>(task: F)
where
    F: FnOnce(Strand<'_>) + Send + 'static,
{
    spawn_in(Class::Fifo, task);
}

fn spawn_in<F>(class: Class, task: F)
where
    F: FnOnce(Strand<'_>) + Send + 'static,
{
    current::with(|here| match (here, class) {
        (Some(here), _) => detach(here.owner().team(), class, Closure(task)),
        (None, Class::Lifo) => global().spawn(task),
        (None, _) => global().spawn_fifo(task),
    });
}

/// Spawns `task` as [`spawn`] does, and returns a handle with which its result can be awaited, by a thread or by
/// asynchronous code: [`Pool::submit`](crate::Pool::submit).
///
/// ```
/// let answer = filch::submit(|_| 6 * 7);
/// assert_eq!(answer.join(), 42);
/// ```
///
/// # Panics
///
/// As [`spawn`]. A panic of `task` is resumed where the handle is joined.
pub fn submit<T, F>(task: F) -> Handle<'static, T>
where
    T: Send + 'static,
    F: FnOnce(Strand<'_>) -> T + Send + 'static,
{
    current::with(|here| match here {
        Some(here) => constructs::submit(here.owner().team(), Class::Lifo, task),
        None => global().submit(task),
    })
}

/// [`submit`], for a task that must begin soon though all workers are busy:
/// [`Pool::submit_urgent`](crate::Pool::submit_urgent).
///
/// ```
/// assert_eq!(filch::submit_urgent(|_| 6 * 7).join(), 42);
/// ```
///
/// # Panics
///
/// As [`submit`].
pub fn submit_urgent<T, F>(task: F) -> Handle<'static, T>
where
    T: Send + 'static,
    F: FnOnce(Strand<'_>) -> T + Send + 'static,
{
    current::with(|here| match here {
        Some(here) => constructs::submit(here.owner().team(), Class::Urgent, task),
        None => global().submit_urgent(task),
    })
}
