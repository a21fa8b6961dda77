//! The order in which a worker visits the others: that of [`Neighbours`] of `filch-policy`, represented as runs of
//! neighbours, so that a search can continue at the next worker of a set. The test compares the two.
//!
//! [`Neighbours`]: filch_policy::Neighbours

use crate::marks::Marks;
use crate::sockets::Sockets;
use std::ops::Range;

/// Two rings, each of which is turned, and then has a gap.
const RUNS: usize = 8;

/// An order of all workers but one.
#[derive(Default)]
pub(crate) struct Order {
    /// From which worker on, and up to which. Each worker has an order, so it is small.
    runs: [(u16, u16); RUNS],
    /// How many of them there are.
    len: u8,
}

impl Order {
    /// How `me` visits the others. `first` is given the number of workers that are equally near, and returns the one to
    /// begin with: in the own socket, and then among the others.
    pub(crate) fn of(me: usize, workers: usize, sockets: &Sockets, mut first: impl FnMut(usize) -> usize) -> Self {
        let (myself, nobody) = (me..me + 1, [0..0, 0..0, 0..0, 0..0]);
        let rings = match sockets.near(me) {
            None => [turned(0..workers, first(workers), myself), nobody],
            Some(near) => {
                // A ring leaves out this worker, or this socket, before it is turned.
                let far = workers - near.len();
                let start = place(near.start + first(near.len() - 1), &myself);
                let start_far = place(first(far), &near);
                [turned(near.clone(), start, myself), turned(0..workers, start_far, near)]
            }
        };
        let mut order = Order::default();
        for run in rings.into_iter().flatten().filter(|run| !run.is_empty()) {
            order.runs[usize::from(order.len)] = (run.start as u16, run.end as u16);
            order.len += 1;
        }
        order
    }

    /// The first of a set, in this order, among those that come after `before` others. Returns it with the number of
    /// workers that come before it.
    pub(crate) fn first_of(&self, set: &Marks, before: usize) -> Option<(usize, usize)> {
        let mut passed = 0;
        for &(start, end) in &self.runs[..usize::from(self.len)] {
            let run = usize::from(start)..usize::from(end);
            let start = run.start + before.saturating_sub(passed);
            if let Some(worker) = set.first(start..run.end) {
                return Some((passed + worker - run.start, worker));
            }
            passed += run.len();
        }
        None
    }
}

/// The worker at this place of a list of all workers without those of a gap.
fn place(place: usize, gap: &Range<usize>) -> usize {
    if place < gap.start { place } else { place + gap.len() }
}

/// The workers from `start` on, and then those before it, each without those of a gap.
fn turned(all: Range<usize>, start: usize, gap: Range<usize>) -> [Range<usize>; 4] {
    let [a, b] = without(start..all.end, &gap);
    let [c, d] = without(all.start..start, &gap);
    [a, b, c, d]
}

fn without(all: Range<usize>, gap: &Range<usize>) -> [Range<usize>; 2] {
    [all.start..all.end.min(gap.start), all.start.max(gap.end)..all.end]
        .map(|part| part.start..part.end.max(part.start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use filch_policy::{Neighbours, Random};

    #[test]
    fn it_is_the_order_of_the_policy() {
        let mut random = Random::new(1);
        for (workers, on) in [(1, 1), (2, 1), (5, 1), (100, 1), (2, 2), (6, 2), (12, 3), (100, 4), (64, 64)] {
            let sockets = Sockets::even(workers, on).expect("a multiple");
            let rings = sockets.topology(0).and_then(|topology| topology.all_rings());
            for me in 0..workers {
                let firsts = [(); 2].map(|()| random.below(1 << 20));
                let turn = || firsts.into_iter().zip(0..).map(|(first, _)| first);
                let (mut ours, mut theirs) = (turn(), turn());
                let order = Order::of(me, workers, &sockets, |equals| ours.next().expect("two rings") % equals);
                let rings = rings.as_ref().map(|rings| &rings[me][..]);
                let neighbours = Neighbours { me, seat: me, workers, count: workers, rings };
                let expected: Vec<usize> =
                    neighbours.order(|equals| theirs.next().expect("two rings") % equals).collect();
                let mut all = Marks::none(workers);
                (0..workers).for_each(|worker| all.set(worker, true));
                let found: Vec<_> = (0..workers).map_while(|before| order.first_of(&all, before)).collect();
                assert!(found.iter().map(|&(_, worker)| worker).eq(expected), "worker {me} of {workers} on {on}");
                assert!(found.iter().map(|&(before, _)| before).eq(0..workers - 1));
            }
        }
    }
}
