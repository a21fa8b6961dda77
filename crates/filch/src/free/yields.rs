//! Yielding.

use crate::engine::wait::yielding::{Reach, has_pending};
use crate::pool::Yield;

/// Runs one task or one second branch that waits to be run, of this worker or of another one, and says whether there
/// was one. `None` if this thread works for no pool.
///
/// This is for code that waits for something that only other tasks can bring about. What runs here need not be a part
/// of anything that the caller waits for. So it may take long, and must not need a lock that the caller holds.
///
/// Nothing is run while a panic unwinds, in an inlet or a look at the state of a speculation (what runs might want the
/// same state), or where 64 such calls or waits of this worker already lie upon each other.
///
/// ```
/// use filch::{Pool, Yield};
/// use std::sync::atomic::{AtomicBool, Ordering};
///
/// let pool = Pool::builder().workers(1).own_threads(true).build()?;
/// let is_done = AtomicBool::new(false);
/// pool.run_on_worker(|mut s| s.join(
///     |_| while !is_done.load(Ordering::Acquire) { filch::yield_now(); },
///     |_| is_done.store(true, Ordering::Release),
/// ));
/// assert_eq!(filch::yield_now(), None);
/// # Ok::<(), filch::PoolError>(())
/// ```
pub fn yield_now() -> Option<Yield> {
    Yield::within(Reach::All)
}

/// Like [`yield_now`], but runs only what this worker has spawned or forked itself.
///
/// ```
/// use filch::Yield;
///
/// let pool = filch::Pool::builder().workers(1).own_threads(true).build()?;
/// pool.run_on_worker(|mut s| s.scope(|_, scope| {
///     assert_eq!(filch::yield_local(), Some(Yield::Idle));
///     scope.spawn(|_| println!("here"));
///     assert_eq!(filch::yield_local(), Some(Yield::Executed));
/// }));
/// # Ok::<(), filch::PoolError>(())
/// ```
pub fn yield_local() -> Option<Yield> {
    Yield::within(Reach::Local)
}

/// Whether this worker has spawned or forked something that no worker has begun. `None` if this thread works for no
/// pool.
///
/// ```
/// let pool = filch::Pool::builder().workers(1).build()?;
/// assert_eq!(pool.run(|_| filch::has_pending_tasks()), Some(false));
/// assert_eq!(pool.run(|mut s| s.join(|_| filch::has_pending_tasks(), |_| ()).0), Some(true));
/// assert_eq!(filch::has_pending_tasks(), None);
/// # Ok::<(), filch::PoolError>(())
/// ```
pub fn has_pending_tasks() -> Option<bool> {
    has_pending()
}
