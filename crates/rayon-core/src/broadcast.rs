//! One closure on each thread of a pool.

use crate::registry::global;
use crate::unwind::{halt_unwinding, resume_unwinding};
use filch::is_worker;
use filch::{Broadcast, Pool, Strand};
use std::fmt;
use std::marker::PhantomData;
use std::thread;

/// Tells a closure that is broadcast on which thread it runs.
pub struct BroadcastContext<'a> {
    broadcast: Broadcast,
    /// It stays on its thread, and its lifetime is that of the call.
    on_this_thread: PhantomData<&'a mut dyn Fn()>,
}

impl BroadcastContext<'_> {
    pub(crate) fn new(broadcast: Broadcast) -> Self {
        BroadcastContext { broadcast, on_this_thread: PhantomData }
    }

    /// The index of this thread in its pool.
    #[inline]
    pub fn index(&self) -> usize {
        self.broadcast.index()
    }

    /// The number of threads of the pool, and of calls of the closure.
    #[inline]
    pub fn num_threads(&self) -> usize {
        self.broadcast.num_workers()
    }
}

impl fmt::Debug for BroadcastContext<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BroadcastContext")
            .field("index", &self.index())
            .field("num_threads", &self.num_threads())
            .finish_non_exhaustive()
    }
}

/// Calls `op` once on each thread of the current pool, or else of the global one, and returns the results by the index
/// of the thread. A thread that is busy calls it when it has finished what it is doing and what it has spawned.
///
/// ```
/// let indices = rayon_core::broadcast(|context| context.index());
/// assert!(indices.into_iter().eq(0..rayon_core::current_num_threads()));
/// ```
///
/// # Panics
///
/// If one of the calls panics. The others run all the same.
pub fn broadcast<OP, R>(op: OP) -> Vec<R>
where
    OP: Fn(BroadcastContext<'_>) -> R + Sync,
    R: Send,
{
    all(op, |op| if is_worker() { filch::broadcast(op) } else { global().broadcast(op) })
}

/// Calls `op` on each thread of `pool`.
pub(crate) fn broadcast_in<OP, R>(pool: &Pool, op: OP) -> Vec<R>
where
    OP: Fn(BroadcastContext<'_>) -> R + Sync,
    R: Send,
{
    all(op, |op| pool.broadcast(op))
}

/// Lets `spread` broadcast `op`. Filch would drop the other calls if one of them panics, so it does not see that.
fn all<OP, R>(op: OP, spread: impl FnOnce(&Calls<'_, R>) -> Vec<thread::Result<R>>) -> Vec<R>
where
    OP: Fn(BroadcastContext<'_>) -> R + Sync,
    R: Send,
{
    let results = spread(&in_context(|context| halt_unwinding(|| op(context))));
    results.into_iter().map(|result| result.unwrap_or_else(|payload| resume_unwinding(payload))).collect()
}

/// What Filch broadcasts.
type Calls<'a, R> = dyn Fn(Strand<'_>, Broadcast) -> thread::Result<R> + Sync + 'a;

/// Like [`broadcast`], and does not wait for the calls.
///
/// # Panics
///
/// Never. If a call panics, that is as for [`spawn`](crate::spawn()).
pub fn spawn_broadcast<OP>(op: OP)
where
    OP: Fn(BroadcastContext<'_>) + Send + Sync + 'static,
{
    let op = in_context(op);
    if is_worker() { filch::spawn_broadcast(op) } else { global().spawn_broadcast(op) }
}

/// What Filch broadcasts for a closure of rayon's form.
pub(crate) fn in_context<R>(op: impl Fn(BroadcastContext<'_>) -> R) -> impl Fn(Strand<'_>, Broadcast) -> R {
    move |_, broadcast| op(BroadcastContext::new(broadcast))
}
