//! Chaos: at which places the one thread that plays all workers stops what it is doing and plays another worker.
//!
//! Decided from a sequence of pseudo-random numbers, and from nothing else. The sequence starts afresh with each run.
//! So each seed stands for a schedule, and a failure can be reproduced from its seed.

use crate::random::{Random, SPREAD, Sequence, scatter};
use crate::tasks::End;

/// On average something happens at one in this many places.
const ONE_IN: usize = 4;

/// The schedule of one run, as far as it has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chaos(Random);

impl Chaos {
    /// The start of the schedule that `seed` stands for.
    pub fn new(seed: u64) -> Self {
        Chaos(Random::new(seed))
    }

    /// What is drawn at the place number `place` of the schedule of `seed`, if each place has a sequence of its own.
    pub fn at(seed: u64, place: u64) -> Self {
        // Scattered, so that the first draws at neighbouring places are unrelated.
        Chaos(Random::new(scatter(Random::new(seed).state().wrapping_add(place.wrapping_mul(SPREAD)))))
    }

    /// Whether a latent frame or task moves to another worker now. This is asked at every fork, return, block of a
    /// loop, spawn and task of a scope, and again each time something has moved. Nothing moves while a panic unwinds,
    /// because user code must not run inside a destructor that runs because of the panic.
    pub fn moves(&mut self, is_panicking: bool) -> bool {
        !is_panicking && self.0.below(ONE_IN) == 0
    }

    /// The workers that the thread may play, of `count` workers. It plays the first of them that is free. Worker 0 is
    /// not among them, because it has the seat.
    pub fn players(&mut self, count: usize) -> impl Iterator<Item = usize> + use<> {
        let start = self.0.below(count);
        (0..count).map(move |step| (start + step) % count).filter(|&player| player != 0)
    }

    /// The end of a pool from which the thread takes a task.
    pub fn end(&mut self) -> End {
        if self.0.below(2) == 0 { End::Oldest } else { End::Newest }
    }

    /// The first of `count` pools in which the thread looks for a task.
    pub fn pool(&mut self, count: usize) -> usize {
        self.0.below(count)
    }
}

impl Sequence for Chaos {
    fn resume(state: u64) -> Self {
        Chaos(Random::resume(state))
    }

    fn state(&self) -> u64 {
        self.0.state()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_a_schedule_and_another_seed_another() {
        let schedule = |seed| {
            let mut chaos = Chaos::new(seed);
            (0..64).map(|_| chaos.moves(false)).collect::<Vec<_>>()
        };
        assert_eq!(schedule(7), schedule(7));
        assert_ne!(schedule(7), schedule(8));
        let moved = (0..100).flat_map(schedule).filter(|&moves| moves).count();
        assert!((1_400..1_800).contains(&moved), "one in four, {moved} of 6400");
    }

    #[test]
    fn places_are_as_different_as_draws() {
        let moved = |seed| (0..1000).filter(move |&place| Chaos::at(seed, place).moves(false));
        assert!((0..10).all(|seed| (200..300).contains(&moved(seed).count())), "one in four");
        let [a, b] = [1, 2].map(|seed| moved(seed).collect::<Vec<_>>());
        assert!((30..100).contains(&a.iter().filter(|place| b.contains(place)).count()), "one in sixteen");
    }

    #[test]
    fn it_goes_on_where_it_was_left() {
        let mut chaos = Chaos::new(3);
        chaos.moves(false);
        let mut other = Chaos::resume(chaos.state());
        assert_eq!((chaos.end(), chaos.pool(9)), (other.end(), other.pool(9)));
    }

    #[test]
    fn nothing_moves_and_nothing_is_drawn_while_a_panic_unwinds() {
        let mut chaos = Chaos::new(3);
        assert!((0..64).all(|_| !chaos.moves(true)));
        assert_eq!(chaos, Chaos::new(3));
    }

    #[test]
    fn all_workers_but_that_of_the_seat_are_played() {
        let mut players: Vec<_> = Chaos::new(5).players(4).collect();
        players.sort_unstable();
        assert_eq!(players, [1, 2, 3]);
        assert_eq!(Chaos::new(5).players(1).count(), 0);
    }
}
