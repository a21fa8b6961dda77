//! The nearest points that have been found.

use std::cmp::Ordering;

/// A point, or an end of what may come: the square of its distance, and its index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) square: f64,
    pub(super) index: u32,
}

impl Candidate {
    /// Further away than all points.
    pub(super) const NONE: Self = Candidate { square: f64::INFINITY, index: u32::MAX };

    /// The order of results: by distance, then by index. Squares are numbers.
    #[inline(always)]
    pub(super) fn is_before(&self, other: &Self) -> bool {
        self.square < other.square || (self.square == other.square && self.index < other.index)
    }

    fn compare(&self, other: &Self) -> Ordering {
        self.square.total_cmp(&other.square).then(self.index.cmp(&other.index))
    }
}

/// The first so many candidates in their order, as a heap whose top is the last of them.
pub(super) struct Nearest<'a>(pub(super) &'a mut [Candidate]);

impl Nearest<'_> {
    /// What comes after this is not among the nearest.
    #[inline(always)]
    pub(super) fn last(&self) -> Candidate {
        self.0[0]
    }

    /// Puts a candidate in the place of the last one, if it comes before that.
    #[inline(always)]
    pub(super) fn offer(&mut self, candidate: Candidate) {
        if candidate.is_before(&self.0[0]) {
            self.replace_last(candidate);
        }
    }

    fn replace_last(&mut self, candidate: Candidate) {
        let heap = &mut *self.0;
        let mut place = 0;
        loop {
            let mut child = 2 * place + 1;
            if child + 1 < heap.len() && heap[child].is_before(&heap[child + 1]) {
                child += 1;
            }
            if child >= heap.len() || !candidate.is_before(&heap[child]) {
                break;
            }
            heap[place] = heap[child];
            place = child;
        }
        heap[place] = candidate;
    }

    /// The candidates in their order.
    pub(super) fn in_order(self) -> impl Iterator<Item = u32> {
        self.0.sort_unstable_by(Candidate::compare);
        self.0.iter().map(|candidate| candidate.index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_are_those_that_sorting_brings_to_the_front() {
        let mut random = fastrand::Rng::with_seed(1);
        for k in 1..20 {
            for len in [k, k + 1, 100] {
                let mut all: Vec<(u8, u32)> = (0..len as u32).map(|index| (random.u8(0..9), index)).collect();
                random.shuffle(&mut all);
                let mut places = vec![Candidate::NONE; k];
                let mut nearest = Nearest(&mut places);
                for &(square, index) in &all {
                    nearest.offer(Candidate { square: f64::from(square), index });
                }
                all.sort_unstable();
                assert!(nearest.in_order().eq(all[..k].iter().map(|&(_, index)| index)));
            }
        }
    }
}
