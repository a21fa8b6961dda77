//! In which order a worker visits the other workers: the nearest first.
//!
//! Decided from where each worker runs ([`Topology::rings`](crate::topology::Topology::rings)), as far as that is
//! known, and from random numbers. Among workers that are
//! equally near, the first is chosen at random, as in Frigo, Leiserson and Randall 1998, section 3. The others follow
//! in turn, so that each is visited once. So a worker that finds nothing has looked everywhere.

use crate::random::Random;
use crate::rules::Rules;
use std::ops::Range;

/// The neighbours of one worker. Workers are named by numbers: `0..workers`, and then the spare workers, up to `count`.
#[derive(Clone, Copy, Debug)]
pub struct Neighbours<'r> {
    /// The worker that visits.
    pub me: usize,
    /// The seat that it is on. This is its own number, or for a spare worker the number of the seat that it has
    /// borrowed.
    pub seat: usize,
    /// How many workers have seats of their own.
    pub workers: usize,
    /// How many workers there are, including spare ones.
    pub count: usize,
    /// All other seats as seen from its seat, ring by ring, the nearest first. `None` if nothing is known about
    /// distances; then all are equally near.
    pub rings: Option<&'r [Vec<usize>]>,
}

impl<'r> Neighbours<'r> {
    /// All other workers, in the order in which to visit them. `first` is given the number of workers that are equally
    /// near, and returns the one to begin with.
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
        // The rings leave out this seat. The visitor may be a spare worker, for which the worker of its seat is another
        // one.
        let same_seat = rings.map(|_| seat);
        visits.chain(same_seat).chain(workers..count).filter(move |&victim| victim != me)
    }

    /// The same without those workers that are not marked. `next` returns the first marked one of some. Spare workers
    /// count as marked. Where nothing is known about distances, or nobody is marked, this takes no time for those that
    /// are left out, other than that of `next`.
    pub fn marked(
        self,
        mut first: impl FnMut(usize) -> usize + 'r,
        next: impl Fn(Range<usize>) -> Option<usize> + Copy + 'r,
    ) -> impl Iterator<Item = usize> + 'r {
        let Neighbours { me, workers, count, rings, .. } = self;
        let are_listed = rings.is_some() && next(0..workers).is_some();
        // One ring, turned.
        let near = if rings.is_none() {
            let start = first(workers);
            [start..workers, 0..start]
        } else {
            [0..0, 0..0]
        };
        let spare = if are_listed { 0..0 } else { workers..count };
        let in_turn = near.into_iter().flat_map(move |part| members(part, next)).chain(spare);
        let is_marked = move |&worker: &usize| worker >= workers || next(worker..worker + 1).is_some();
        let listed = are_listed.then(|| self.order(first).filter(is_marked));
        in_turn.filter(move |&victim| victim != me).chain(listed.into_iter().flatten())
    }
}

/// The marked ones of some workers.
fn members(mut among: Range<usize>, next: impl Fn(Range<usize>) -> Option<usize>) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let worker = next(among.clone())?;
        among.start = worker + 1;
        Some(worker)
    })
}

impl Rules {
    /// Which of `n` equally near workers to begin with: a random one. Where one thread plays all workers it is the
    /// first, because there the schedule makes all random decisions.
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
                    for marks in 0..8_u32 {
                        let is_marked = |worker: usize| worker >= 3 || marks >> worker & 1 == 1;
                        let next = |among: Range<usize>| among.into_iter().find(|&worker| is_marked(worker));
                        let marked = neighbours.marked(|n| start % n, next);
                        assert!(marked.eq(neighbours.order(|n| start % n).filter(|&it| is_marked(it))), "{marks:b}");
                    }
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
