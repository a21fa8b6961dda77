//! The untried choices of a node: what they are tried in order of, and how some of them are split off.

use std::ops::Range;

/// The choices at a node of a [search](super::Search) that have not been tried: an iterator of small values, the latter
/// of which can be split off.
///
/// Integer ranges, [`Bits`] and [`ShortList`] are such iterators. If the choices of a node are many, or have no order
/// of their own, the workspace may keep a list of them, and a range of indices into that list stands for them.
///
/// If [`untried`](Self::untried) or [`split_off`](Self::split_off) does something else than it should, the search tries
/// choices twice or leaves some out. There is no other effect.
pub trait Choices: Iterator<Item: Copy + Send> + Send + Sized {
    /// How many choices are left. If there are more than `usize::MAX`, that.
    fn untried(&self) -> usize;

    /// Removes the latter `count` choices, and returns them. `count` is at most [`untried`](Self::untried).
    fn split_off(&mut self, count: usize) -> Self;
}

macro_rules! ranges {
    ($($integer:ty),*) => { $(
        impl Choices for Range<$integer> {
            #[inline]
            fn untried(&self) -> usize {
                usize::try_from(self.end.saturating_sub(self.start)).unwrap_or(usize::MAX)
            }

            fn split_off(&mut self, count: usize) -> Self {
                // Not more than there are, so the count is a number of this type.
                let middle = self.end - count.min(self.untried()) as $integer;
                let latter = middle..self.end;
                self.end = middle;
                latter
            }
        }
    )* };
}

ranges!(u8, u16, u32, u64, usize);

/// The places of the bits that are set in a word, from the lowest to the highest.
///
/// ```
/// assert!(filch::Bits(0b1001_0010).eq([1, 4, 7]));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Bits(pub u64);

impl Iterator for Bits {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        if self.0 == 0 {
            return None;
        }
        let lowest = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(lowest)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.untried(), Some(self.untried()))
    }
}

impl Choices for Bits {
    #[inline]
    fn untried(&self) -> usize {
        self.0.count_ones() as usize
    }

    fn split_off(&mut self, count: usize) -> Self {
        let mut former = self.0;
        let mut latter = 0;
        for _ in 0..count.min(self.untried()) {
            let highest = 1 << former.ilog2();
            former ^= highest;
            latter |= highest;
        }
        self.0 = former;
        Bits(latter)
    }
}

/// At most `N` values, in the order in which they were pushed. It is for nodes with a few choices of any kind.
///
/// ```
/// let list: filch::ShortList<_, 4> = ['n', 'e', 's'].into_iter().collect();
/// assert!(list.eq(['n', 'e', 's']));
/// ```
#[derive(Clone, Debug)]
pub struct ShortList<T, const N: usize> {
    values: [Option<T>; N],
    begin: usize,
    end: usize,
}

impl<T: Copy, const N: usize> ShortList<T, N> {
    /// A list without values.
    #[inline]
    pub fn new() -> Self {
        ShortList { values: [None; N], begin: 0, end: 0 }
    }

    /// Adds a value behind the others.
    ///
    /// # Panics
    ///
    /// If `N` values have been pushed.
    #[inline]
    pub fn push(&mut self, value: T) {
        assert!(self.end < N, "a ShortList of {N} values is full");
        self.values[self.end] = Some(value);
        self.end += 1;
    }
}

impl<T: Copy, const N: usize> Default for ShortList<T, N> {
    fn default() -> Self {
        ShortList::new()
    }
}

impl<T: Copy, const N: usize> FromIterator<T> for ShortList<T, N> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut list = ShortList::new();
        values.into_iter().for_each(|value| list.push(value));
        list
    }
}

impl<T: Copy, const N: usize> Iterator for ShortList<T, N> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        if self.begin == self.end {
            return None;
        }
        let value = self.values[self.begin];
        self.begin += 1;
        value
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.end - self.begin, Some(self.end - self.begin))
    }
}

impl<T: Copy + Send, const N: usize> Choices for ShortList<T, N> {
    #[inline]
    fn untried(&self) -> usize {
        self.end - self.begin
    }

    fn split_off(&mut self, count: usize) -> Self {
        let middle = self.end - count.min(self.end - self.begin);
        let latter = ShortList { values: self.values, begin: middle, end: self.end };
        self.end = middle;
        latter
    }
}

/// Only what is left is sent.
#[cfg(feature = "serde")]
impl<T: Copy + serde::Serialize, const N: usize> serde::Serialize for ShortList<T, N> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.values[self.begin..self.end].iter().flatten())
    }
}

#[cfg(feature = "serde")]
impl<'de, T: Copy + serde::Deserialize<'de>, const N: usize> serde::Deserialize<'de> for ShortList<T, N> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let values = Vec::<T>::deserialize(deserializer)?;
        if values.len() > N {
            let expected = format!("at most {N} values");
            return Err(serde::de::Error::invalid_length(values.len(), &expected.as_str()));
        }
        Ok(values.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Debug;

    fn splits<C: Choices<Item: PartialEq + Debug> + Clone>(choices: C) {
        let all: Vec<_> = choices.clone().collect();
        for taken in 0..=all.len() {
            let mut rest = choices.clone();
            rest.by_ref().take(taken).for_each(drop);
            assert_eq!(rest.untried(), all.len() - taken);
            for count in 0..=rest.untried() {
                let mut former = rest.clone();
                let latter = former.split_off(count);
                assert_eq!(latter.untried(), count);
                assert_eq!(former.chain(latter).collect::<Vec<_>>(), all[taken..]);
            }
        }
    }

    #[test]
    fn the_latter_choices_are_split_off_and_the_order_stays() {
        splits(3..11_u8);
        splits(0..0_usize);
        splits(u64::MAX - 5..u64::MAX);
        splits(Bits(0b1000_0110_0001));
        splits(Bits(1 << 63 | 1));
        splits(Bits(0));
        splits((0..5).collect::<ShortList<i32, 7>>());
        splits(ShortList::<&str, 0>::new());
    }

    #[test]
    fn what_is_not_there_is_not_split_off() {
        let (mut range, mut bits) = (Range { start: 5, end: 3_u8 }, Bits(1));
        assert_eq!((range.untried(), range.split_off(4).count()), (0, 0));
        assert_eq!((bits.split_off(9), bits), (Bits(1), Bits(0)));
        assert_eq!((0..u64::MAX).untried(), usize::try_from(u64::MAX).unwrap_or(usize::MAX));
    }

    #[test]
    #[should_panic(expected = "a ShortList of 2 values is full")]
    fn a_short_list_holds_no_more_than_it_has_room_for() {
        let _ = (0..3).collect::<ShortList<_, 2>>();
    }
}
