//! The other workers, in the order of the policy ([`Neighbours`]): where a worker looks for ladders, shelves and
//! queues.
//!
//! Each order is an iterator of one method: all others of a chain of adapters would be much code for each use.

use crate::engine::spawned::SpawnQueue;
use crate::engine::team::{Ladder, Team, Worker};
use filch_policy::Neighbours;
use std::iter;

impl Team {
    /// The ladders of the other workers, in the order in which `worker` visits them.
    pub(crate) fn victims<'t>(&'t self, worker: &'t Worker) -> impl Iterator<Item = &'t Ladder> {
        let mut order = self.neighbours(worker).order(self.first_for(worker));
        iter::from_fn(move || Some(self.ladder(order.next()?)))
    }

    /// Those of them that seem to have frames on their shelves.
    pub(crate) fn shelved_victims<'t>(&'t self, worker: &'t Worker) -> impl Iterator<Item = &'t Ladder> {
        let next = |among| self.shelves.first(among);
        let mut marked = self.neighbours(worker).marked(self.first_for(worker), next);
        iter::from_fn(move || Some(self.ladder(marked.next()?)))
    }

    /// The ladders of all workers that seem to have frames on their shelves.
    pub(crate) fn shelved(&self) -> impl Iterator<Item = &Ladder> {
        let workers = self.ladders.len();
        let mut marked = self.shelves.iter(0..workers).chain(workers..self.count());
        iter::from_fn(move || Some(self.ladder(marked.next()?)))
    }

    fn neighbours<'t>(&'t self, worker: &Worker) -> Neighbours<'t> {
        let seat = worker.seat();
        let rings = self.rings.as_ref().map(|rings| &rings[seat][..]);
        Neighbours { me: worker.index, seat, workers: self.ladders.len(), count: self.count(), rings }
    }

    /// With which of some workers that are equally near a worker begins.
    fn first_for<'t>(&'t self, worker: &'t Worker) -> impl FnMut(usize) -> usize + 't {
        |n| worker.random.with(|random| self.rules.first_of(n, random))
    }

    /// The first result of `get` for the other spawn queues: those of the nearest workers first, the team's own queue
    /// last.
    pub(crate) fn find_in_other_queues<T>(
        &self,
        worker: &Worker,
        mut get: impl FnMut(&SpawnQueue) -> Option<T>,
    ) -> Option<T> {
        self.victims(worker).find_map(|ladder| get(&ladder.owner().spawned)).or_else(|| get(&self.foreign))
    }
}
