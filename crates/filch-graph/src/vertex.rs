//! Vertex numbers: `u32` or `u64`.

use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// The number of a vertex: `u32`, or `u64` for graphs of 2^32 vertices and more. A graph of n vertices numbers them
/// from 0 to n - 1.
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

    /// The numbers of these vertices. Faster than one after the other where two fit in a word: a processor can wait
    /// for a limited number of reads at a time, and those of the numbers count as those of what is looked up by them.
    #[inline(always)]
    fn indices(vertices: &[Self; 8]) -> [usize; 8] {
        vertices.map(Self::index)
    }
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

macro_rules! vertices {
    ($($int:ty, $atomic:ty, $max:expr $(, $indices:item)?;)*) => {$(
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

            $($indices)?
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
    u32, AtomicU32, u32::MAX as usize,
        #[inline(always)]
        fn indices(vertices: &[u32; 8]) -> [usize; 8] {
            // SAFETY: the array has the 32 bytes that are read, of which any are four words, and the read needs no
            // alignment.
            let words = unsafe { vertices.as_ptr().cast::<[u64; 4]>().read_unaligned() };
            let pair = |word: u64| {
                let word = if cfg!(target_endian = "big") { word.rotate_left(32) } else { word };
                [word as u32 as usize, (word >> 32) as usize]
            };
            let [[a, b], [c, d], [e, f], [g, h]] = words.map(pair);
            [a, b, c, d, e, f, g, h]
        };
    u64, AtomicU64, usize::MAX;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_several_vertices_are_those_of_each() {
        let few = [0, 1, u32::MAX, 7, u32::MAX - 1, 1 << 31, 0x1234_5678, 3];
        assert_eq!(u32::indices(&few), few.map(Vertex::index));
        let many = few.map(|v| u64::from(v) << 31);
        assert_eq!(u64::indices(&many), many.map(Vertex::index));
    }
}
