//! Joins: two closures, in parallel if another thread is idle.

use crate::registry::in_worker;
use filch::is_worker;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;

/// Tells a closure of [`join_context`] how it has been called.
#[derive(Debug)]
pub struct FnContext {
    migrated: bool,
    /// A context says something about the thread that it was made on, so it stays there.
    not_send: PhantomData<*mut ()>,
}

impl FnContext {
    #[inline]
    fn new(migrated: bool) -> Self {
        FnContext { migrated, not_send: PhantomData }
    }

    /// Whether the closure runs on another thread than the one that called [`join_context`].
    #[inline]
    pub fn migrated(&self) -> bool {
        self.migrated
    }
}

/// Runs both closures, in parallel if another thread is idle, and returns both results.
///
/// A fork costs a few instructions, so there is no need to avoid small ones. On a thread that works for no pool, the
/// join moves to the global pool.
///
/// ```
/// fn sum(numbers: &[u64]) -> u64 {
///     if let [one] = numbers {
///         return *one;
///     }
///     let (left, right) = numbers.split_at(numbers.len() / 2);
///     let (left, right) = rayon_core::join(|| sum(left), || sum(right));
///     left + right
/// }
/// assert_eq!(sum(&[1, 2, 3, 4, 5]), 15);
/// ```
///
/// # Panics
///
/// If a closure panics. The other one runs all the same; if both panic, the payload is that of the first one.
#[inline]
pub fn join<A, B, RA, RB>(oper_a: A, oper_b: B) -> (RA, RB)
where
    A: FnOnce() -> RA + Send,
    B: FnOnce() -> RB + Send,
    RA: Send,
    RB: Send,
{
    join_context(
        #[inline]
        |_| oper_a(),
        #[inline]
        |_| oper_b(),
    )
}

/// Like [`join`], and tells each closure whether it has moved to another thread: the second one if that thread has
/// stolen it, and both of them if the join has moved to the global pool.
///
/// ```
/// let (first, _) = rayon_core::join(|| rayon_core::join_context(|a| a.migrated(), |b| b.migrated()), || ());
/// assert!(!first.0);
/// ```
///
/// # Panics
///
/// As [`join`].
#[inline]
pub fn join_context<A, B, RA, RB>(oper_a: A, oper_b: B) -> (RA, RB)
where
    A: FnOnce(FnContext) -> RA + Send,
    B: FnOnce(FnContext) -> RB + Send,
    RA: Send,
    RB: Send,
{
    if is_worker() { fork::<false, _, _, _, _>(oper_a, oper_b) } else { outside(oper_a, oper_b) }
}

#[cold]
fn outside<A, B, RA, RB>(oper_a: A, oper_b: B) -> (RA, RB)
where
    A: FnOnce(FnContext) -> RA + Send,
    B: FnOnce(FnContext) -> RB + Send,
    RA: Send,
    RB: Send,
{
    in_worker(|_| fork::<true, _, _, _, _>(oper_a, oper_b))
}

/// A join on a thread of a pool. `MOVED`: it was called on another thread. As a constant, because a flag in the frame
/// would be a byte that is stored and then copied as a part of a word, which stalls the processor on every fork.
#[inline]
fn fork<const MOVED: bool, A, B, RA, RB>(oper_a: A, oper_b: B) -> (RA, RB)
where
    A: FnOnce(FnContext) -> RA + Send,
    B: FnOnce(FnContext) -> RB + Send,
    RA: Send,
    RB: Send,
{
    let b = Always::<MOVED, B, RB>(ManuallyDrop::new(oper_b));
    filch::join_context(
        #[inline]
        |_| oper_a(FnContext::new(MOVED)),
        #[inline]
        |context| b.into_inner()(FnContext::new(MOVED || context.migrated())),
    )
}

/// A second branch, which runs even if the first one panics: Filch drops a branch that has not begun then, and this
/// calls it when it is dropped. Filch catches its panic, so that the first branch's goes on.
struct Always<const MOVED: bool, B, R>(ManuallyDrop<B>)
where
    B: FnOnce(FnContext) -> R;

impl<const MOVED: bool, B: FnOnce(FnContext) -> R, R> Always<MOVED, B, R> {
    /// The branch, to be called in its turn.
    #[inline]
    fn into_inner(self) -> B {
        let mut this = ManuallyDrop::new(self);
        // SAFETY: `this` is not dropped, and not used again.
        unsafe { ManuallyDrop::take(&mut this.0) }
    }
}

impl<const MOVED: bool, B: FnOnce(FnContext) -> R, R> Drop for Always<MOVED, B, R> {
    #[cold]
    fn drop(&mut self) {
        // SAFETY: this is dropped once, and `into_inner` keeps it from being dropped.
        let branch = unsafe { ManuallyDrop::take(&mut self.0) };
        drop(branch(FnContext::new(MOVED)));
    }
}
