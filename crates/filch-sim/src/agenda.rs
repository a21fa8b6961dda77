//! The agenda: the virtual time at which each actor acts next.
//!
//! Each actor has one time, which usually changes before it is reached: asking a worker, taking from it or waking it
//! moves the time of that worker. A queue of events, such as `std::collections::BinaryHeap` or the crate `desque`, has
//! no way to move an event; the old one would stay in it until its time. So this is a tournament among the actors: each
//! inner node of a binary tree holds the earlier of its two children. Actors with equal times act in the order of their
//! numbers, so a simulation is deterministic.

/// An actor that does not act until another one sets its time.
pub(crate) const NEVER: u64 = u64::MAX;

/// The number of an actor is below the time at which it acts, so the earlier of two turns is the smaller number.
const ACTOR_BITS: u32 = 32;

/// The next time of each actor.
pub(crate) struct Agenda {
    /// Turns as a binary tree: node `i` has the children `2i` and `2i + 1`, and the actors are the second half.
    turns: Vec<u128>,
}

fn turn(actor: usize, time_ns: u64) -> u128 {
    u128::from(time_ns) << ACTOR_BITS | actor as u128
}

fn time_of(turn: u128) -> u64 {
    (turn >> ACTOR_BITS) as u64
}

impl Agenda {
    /// `actors` that do not act.
    pub(crate) fn new(actors: usize) -> Self {
        let mut turns: Vec<u128> = (0..2 * actors).map(|node| turn(node.saturating_sub(actors), NEVER)).collect();
        (1..actors).rev().for_each(|node| turns[node] = turns[2 * node].min(turns[2 * node + 1]));
        Agenda { turns }
    }

    /// Sets the time of an actor. Takes time logarithmic in the number of actors.
    pub(crate) fn set(&mut self, actor: usize, time_ns: u64) {
        let mut node = self.turns.len() / 2 + actor;
        let mut earlier = turn(actor, time_ns);
        self.turns[node] = earlier;
        while node > 1 {
            earlier = earlier.min(self.turns[node ^ 1]);
            node /= 2;
            if self.turns[node] == earlier {
                // Nothing changes further up.
                return;
            }
            self.turns[node] = earlier;
        }
    }

    /// The time of an actor.
    pub(crate) fn time(&self, actor: usize) -> u64 {
        time_of(self.turns[self.turns.len() / 2 + actor])
    }

    /// The actor that acts next, and when; `None` if no actor does.
    pub(crate) fn first(&self) -> Option<(usize, u64)> {
        let first = self.turns[1];
        let time_ns = time_of(first);
        (time_ns != NEVER).then_some((first as u32 as usize, time_ns))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use filch_policy::Random;

    #[test]
    fn the_earliest_is_first_and_among_equals_the_lowest_number() {
        let mut random = Random::new(1);
        for actors in [1, 2, 3, 7, 64, 65, 100] {
            let mut agenda = Agenda::new(actors);
            let mut times = vec![NEVER; actors];
            assert_eq!(agenda.first(), None);
            for _ in 0..1_000 {
                let (actor, time_ns) = (random.below(actors), [5, 6, 7, NEVER][random.below(4)]);
                agenda.set(actor, time_ns);
                times[actor] = time_ns;
                let first = (0..actors).min_by_key(|&actor| times[actor]).filter(|&actor| times[actor] != NEVER);
                assert_eq!(agenda.first(), first.map(|actor| (actor, times[actor])));
                assert_eq!(agenda.time(actor), time_ns);
            }
        }
    }
}
