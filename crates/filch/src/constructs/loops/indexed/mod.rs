//! What loops run over: things with a length whose items can be had by index, each of them once.
//!
//! The trait is here; [`integers`], [`slices`], [`chunks`](mod@chunks) and [`tuples`] are what implements it.

mod chunks;
mod integers;
mod slices;
mod tuples;

pub use chunks::{Chunks, ChunksMut, chunks, chunks_mut};

/// What a loop can run over in parallel: integer ranges, slices (shared or mutable), [`chunks`](fn@chunks) of slices,
/// and tuples of these, which are walked side by side up to the end of the shortest. In a tuple, a range without an end
/// counts along.
///
/// Cutting one anywhere costs nothing, so a loop has no grain: it hands over half of what is left whenever somebody
/// asks.
///
/// ```
/// let xs = [1, 2, 3, 4];
/// let mut ys = [10, 20, 30, 40];
/// filch::for_each((&xs, &mut ys), |_, (x, y)| *y += x);
/// assert_eq!(ys, [11, 22, 33, 44]);
/// ```
///
/// Items that go to other threads must be allowed to:
/// ```compile_fail,E0277
/// let local = [std::cell::Cell::new(1)];
/// filch::run(|mut s| s.for_each(&local, |_, _| ()));
/// ```
/// ```compile_fail,E0277
/// let mut local = [std::rc::Rc::new(1)];
/// filch::run(|mut s| s.for_each(&mut local, |_, _| ()));
/// ```
pub trait Indexed: Sealed {
    /// What the body gets.
    type Item;
    #[doc(hidden)]
    type Access: Access<Item = Self::Item>;
    #[doc(hidden)]
    fn access(self) -> Self::Access;
}

mod sealed {
    pub trait Sealed {}
}
use sealed::Sealed;

/// Access to items by index, from any thread. A few words, which a loop keeps in registers.
///
/// # Safety
///
/// `len` is always the same.
#[doc(hidden)]
#[allow(unreachable_pub, reason = "reached through `Indexed::Access`, which compilers before 1.90 do not see")]
pub unsafe trait Access: Copy + Sync {
    type Item;

    /// Whether it goes on for ever, but for what its type can count.
    const IS_OPEN: bool = false;

    fn len(&self) -> u64;

    /// One item.
    ///
    /// # Safety
    ///
    /// The index is below `len`, and is not asked for twice.
    unsafe fn item(&self, index: u64) -> Self::Item;
}
