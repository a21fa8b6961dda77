//! What loops run over: things with a length, whose items can be accessed by index, each item once.
//!
//! The trait is here. [`integers`], [`slices`], [`chunks`](mod@chunks) and [`tuples`] implement it.

mod chunks;
mod integers;
mod part;
mod slices;
mod tuples;

pub(super) use part::Part;

pub use chunks::{Chunks, ChunksMut, chunks, chunks_mut};

/// What a loop can run over in parallel: integer ranges, slices (shared or mutable), [`chunks`](fn@chunks) of slices,
/// and tuples of these. A tuple is iterated in step, up to the end of its shortest element. A range without an end in a
/// tuple counts the items.
///
/// Splitting one at any index costs nothing, so a loop has no grain: it gives away half of its remaining items whenever
/// another worker asks.
///
/// ```
/// let xs = [1, 2, 3, 4];
/// let mut ys = [10, 20, 30, 40];
/// filch::for_each((&xs, &mut ys), |_, (x, y)| *y += x);
/// assert_eq!(ys, [11, 22, 33, 44]);
/// ```
///
/// Items that move to other threads must be allowed to do so:
/// ```compile_fail,E0277
/// let local = [std::cell::Cell::new(1)];
/// filch::run(|mut s| s.for_each(&local, |_, _| ()));
/// ```
/// ```compile_fail,E0277
/// let mut local = [std::rc::Rc::new(1)];
/// filch::run(|mut s| s.for_each(&mut local, |_, _| ()));
/// ```
pub trait Indexed: Sealed {
    /// The type of an item, which the body gets.
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
/// `len` must always return the same value.
#[doc(hidden)]
#[allow(unreachable_pub, reason = "reached through `Indexed::Access`, which compilers before 1.90 do not see")]
pub unsafe trait Access: Copy + Sync {
    type Item;

    /// Whether this is a range without an end. It ends only with the largest number of its type.
    const IS_OPEN: bool = false;

    /// Whether items are chunks: see [`Grain::Automatic`](crate::Grain::Automatic).
    const IS_OF_CHUNKS: bool = false;

    fn len(&self) -> u64;

    /// Returns one item.
    ///
    /// # Safety
    ///
    /// The index must be below `len`, and must not have been used before.
    unsafe fn item(&self, index: u64) -> Self::Item;
}
