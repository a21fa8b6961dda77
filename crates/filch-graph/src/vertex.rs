//! Vertices: small integers, as wide as the graph needs.

use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// The number of a vertex, from 0 to one less than there are: `u32`, or `u64` for graphs of 2^32 - 1 vertices and more.
pub trait Vertex: Copy + Ord + Hash + Debug + Display + Send + Sync + 'static {
    /// A cell that holds one.
    type Atomic: AtomicVertex<Self>;

    /// No vertex: the highest number.
    const NONE: Self;

    /// How many vertices a graph may have.
    const MAX_COUNT: usize;

    /// The vertex of this number, which is below [`MAX_COUNT`](Self::MAX_COUNT); of a higher one, something else.
    fn new(index: usize) -> Self;

    /// Its number.
    fn index(self) -> usize;
}

/// A vertex that several threads read and write. All accesses are relaxed: what orders them is the end of a loop, a
/// batch that changes hands, or a phase.
pub trait AtomicVertex<V>: Send + Sync {
    /// A cell with `vertex` in it.
    fn new(vertex: V) -> Self;
    /// What is in it.
    fn load(&self) -> V;
    /// Puts `vertex` in.
    fn store(&self, vertex: V);
    /// Puts `new` in if `old` is there. True if it was.
    fn replace(&self, old: V, new: V) -> bool;
    /// What is in it.
    fn into_inner(self) -> V;

    /// What is in many of them.
    fn into_vertices(cells: Vec<Self>) -> Vec<V>
    where
        Self: Sized,
    {
        cells.into_iter().map(Self::into_inner).collect()
    }
}

macro_rules! vertices {
    ($($int:ty, $atomic:ty, $max:expr;)*) => {$(
        impl Vertex for $int {
            type Atomic = $atomic;
            const NONE: Self = <$int>::MAX;
            const MAX_COUNT: usize = $max;

            #[inline(always)]
            fn new(index: usize) -> Self {
                index as $int
            }

            #[inline(always)]
            fn index(self) -> usize {
                self as usize
            }
        }

        impl AtomicVertex<$int> for $atomic {
            #[inline(always)]
            fn new(vertex: $int) -> Self {
                <$atomic>::new(vertex)
            }

            #[inline(always)]
            fn load(&self) -> $int {
                self.load(Ordering::Relaxed)
            }

            #[inline(always)]
            fn store(&self, vertex: $int) {
                self.store(vertex, Ordering::Relaxed);
            }

            #[inline(always)]
            fn replace(&self, old: $int, new: $int) -> bool {
                self.compare_exchange(old, new, Ordering::Relaxed, Ordering::Relaxed).is_ok()
            }

            #[inline(always)]
            fn into_inner(self) -> $int {
                self.into_inner()
            }
        }
    )*};
}
vertices! {
    u32, AtomicU32, u32::MAX as usize;
    u64, AtomicU64, usize::MAX;
}
