//! The adaptors that keep an iterator indexed. rayon's methods would return types that rayon drives.
//!
//! `intersperse` is not among them: the `fold_with` of its producer can forget the last element of a piece (rayon
//! 1.12). It drives its base, so it is on Filch as it is.

use crate::on_filch::{Filch, OnFilch};
use crate::skip::Skip;
use rayon::iter::{
    Chain, Chunks, Cloned, Copied, Enumerate, FoldChunks, FoldChunksWith, IndexedParallelIterator, Inspect, Interleave,
    InterleaveShortest, IntoParallelIterator, Map, MapInit, MapWith, MaxLen, MinLen, PanicFuse, ParallelIterator, Rev,
    StepBy, Take, Update, Zip, ZipEq,
};

/// Methods that call rayon's method of the same name, on the iterator inside.
macro_rules! adaptors {
    ($($trait:ident :: $name:ident [$($parameter:ident),*] ($($argument:ident: $type:ty),*) -> $result:ty
        $(where $($bounded:ty: [$($bound:tt)+]),+)?;)*) => {
        $(
            #[doc = concat!("[`", stringify!($trait), "::", stringify!($name), "`], driven by Filch.")]
            #[inline]
            pub fn $name<$($parameter),*>(self, $($argument: $type),*) -> OnFilch<$result>
            $(where $($bounded: $($bound)+),+)?
            {
                $trait::$name(self.inner, $($argument),*).filch()
            }
        )*
    };
}

impl<I: IndexedParallelIterator> OnFilch<I> {
    adaptors! {
        ParallelIterator::map[F, R](map_op: F) -> Map<I, F> where F: [Fn(I::Item) -> R + Sync + Send], R: [Send];
        ParallelIterator::map_with[F, T, R](init: T, map_op: F) -> MapWith<I, T, F>
            where F: [Fn(&mut T, I::Item) -> R + Sync + Send], T: [Send + Clone], R: [Send];
        ParallelIterator::map_init[F, INIT, T, R](init: INIT, map_op: F) -> MapInit<I, INIT, F>
            where F: [Fn(&mut T, I::Item) -> R + Sync + Send], INIT: [Fn() -> T + Sync + Send], R: [Send];
        ParallelIterator::inspect[OP](inspect_op: OP) -> Inspect<I, OP> where OP: [Fn(&I::Item) + Sync + Send];
        ParallelIterator::update[F](update_op: F) -> Update<I, F> where F: [Fn(&mut I::Item) + Sync + Send];
        ParallelIterator::panic_fuse[]() -> PanicFuse<I>;
        IndexedParallelIterator::enumerate[]() -> Enumerate<I>;
        IndexedParallelIterator::zip[Z](other: Z) -> Zip<I, Z::Iter>
            where Z: [IntoParallelIterator<Iter: IndexedParallelIterator>];
        IndexedParallelIterator::zip_eq[Z](other: Z) -> ZipEq<I, Z::Iter>
            where Z: [IntoParallelIterator<Iter: IndexedParallelIterator>];
        IndexedParallelIterator::interleave[J](other: J) -> Interleave<I, J::Iter>
            where J: [IntoParallelIterator<Iter: IndexedParallelIterator, Item = I::Item>];
        IndexedParallelIterator::interleave_shortest[J](other: J) -> InterleaveShortest<I, J::Iter>
            where J: [IntoParallelIterator<Iter: IndexedParallelIterator, Item = I::Item>];
        IndexedParallelIterator::chunks[](chunk_size: usize) -> Chunks<I>;
        IndexedParallelIterator::fold_chunks[T, ID, F](chunk_size: usize, identity: ID, fold_op: F)
            -> FoldChunks<I, ID, F>
            where ID: [Fn() -> T + Send + Sync], F: [Fn(T, I::Item) -> T + Send + Sync], T: [Send];
        IndexedParallelIterator::fold_chunks_with[T, F](chunk_size: usize, init: T, fold_op: F)
            -> FoldChunksWith<I, T, F>
            where T: [Send + Clone], F: [Fn(T, I::Item) -> T + Send + Sync];
        IndexedParallelIterator::step_by[](step: usize) -> StepBy<I>;
        IndexedParallelIterator::take[](n: usize) -> Take<I>;
        IndexedParallelIterator::rev[]() -> Rev<I>;
        IndexedParallelIterator::with_min_len[](min: usize) -> MinLen<I>;
        IndexedParallelIterator::with_max_len[](max: usize) -> MaxLen<I>;
    }

    /// [`IndexedParallelIterator::skip`], driven by Filch.
    ///
    /// The skipped items are made, and dropped, before the others.
    #[inline]
    pub fn skip(self, n: usize) -> OnFilch<Skip<I>> {
        Skip::new(self.inner, n).filch()
    }

    /// [`ParallelIterator::chain`], driven by Filch.
    ///
    /// The other iterator has to be indexed, as this one is. If it is not, call
    /// `ParallelIterator::chain(this, other)`: then each of the two is driven by its own.
    #[inline]
    pub fn chain<C>(self, other: C) -> OnFilch<Chain<I, C::Iter>>
    where
        C: IntoParallelIterator<Iter: IndexedParallelIterator, Item = I::Item>,
    {
        ParallelIterator::chain(self.inner, other).filch()
    }
}

impl<'a, T, I> OnFilch<I>
where
    T: 'a,
    I: IndexedParallelIterator<Item = &'a T>,
{
    /// [`ParallelIterator::cloned`], driven by Filch.
    #[inline]
    pub fn cloned(self) -> OnFilch<Cloned<I>>
    where
        T: Clone + Send + Sync,
    {
        ParallelIterator::cloned(self.inner).filch()
    }

    /// [`ParallelIterator::copied`], driven by Filch.
    #[inline]
    pub fn copied(self) -> OnFilch<Copied<I>>
    where
        T: Copy + Send + Sync,
    {
        ParallelIterator::copied(self.inner).filch()
    }
}
