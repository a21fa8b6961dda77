//! Chaos: where one thread that plays all workers stops what it is doing and plays another.
//!
//! Decided from a sequence of pseudo-random numbers that starts afresh with each run, and from nothing else. So a seed
//! is a schedule, and a failure that it finds comes back with it.

use crate::random::Random;
use crate::tasks::End;

/// One in so many places is one where something happens.
const ONE_IN: usize = 4;

/// The schedule of one run, as far as it has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chaos(Random);

impl Chaos {
    /// The start of the schedule of `seed`.
    pub fn new(seed: u64) -> Self {
        Chaos(Random::new(seed))
    }

    /// Goes on where a schedule was left in this [`state`](Self::state).
    pub fn resume(state: u64) -> Self {
        Chaos(Random::resume(state))
    }

    /// How far it has come.
    pub fn state(self) -> u64 {
        self.0.state()
    }

    /// Whether something that is latent moves to another worker now: asked at every fork, return, block of a loop,
    /// spawn and task of a scope, and again after each that has moved. Not while a panic unwinds: user code must
    /// not run inside a destructor that runs because of it.
    pub fn moves(&mut self, is_panicking: bool) -> bool {
        !is_panicking && self.0.below(ONE_IN) == 0
    }

    /// Which worker of `count` it plays: the first of these that is free. Never worker 0, which has the seat.
    pub fn players(&mut self, count: usize) -> impl Iterator<Item = usize> + use<> {
        let start = self.0.below(count);
        (0..count).map(move |step| (start + step) % count).filter(|&player| player != 0)
    }

    /// From which end of a pool it takes a task.
    pub fn end(&mut self) -> End {
        if self.0.below(2) == 0 { End::Oldest } else { End::Newest }
    }

    /// With which of `count` pools it begins.
    pub fn pool(&mut self, count: usize) -> usize {
        self.0.below(count)
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
