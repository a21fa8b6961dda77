//! What loops run over: things with a length, whose items can be accessed by index, each item once.
//!
//! The traits are here. [`integers`], [`slices`], [`chunks`](mod@chunks) and [`tuples`] implement it.

mod chunks;
mod integers;
mod part;
mod slices;
mod tuples;

pub(super) use part::Part;

pub use chunks::{Chunks, ChunksMut, chunks, chunks_mut};

use filch_policy::Over;

/// What a loop can run over in parallel: integer ranges, slices (shared or mutable), [`chunks`](fn@chunks) of slices,
/// tuples of these, and types of your own. A tuple is iterated in step, up to the end of its shortest element. A range
/// without an end in a tuple counts the items.
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
/// An iterator has no indices:
/// ```compile_fail,E0277
/// filch::for_each("a b".split(' '), |_, _| ());
/// ```
///
/// # Types of your own
///
/// A type that has such a thing inside hands it on:
/// ```
/// use filch::{ChunksMut, Indexed, Items};
///
/// struct Matrix {
///     columns: usize,
///     values: Vec<f64>,
/// }
///
/// // Its rows.
/// impl<'m> Indexed for &'m mut Matrix {
///     type Item = &'m mut [f64];
///     type Access = <ChunksMut<'m, f64> as Indexed>::Access;
///
///     fn items(self) -> Items<Self::Access> {
///         filch::chunks_mut(&mut self.values, self.columns).items()
///     }
/// }
///
/// let mut matrix = Matrix { columns: 2, values: vec![1.0, 2.0, 3.0, 4.0] };
/// filch::for_each((0_usize.., &mut matrix), |_, (i, row)| row[i] = 0.0);
/// assert_eq!(matrix.values, [0.0, 2.0, 3.0, 0.0]);
/// ```
/// Anything else that has items with indices has an [`Access`].
#[diagnostic::on_unimplemented(
    message = "a loop cannot run over `{Self}`",
    label = "this has no items with indices",
    note = "a loop runs over ranges of integers; over `&v` or `&mut v`, where `v` is a slice, a vector or an array; \
            over `filch::chunks(&v, n)`; and over tuples of up to four of these",
    note = "items of other collections and of iterators: collect them into a vector, or use `filch::for_each_item`",
    note = "a type of your own can implement `filch::Indexed`"
)]
pub trait Indexed {
    /// The type of an item, which the body gets.
    type Item;

    /// How a loop gets at the items.
    type Access: Access<Item = Self::Item>;

    /// The items, for one loop.
    fn items(self) -> Items<Self::Access>;
}

/// The items of one loop, none of which has been used.
#[derive(Debug)]
pub struct Items<A>(A);

impl<A: Access> Items<A> {
    /// All items of `access`.
    ///
    /// # Safety
    ///
    /// Each item may be made once more: neither `access` nor another access has been used, or will be, in a way that
    /// conflicts with that, until everything that is made from the items is gone. So of mutable references there is one
    /// `Items`. Of shared references, and of items that are values, there may be any number.
    #[inline(always)]
    pub unsafe fn new(access: A) -> Self {
        Items(access)
    }

    /// The access, for one that is made from this one.
    #[inline(always)]
    pub fn into_access(self) -> A {
        self.0
    }
}

/// Access to items by index, from any thread. A few words, which a loop keeps in registers.
///
/// A loop asks for each item at most once, in any order and on any thread. An item is made
/// where the body runs, so [`item`](Self::item) may do whatever a body may: panic, block, or run loops of its own.
///
/// The diagonal of a matrix:
/// ```
/// use filch::{Access, Indexed, Items};
/// use std::marker::PhantomData;
///
/// struct Diagonal<'m> {
///     matrix: &'m mut [f64],
///     side: usize,
/// }
///
/// #[derive(Clone, Copy)]
/// struct Elements<'m> {
///     first: *mut f64,
///     side: usize,
///     borrowed: PhantomData<&'m mut [f64]>,
/// }
///
/// // SAFETY: no two threads get the same element, and `f64` is `Send`.
/// unsafe impl Sync for Elements<'_> {}
///
/// // SAFETY: the side never changes, and each index is another element.
/// unsafe impl<'m> Access for Elements<'m> {
///     type Item = &'m mut f64;
///
///     fn len(&self) -> u64 {
///         self.side as u64
///     }
///
///     unsafe fn item(&self, index: u64) -> &'m mut f64 {
///         // SAFETY: the index is below the side, and the matrix has as many rows and columns.
///         unsafe { &mut *self.first.add(index as usize * (self.side + 1)) }
///     }
/// }
///
/// impl<'m> Indexed for Diagonal<'m> {
///     type Item = &'m mut f64;
///     type Access = Elements<'m>;
///
///     fn items(self) -> Items<Elements<'m>> {
///         assert_eq!(self.matrix.len(), self.side * self.side, "a square matrix");
///         let elements = Elements { first: self.matrix.as_mut_ptr(), side: self.side, borrowed: PhantomData };
///         // SAFETY: this is the only access to a matrix that has been mutably borrowed for it.
///         unsafe { Items::new(elements) }
///     }
/// }
///
/// let mut matrix = [0.0; 9];
/// filch::for_each(Diagonal { matrix: &mut matrix, side: 3 }, |_, element| *element = 1.0);
/// assert_eq!(matrix, [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
/// ```
///
/// # Safety
///
/// `len` must always return the same value. Items with different indices must not conflict: they may be used at the
/// same time, on different threads.
#[expect(clippy::len_without_is_empty, reason = "a loop asks only how many there are")]
pub unsafe trait Access: Copy + Sync {
    /// The type of an item.
    type Item;

    /// Whether this is a range without an end. It ends only with the largest number of its type.
    #[doc(hidden)]
    const IS_OPEN: bool = false;

    /// What [`Grain::Automatic`](crate::Grain::Automatic) asks.
    #[doc(hidden)]
    const OVER: Over = Over::Indices;

    /// How many items there are.
    fn len(&self) -> u64;

    /// Makes one item.
    ///
    /// # Safety
    ///
    /// The index must be below `len`, and the caller must have the right to the item: from an [`Items`] that it has
    /// taken apart, with each index used once.
    unsafe fn item(&self, index: u64) -> Self::Item;
}
