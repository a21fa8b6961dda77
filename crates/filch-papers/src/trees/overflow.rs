//! Lists of vertices whose visits were too deep: the accumulators of Yasugi, Hiraishi, Umatani and Yuasa (2012).

use filch_graph::Vertex;
use smallvec::SmallVec;
use std::collections::LinkedList;
use std::collections::linked_list::Iter;

/// The usual vertices of an array of the short-term form. The paper does not state the number; the allocations, the
/// overflowed vertices and the space overhead of its table 3 give 3.0 for each of three graphs.
pub(super) const SHORT: usize = 3;

/// The usual vertices of an array of the long-term form; 600 by the same figures.
pub(super) const LONG: usize = 600;

/// An array of vertices. It is an allocation, or two if it has room for more than [`SHORT`].
type Array<V> = SmallVec<[V; SHORT]>;

/// A list of arrays of up to `capacity` vertices. Two lists are joined in constant time.
pub(super) struct Overflow<V> {
    arrays: LinkedList<Array<V>>,
    capacity: usize,
}

impl<V: Vertex> Overflow<V> {
    /// An empty list, without an allocation.
    #[inline(always)]
    pub(super) fn new(capacity: usize) -> Self {
        Overflow { arrays: LinkedList::new(), capacity }
    }

    #[inline]
    pub(super) fn push(&mut self, v: V) {
        match self.arrays.back_mut() {
            Some(last) if last.len() < self.capacity => last.push(v),
            _ => self.push_array(v),
        }
    }

    #[cold]
    #[inline(never)]
    fn push_array(&mut self, v: V) {
        let mut array = Array::with_capacity(self.capacity);
        array.push(v);
        self.arrays.push_back(array);
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

    /// The list itself.
    pub(super) fn linked(&self) -> Arrays<'_, V> {
        Arrays::Linked { arrays: self.arrays.iter(), len: self.arrays.len() }
    }

    /// The arrays, none of which is empty. Work: their number (the conversion of a list into an array in section 5.1).
    pub(super) fn arrays(&self) -> Vec<&[V]> {
        self.arrays.iter().map(SmallVec::as_slice).collect()
    }

    /// Places in the arrays, whether used or not.
    pub(super) fn places(&self) -> usize {
        self.arrays.len() * self.capacity
    }

    /// The number of vertices, and the number of arrays.
    pub(super) fn size(&self) -> (usize, usize) {
        (self.arrays.iter().map(SmallVec::len).sum(), self.arrays.len())
    }
}

/// The arrays of a list, or some successive ones of them.
#[derive(Clone)]
pub(super) enum Arrays<'s, V> {
    /// In an array.
    Converted(&'s [&'s [V]]),
    /// The first `len` of these, which are at least as many. To halve them, half of them are skipped (section 5.2).
    Linked { arrays: Iter<'s, Array<V>>, len: usize },
}

impl<'s, V> Arrays<'s, V> {
    pub(super) const EMPTY: Self = Arrays::Converted(&[]);

    pub(super) fn len(&self) -> usize {
        match self {
            Arrays::Converted(arrays) => arrays.len(),
            Arrays::Linked { len, .. } => *len,
        }
    }

    /// Leaves the former half, rounded down, and returns the latter.
    pub(super) fn split_off_half(&mut self) -> Self {
        match self {
            Arrays::Converted(arrays) => {
                let (former, latter) = arrays.split_at(arrays.len() / 2);
                *arrays = former;
                Arrays::Converted(latter)
            }
            Arrays::Linked { arrays, len } => {
                let all = *len;
                *len /= 2;
                let mut latter = arrays.clone();
                if let Some(last) = len.checked_sub(1) {
                    latter.nth(last);
                }
                Arrays::Linked { arrays: latter, len: all - *len }
            }
        }
    }
}

impl<'s, V> Iterator for Arrays<'s, V> {
    type Item = &'s [V];

    fn next(&mut self) -> Option<&'s [V]> {
        match self {
            Arrays::Converted(arrays) => arrays.split_off_first().copied(),
            Arrays::Linked { arrays, len } => {
                *len = len.checked_sub(1)?;
                arrays.next().map(SmallVec::as_slice)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(vertices: std::ops::Range<u32>) -> Overflow<u32> {
        let mut list = Overflow::new(3);
        vertices.for_each(|v| list.push(v));
        list
    }

    #[test]
    fn joined_lists_keep_their_order_and_their_arrays() {
        let mut all = list(0..4);
        all.append(Overflow::new(3));
        all.append(list(4..9));
        all.push(9);
        let found: Vec<u32> = all.arrays().concat();
        assert_eq!(found, (0..10).collect::<Vec<_>>());
        assert_eq!(all.size(), (10, 4), "3 and 1, 3 and 3");
        assert!(list(0..0).is_empty() && !all.is_empty());
    }

    /// All vertices, halved down to single arrays.
    fn halved(mut arrays: Arrays<'_, u32>) -> Vec<u32> {
        if arrays.len() < 2 {
            return arrays.flatten().copied().collect();
        }
        let latter = arrays.split_off_half();
        [halved(arrays), halved(latter)].concat()
    }

    #[test]
    fn a_list_and_the_array_of_its_arrays_are_halved_alike() {
        for n in 0..40 {
            let list = list(0..n);
            let arrays = list.arrays();
            let (mut converted, mut linked) = (Arrays::Converted(&arrays), list.linked());
            assert!(halved(converted.clone()).into_iter().eq(0..n) && halved(linked.clone()).into_iter().eq(0..n));
            assert_eq!(converted.len(), linked.len());
            let [latter, other] = [converted.split_off_half(), linked.split_off_half()];
            assert!(converted.len() == linked.len() && converted.eq(linked) && latter.eq(other), "{n}");
        }
    }
}
