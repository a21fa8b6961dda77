//! A set of workers, as one bit for each. A search visits its members only, not all workers.

use std::ops::Range;

/// A set of workers.
pub(crate) struct Marks {
    words: Vec<u64>,
    workers: usize,
    /// How many members there are.
    len: u64,
}

impl Marks {
    /// None of so many workers.
    pub(crate) fn none(workers: usize) -> Self {
        Marks { words: vec![0; workers.div_ceil(64)], workers, len: 0 }
    }

    pub(crate) fn set(&mut self, worker: usize, is_member: bool) {
        let (word, bit) = (&mut self.words[worker / 64], 1 << (worker % 64));
        match (*word & bit != 0, is_member) {
            (false, true) => self.len += 1,
            (true, false) => self.len -= 1,
            _ => return,
        }
        *word ^= bit;
    }

    pub(crate) fn has(&self, worker: usize) -> bool {
        self.words[worker / 64] & 1 << (worker % 64) != 0
    }

    pub(crate) fn clear(&mut self) {
        if self.len > 0 {
            self.words.fill(0);
            self.len = 0;
        }
    }

    /// How many words there are for these workers: each is a cache line of its own.
    pub(crate) fn lines(among: &Range<usize>) -> u64 {
        if among.is_empty() { 0 } else { ((among.end - 1) / 64 - among.start / 64 + 1) as u64 }
    }

    /// How many of these workers are members.
    pub(crate) fn count(&self, among: Range<usize>) -> u64 {
        if among == (0..self.workers) {
            return self.len;
        }
        let mut count = 0;
        let mut rest = among.clone();
        while !rest.is_empty() {
            let end = (rest.start / 64 * 64 + 64).min(rest.end);
            let word = self.words[rest.start / 64] >> (rest.start % 64);
            let width = end - rest.start;
            count += u64::from((word << (64 - width)).count_ones());
            rest.start = end;
        }
        count
    }

    /// The first member among these workers. Takes time in proportion to their number, divided by 64.
    pub(crate) fn first(&self, among: Range<usize>) -> Option<usize> {
        if among.is_empty() {
            return None;
        }
        let mut place = among.start / 64;
        let mut word = self.words[place] & u64::MAX << (among.start % 64);
        while word == 0 {
            place += 1;
            if 64 * place >= among.end {
                return None;
            }
            word = self.words[place];
        }
        let member = 64 * place + word.trailing_zeros() as usize;
        (member < among.end).then_some(member)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use filch_policy::Random;
    use std::collections::BTreeSet;

    #[test]
    fn a_line_has_64_workers_wherever_a_range_begins() {
        let ranges = [(0, 0), (0, 1), (0, 64), (0, 65), (63, 65), (64, 128), (0, 4096)];
        assert_eq!(ranges.map(|(start, end)| Marks::lines(&(start..end))), [0, 1, 1, 2, 2, 1, 64]);
    }

    #[test]
    fn the_first_member_of_a_range_is_that_of_an_ordered_set() {
        let mut random = Random::new(1);
        for workers in [1, 2, 63, 64, 65, 200] {
            let (mut marks, mut set) = (Marks::none(workers), BTreeSet::new());
            for _ in 0..1_000 {
                let (worker, is_member) = (random.below(workers), random.below(8) == 0);
                marks.set(worker, is_member);
                if is_member {
                    set.insert(worker)
                } else {
                    set.remove(&worker)
                };
                let start = random.below(workers + 1);
                let among = start..start + random.below(workers + 1 - start);
                assert_eq!(marks.has(worker), is_member);
                assert_eq!(marks.count(among.clone()), set.range(among.clone()).count() as u64, "{among:?}");
                assert_eq!(marks.first(among.clone()), set.range(among.clone()).next().copied(), "{among:?}");
            }
            marks.clear();
            assert_eq!(marks.first(0..workers), None);
        }
    }
}
