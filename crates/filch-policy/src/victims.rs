//! In which order a worker visits the others: the nearest first.
//!
//! Decided from where each worker runs, as far as that is known, and from dice. Among those that are equally near the
//! first is chosen at random, as in Frigo, Leiserson and Randall 1998, section 3, and the others follow in turn, so
//! that each is visited once: who finds nothing knows that it has looked everywhere.

use crate::random::Random;
use crate::rules::Rules;

/// The others of one worker, by their names: `0..workers`, and then those of spare workers, up to `count`.
#[derive(Clone, Copy, Debug)]
pub struct Neighbours<'r> {
    /// The worker that visits.
    pub me: usize,
    /// The seat that it is on: its own name, or that of the worker whose seat a spare one has borrowed.
    pub seat: usize,
    /// How many workers have seats of their own.
    pub workers: usize,
    /// How many there are with spare ones.
    pub count: usize,
    /// From its seat all others, ring by ring, the nearest first; where nothing is known, all are equally near.
    pub rings: Option<&'r [Vec<usize>]>,
}

impl<'r> Neighbours<'r> {
    /// All others, in the order in which to visit them. `first` says, of so many that are equally near, with which to
    /// begin.
    pub fn order(self, mut first: impl FnMut(usize) -> usize + 'r) -> impl Iterator<Item = usize> + 'r {
        let Neighbours { me, seat, workers, count, rings } = self;
        let visits = (0..rings.map_or(1, <[_]>::len)).flat_map(move |ring| {
            let ring = rings.map(|rings| &rings[ring][..]);
            let equals = ring.map_or(workers, <[usize]>::len);
            let start = first(equals);
            (0..equals).map(move |step| {
                let place = (start + step) % equals;
                ring.map_or(place, |ring| ring[place])
            })
        });
        // The rings are of other seats, and the ladder of this one may be another's.
        let same_seat = rings.map(|_| seat);
        visits.chain(same_seat).chain(workers..count).filter(move |&victim| victim != me)
    }
}

impl Rules {
    /// With which to begin, of `n` that are equally near: with any. With the first, where one thread plays all
    /// workers: there one sequence of decisions makes a schedule, and this is not it.
    pub fn first_of(&self, n: usize, random: &mut Random) -> usize {
        if self.announces_forks() { random.below(n) } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Costs, Scheduler};

    #[test]
    fn each_worker_visits_all_others_and_a_spare_one_that_of_its_seat_too() {
        let rings = [vec![vec![1], vec![2]], vec![vec![0], vec![2]], vec![vec![0, 1]]];
        let seats = [0, 1, 2, 1, 0];
        for (me, &seat) in seats.iter().enumerate() {
            for rings in [None, Some(&rings[seat][..])] {
                let neighbours = Neighbours { me, seat, workers: 3, count: seats.len(), rings };
                for start in 0..3 {
                    let mut visited: Vec<_> = neighbours.order(move |n| start % n).collect();
                    visited.sort_unstable();
                    assert!(visited.into_iter().eq((0..5).filter(|&other| other != me)), "by worker {me}");
                }
            }
        }
    }

    #[test]
    fn the_nearest_come_first_from_any_of_them_on() {
        let rings = [vec![1], vec![2, 3], vec![4, 5, 6]];
        let neighbours = Neighbours { me: 0, seat: 0, workers: 7, count: 7, rings: Some(&rings) };
        assert!(neighbours.order(|n| n - 1).eq([1, 3, 2, 6, 4, 5]));
    }

    #[test]
    fn under_chaos_the_first_is_the_first() {
        let first = |scheduler: &Scheduler, seed| {
            Rules::new(scheduler, Costs::ASSUMED, true).first_of(1_000, &mut Random::new(seed))
        };
        assert!((0..9).all(|seed| first(&Scheduler::chaos(seed), seed) == 0));
        assert!((0..9).any(|seed| first(&Scheduler::default(), seed) != 0));
    }
}
