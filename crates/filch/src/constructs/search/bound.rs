//! The best value that a search has found so far, which all its workers share.

use crate::sync::{AtomicU64, Ordering};
use std::fmt;

/// The value of the best solution that a branch-and-bound search has found so far, for all its workers to read.
///
/// It belongs to the problem, so that [`choices`](super::Search::choices) can leave out what cannot be better.
/// [`find_best`](super::Searching::find_best) improves it with each better solution. It only gets better.
///
/// ```
/// let bound = filch::Bound::lowest();
/// assert!(bound.admits(1_000) && bound.improve(10));
/// assert!(bound.admits(9) && !bound.admits(10) && !bound.improve(11));
/// assert_eq!(bound.get(), Some(10));
/// ```
pub struct Bound {
    /// The value so that a lower word is better, and the highest word means that there is none.
    best: AtomicU64,
    /// What turns a value into such a word.
    flips: u64,
}

/// Turns signed numbers into unsigned ones in the same order.
const SIGN: u64 = 1 << 63;

impl Bound {
    /// For a search for the lowest value. A solution of value `i64::MAX` does not count as found.
    pub const fn lowest() -> Self {
        Bound { best: AtomicU64::new(u64::MAX), flips: SIGN }
    }

    /// For a search for the highest value. A solution of value `i64::MIN` does not count as found.
    pub const fn highest() -> Self {
        Bound { best: AtomicU64::new(u64::MAX), flips: !SIGN }
    }

    /// The best value so far.
    #[inline]
    pub fn get(&self) -> Option<i64> {
        // Relaxed: it says nothing of other memory. A worker that reads an old value leaves out less.
        let word = self.best.load(Ordering::Relaxed);
        (word != u64::MAX).then_some((word ^ self.flips) as i64)
    }

    /// Whether `value` would be better than the best so far. If it is a limit that no solution below a node exceeds,
    /// and this returns false, the node can be left out. Costs a load and a comparison.
    #[inline]
    pub fn admits(&self, value: i64) -> bool {
        (value as u64 ^ self.flips) < self.best.load(Ordering::Relaxed)
    }

    /// Makes `value` the best if it is better than the best so far. Returns whether it is. A search that begins with a
    /// good value, which a heuristic has found, leaves out more.
    pub fn improve(&self, value: i64) -> bool {
        let word = value as u64 ^ self.flips;
        word < self.best.fetch_min(word, Ordering::Relaxed)
    }

    /// Whether the value `a` is better than the value `b`.
    #[inline]
    pub fn is_better(&self, a: i64, b: i64) -> bool {
        (a as u64 ^ self.flips) < (b as u64 ^ self.flips)
    }
}

impl fmt::Debug for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Bound").field(&self.get()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALUES: [i64; 7] = [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX - 1, i64::MAX];

    #[test]
    fn it_only_gets_better() {
        for (a, b) in VALUES.into_iter().flat_map(|a| VALUES.map(|b| (a, b))) {
            let (lowest, highest) = (Bound::lowest(), Bound::highest());
            assert_eq!((lowest.improve(a), highest.improve(a)), (a != i64::MAX, a != i64::MIN));
            assert_eq!((lowest.admits(b), lowest.is_better(b, a)), (b < a, b < a));
            assert_eq!((highest.admits(b), highest.is_better(b, a)), (b > a, b > a));
            assert_eq!((lowest.improve(b), highest.improve(b)), (b < a, b > a));
            assert_eq!(lowest.get(), Some(a.min(b)).filter(|&best| best != i64::MAX));
            assert_eq!(highest.get(), Some(a.max(b)).filter(|&best| best != i64::MIN));
        }
    }
}
