//! Lists of vertices whose visits were too deep: the accumulators of Yasugi, Hiraishi, Umatani and Yuasa (2012).

use filch_graph::Vertex;
use std::collections::LinkedList;

/// The vertices of an array of the short-term form. The paper does not state the number; the allocations, the
/// overflowed vertices and the space overhead of its table 3 give 3.0 for each of three graphs.
pub(super) const SHORT: usize = 3;

/// The vertices of an array of the long-term form; 600 by the same figures.
pub(super) const LONG: usize = 600;

/// A list of arrays of up to `N` vertices. Each array is an allocation. Two lists are joined in constant time.
pub(super) struct Overflow<V, const N: usize> {
    arrays: LinkedList<Array<V, N>>,
}

/// Up to `N` vertices.
struct Array<V, const N: usize> {
    len: usize,
    vertices: [V; N],
}

impl<V, const N: usize> Array<V, N> {
    fn vertices(&self) -> &[V] {
        &self.vertices[..self.len]
    }
}

impl<V: Vertex, const N: usize> Overflow<V, N> {
    /// An empty list, without an allocation.
    #[inline(always)]
    pub(super) fn new() -> Self {
        Overflow { arrays: LinkedList::new() }
    }

    #[inline]
    pub(super) fn push(&mut self, v: V) {
        match self.arrays.back_mut() {
            Some(last) if last.len < N => {
                last.vertices[last.len] = v;
                last.len += 1;
            }
            _ => self.push_array(v),
        }
    }

    /// Not inlined, because the array is built on the stack before it is moved into its allocation: a recursion would
    /// keep room for it on each level.
    #[cold]
    #[inline(never)]
    fn push_array(&mut self, v: V) {
        self.arrays.push_back(Array { len: 1, vertices: [v; N] });
    }

    /// Puts `later` at the end.
    #[inline]
    pub(super) fn append(&mut self, mut later: Self) {
        if !later.arrays.is_empty() {
            self.arrays.append(&mut later.arrays);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.arrays.is_empty()
    }

    /// The arrays, none of which is empty. Work: their number (the conversion of a list into an array in section 5.1).
    pub(super) fn arrays(&self) -> Vec<&[V]> {
        self.arrays.iter().map(Array::vertices).collect()
    }

    /// The number of vertices, and the number of arrays.
    pub(super) fn size(&self) -> (usize, usize) {
        (self.arrays.iter().map(|array| array.len).sum(), self.arrays.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(vertices: std::ops::Range<u32>) -> Overflow<u32, 3> {
        let mut list = Overflow::new();
        vertices.for_each(|v| list.push(v));
        list
    }

    #[test]
    fn joined_lists_keep_their_order_and_their_arrays() {
        let mut all = list(0..4);
        all.append(Overflow::new());
        all.append(list(4..9));
        all.push(9);
        let found: Vec<u32> = all.arrays().concat();
        assert_eq!(found, (0..10).collect::<Vec<_>>());
        assert_eq!(all.size(), (10, 4), "3 and 1, 3 and 3");
        assert!(list(0..0).is_empty() && !all.is_empty());
    }
}
