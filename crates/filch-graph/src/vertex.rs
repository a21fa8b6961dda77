//! Vertex numbers: `u32`, `u64` or `usize`.

use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

/// The number of a vertex: `u32`, or `u64` for graphs of 2^32 vertices and more. A graph of n vertices numbers them
/// from 0 to n - 1. `usize` is for arrays that somebody else has, such as those of the crate sprs.
pub trait Vertex: Copy + Ord + Hash + Debug + Display + Send + Sync + 'static {
    /// The atomic type that stores a vertex.
    type Atomic: AtomicVertex<Self>;

    /// A value that is not a vertex: the highest number of the type.
    const NONE: Self;

    /// The largest number of vertices that a graph can have.
    const MAX_COUNT: usize;

    /// The vertex with this number. `index` must be below [`MAX_COUNT`](Self::MAX_COUNT); otherwise the result is
    /// unspecified.
    fn new(index: usize) -> Self;

    /// The number of this vertex.
    fn index(self) -> usize;
}

/// A vertex in an atomic cell. All accesses are relaxed; they are ordered by the end of a loop, by handing over a
/// batch, or by the end of a phase.
pub trait AtomicVertex<V>: Send + Sync {
    /// A cell that contains `vertex`.
    fn new(vertex: V) -> Self;
    /// Returns the vertex in the cell.
    fn load(&self) -> V;
    /// Stores `vertex` in the cell.
    fn store(&self, vertex: V);
    /// Stores `new` if the cell contains `old`. Returns true if it did.
    fn replace(&self, old: V, new: V) -> bool;
    /// Returns the vertex in the cell.
    fn into_inner(self) -> V;

    /// Returns the vertices in `cells`.
    fn into_vertices(cells: Vec<Self>) -> Vec<V>
    where
        Self: Sized,
    {
        cells.into_iter().map(Self::into_inner).collect()
    }
}

/// Panics if one of these vertices is not below `num_vertices`. `what` says what they are.
pub(crate) fn expect_vertices<V: Vertex>(what: &str, vertices: &[V], num_vertices: usize) {
    if let Some(v) = vertices.iter().find(|v| v.index() >= num_vertices) {
        panic!("the {what} is vertex {v}, but the graph has only {num_vertices} vertices");
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
    usize, AtomicUsize, usize::MAX;
}
