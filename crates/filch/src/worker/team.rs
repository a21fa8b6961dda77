//! A team: the workers of a pool and what they share.

use super::scope::Pool;
use super::spares::{MAX_WORKERS, Spares};
use super::task::{Goal, Lineage, MAX_DEPTH, TaskId};
use super::{Counters, Header, Ladder, Worker};
use crate::ladder::LadderBox;
use crate::scheduler::{Costs, Rules, Scheduler};
use crate::seats::Seats;
use crate::sleep::Sleepers;
use crate::sync::{AtomicBool, AtomicPtr, AtomicU64, Ordering, fence, memory_fence, process};
use std::any::Any;
use std::ptr;
use std::sync::Arc;
use std::time::Duration;

/// What a pool does with a panic that nobody is left to receive.
pub(crate) type PanicHandler = Arc<dyn Fn(Box<dyn Any + Send>) + Send + Sync>;

/// The workers of a pool, their scheduler, and where runs from outside come in.
pub(crate) struct Team {
    ladders: Box<[LadderBox<Header, Worker>]>,
    /// Of those who borrow a seat, or work beside their own ladder.
    spares: Spares,
    capacity: usize,
    scheduler: Scheduler,
    rules: Rules,
    /// For each worker the others, ring by ring, the nearest first; where nothing is known, all are equally near.
    rings: Option<Vec<Vec<Vec<usize>>>>,
    pub(super) seats: Seats,
    /// Tasks that were spawned by threads which are none of the workers.
    pub(super) foreign: Pool,
    pub(super) sleepers: Sleepers,
    /// Until when workers count as such that do not answer, in nanoseconds of the clock. A hint, written by askers.
    pub(super) silent_until_ns: AtomicU64,
    is_leaving: AtomicBool,
    panic_handler: Option<PanicHandler>,
    /// The process that it belongs to.
    generation: usize,
    /// What works in its place in children of that process: one team, which may have an heir in turn. Null as long as
    /// nobody has asked for it.
    heir: AtomicPtr<Team>,
}

impl Team {
    /// `None` where there is no memory for the ladders.
    pub(crate) fn new(
        workers: usize,
        capacity: usize,
        scheduler: Scheduler,
        rules: Rules,
        rings: Option<Vec<Vec<Vec<usize>>>>,
        panic_handler: Option<PanicHandler>,
    ) -> Option<Arc<Self>> {
        // Where one thread plays all workers there is one seat.
        let seats = if rules.chaos.is_some() { 1 } else { workers };
        let team = Arc::new_cyclic(|team| {
            let worker = |index| Worker::new(index, team.clone());
            Team {
                ladders: (0..workers).map_while(|index| LadderBox::new(capacity, worker(index))).collect(),
                spares: Spares::new(),
                capacity,
                scheduler,
                rules,
                rings,
                seats: Seats::new(seats),
                foreign: Pool::new(),
                sleepers: Sleepers::new(workers),
                silent_until_ns: AtomicU64::new(0),
                is_leaving: AtomicBool::new(false),
                panic_handler,
                generation: process::generation(),
                heir: AtomicPtr::new(ptr::null_mut()),
            }
        });
        (team.ladders.len() == workers).then_some(team)
    }

    pub(crate) fn ladders(&self) -> &[LadderBox<Header, Worker>] {
        &self.ladders
    }

    pub(super) fn ladder(&self, index: usize) -> &Ladder {
        match self.ladders.get(index) {
            Some(ladder) => ladder,
            None => self.spares.get(index - self.ladders.len()),
        }
    }

    pub(super) fn worker(&self, index: usize) -> &Worker {
        self.ladder(index).owner()
    }

    /// All ladders, spare ones too.
    pub(super) fn all_ladders(&self) -> impl Iterator<Item = &Ladder> {
        self.ladders.iter().map(|ladder| &**ladder).chain(self.spares.iter())
    }

    /// How many those are.
    pub(super) fn count(&self) -> usize {
        self.ladders.len() + self.spares.count()
    }

    /// A spare worker that nobody occupies, for whoever is on `seat` or about to borrow it. `None` if there is none to
    /// be had.
    pub(super) fn take_spare(&self, seat: usize) -> Option<usize> {
        let known = self.ladders.len();
        let team = &self.worker(seat).team;
        let make = |index| LadderBox::new(self.capacity, Worker::new(known + index, team.clone()));
        let spare = known + self.spares.take(MAX_WORKERS - known, make)?;
        self.worker(spare).sit_on(seat);
        // It may be new.
        if self.sleepers.is_watched() {
            self.ladder(spare).watch();
        }
        Some(spare)
    }

    /// Its occupant has left.
    pub(super) fn give_back_spare(&self, spare: usize) {
        self.spares.give_back(spare - self.ladders.len());
    }

    pub(crate) fn scheduler(&self) -> &Scheduler {
        &self.scheduler
    }

    pub(crate) fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Whether workers take at this moment: not before the system has granted the barrier.
    pub(super) fn takes_now(&self) -> bool {
        self.rules.takes && fence::is_ready()
    }

    /// The rules as they are at this moment.
    pub(super) fn rules_now(&self) -> Rules {
        Rules { takes: self.takes_now(), ..self.rules }
    }

    /// The others, as worker `of` should visit them: the nearest first, from a random one on among those that are
    /// equally near. `dice` gives a number below its argument.
    pub(super) fn victims<'t>(
        &'t self,
        of: usize,
        dice: &'t dyn Fn(usize) -> usize,
    ) -> impl Iterator<Item = &'t Ladder> {
        let seat = self.worker(of).seat();
        let rings = self.rings.as_ref().map(|rings| &rings[seat]);
        // They are of other seats, and the ladder of this one may be another's.
        let same_seat = rings.map(|_| seat);
        let visits = (0..rings.map_or(1, Vec::len)).flat_map(move |ring| {
            let ring = rings.map(|rings| &rings[ring][..]);
            let count = ring.map_or(self.ladders.len(), <[usize]>::len);
            let start = dice(count);
            (0..count).map(move |step| {
                let place = (start + step) % count;
                ring.map_or(place, |ring| ring[place])
            })
        });
        let spares = self.ladders.len()..self.count();
        visits.chain(same_seat).chain(spares).filter(move |&victim| victim != of).map(|victim| self.ladder(victim))
    }

    /// Whether a frame lies on a shelf, at a glance.
    pub(super) fn has_left(&self) -> bool {
        self.all_ladders().any(|ladder| !ladder.owner().shelf.is_empty())
    }

    /// All task pools.
    pub(super) fn pools(&self) -> impl Iterator<Item = &Pool> {
        self.all_ladders().map(|ladder| &ladder.owner().pool).chain([&self.foreign])
    }

    /// The first of the task pools beside that of `worker`, the nearest first, where `get` finds something.
    pub(super) fn find_in_other_pools<T>(&self, worker: &Worker, get: impl FnMut(&Pool) -> Option<T>) -> Option<T> {
        // Chaos has one sequence of decisions, and no thieves.
        let dice = |n| if self.rules.chaos.is_some() { 0 } else { worker.random.below(n) };
        self.victims(worker.index, &dice).map(|ladder| &ladder.owner().pool).chain([&self.foreign]).find_map(get)
    }

    /// Whether `task` is a part of `goal`. To be believed if it is live afterwards (`task.rs`).
    pub(super) fn is_part(&self, task: TaskId, goal: Goal) -> bool {
        self.lineage(task).any(|of| of.is(goal))
    }

    /// What `task` is a part of, from its own goal on up.
    fn lineage(&self, task: TaskId) -> impl Iterator<Item = Lineage> {
        let mut next = Some(task);
        // More tasks than can run are above each other only if what is read here is out of date.
        let most = self.count() * MAX_DEPTH;
        std::iter::from_fn(move || {
            let task = next?;
            let lineage = self.worker(task.worker()).tasks.origin(task);
            next = lineage.parent;
            Some(lineage)
        })
        .take(most)
    }

    /// The workers that are in the way of `goal`: those that run a part of it, and those in the way of what these are
    /// doing inside that, if it is something else (`wait=any`).
    pub(super) fn in_the_way_of(&self, goal: Goal) -> Vec<usize> {
        let running: Vec<Vec<TaskId>> = self.all_ladders().map(|ladder| ladder.owner().tasks.all().collect()).collect();
        let mut in_the_way: Vec<usize> = Vec::new();
        let mut needed: Vec<TaskId> = Vec::new();
        loop {
            let before = needed.len();
            for (worker, tasks) in running.iter().enumerate() {
                let is_needed = |&task: &TaskId| {
                    self.is_part(task, goal)
                        || self.lineage(task).any(|of| of.parent.is_some_and(|task| needed.contains(&task)))
                };
                // That task, and what runs inside it.
                let Some(place) = tasks.iter().position(|task| needed.contains(task) || is_needed(task)) else {
                    continue;
                };
                if !in_the_way.contains(&worker) {
                    in_the_way.push(worker);
                }
                needed.extend(tasks[place..].iter().filter(|task| !needed.contains(task)).copied().collect::<Vec<_>>());
            }
            if needed.len() == before {
                return in_the_way;
            }
        }
    }

    /// Sees to it that whoever watches is called when a ladder comes to have another oldest frame.
    pub(super) fn watch(&self) {
        self.all_ladders().for_each(Ladder::watch);
    }

    /// `ladder` has something to share, or is about to: those who sleep and may have it shall look.
    pub(super) fn call_for(&self, ladder: &Ladder) {
        self.sleepers.call_for_more();
        memory_fence();
        self.call_waiters(|goal| ladder.owner().tasks.innermost().is_some_and(|task| self.is_part(task, goal)));
    }

    /// Wakes those who wait for a goal that `is_needed_for` says yes to, and watch. By one who has left a task in a
    /// pool, or has found that a ladder is watched.
    pub(super) fn call_waiters(&self, is_needed_for: impl Fn(Goal) -> bool) {
        if !self.sleepers.has_watchers() {
            return;
        }
        for ladder in self.all_ladders() {
            let worker = ladder.owner();
            if worker.watches_for.get().is_some_and(|goal| self.rules.waits_for_any || is_needed_for(goal)) {
                worker.parker.unpark();
            }
        }
    }

    /// Whether it belongs to the parent of this process, or to one before that: it has no threads here.
    #[inline]
    pub(crate) fn is_left_behind(&self) -> bool {
        self.generation != process::generation()
    }

    /// To be called by who waits for others of the team: there are none if it is left behind.
    pub(super) fn must_have_threads(&self) {
        if self.is_left_behind() {
            process::lost();
        }
    }

    /// The team to run on instead, if this one is left behind: of one worker, without threads. It may be left behind as
    /// well.
    #[cold]
    pub(crate) fn heir(&self) -> &Team {
        let mut heir = self.heir.load(Ordering::Acquire);
        if heir.is_null() {
            let scheduler = Scheduler::serial();
            let rules = Rules::new(&scheduler, Costs::NONE, false);
            let made = Team::new(1, self.capacity, scheduler, rules, None, self.panic_handler.clone());
            let made = Arc::into_raw(made.expect("there is no memory for a ladder, in a child of fork(2)")).cast_mut();
            // No lock, which a thread of this process might hold when it is forked in turn.
            heir = match self.heir.compare_exchange(heir, made, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => made,
                Err(other) => {
                    // SAFETY: made above, and nobody has seen it.
                    drop(unsafe { Arc::from_raw(made) });
                    other
                }
            };
        }
        // SAFETY: not null, and not freed before this team is.
        unsafe { &*heir }
    }

    /// Tells all threads to leave once they have nothing to do.
    pub(crate) fn dismiss(&self) {
        self.is_leaving.store(true, Ordering::SeqCst);
        self.sleepers.wake_all();
    }

    pub(super) fn is_leaving(&self) -> bool {
        self.is_leaving.load(Ordering::SeqCst)
    }

    /// Whether a run is under way that has forked.
    #[cfg(test)]
    pub(crate) fn is_active(&self) -> bool {
        self.sleepers.is_active()
    }

    pub(super) fn panic_handler(&self) -> Option<&PanicHandler> {
        self.panic_handler.as_ref()
    }

    /// Adds how long recent asks and takes took.
    pub(crate) fn add_times_to(&self, asks: &mut Vec<Duration>, takes: &mut Vec<Duration>) {
        for ladder in self.all_ladders() {
            ladder.owner().ask_times.add_to(asks);
            ladder.owner().take_times.add_to(takes);
        }
    }

    pub(crate) fn counters(&self) -> Counters {
        let mut sum = Counters::default();
        self.all_ladders().for_each(|ladder| ladder.owner().counters.add_to(&mut sum));
        sum
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        let heir = *self.heir.get_mut();
        if !heir.is_null() {
            // SAFETY: made from an `Arc` by `heir`, and nobody uses it who does not borrow this team.
            drop(unsafe { Arc::from_raw(heir) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_worker_visits_all_others_and_a_spare_one_that_of_its_seat_too() {
        let rings = vec![vec![vec![1], vec![2]], vec![vec![0], vec![2]], vec![vec![0, 1]]];
        for rings in [None, Some(rings)] {
            let scheduler = Scheduler::default();
            let rules = Rules::new(&scheduler, Costs::NONE, false);
            let team = Team::new(3, 4, scheduler, rules, rings, None).expect("a small team");
            let spares = [team.take_spare(1), team.take_spare(0)].map(|spare| spare.expect("a small ladder"));
            for of in (0..3).chain(spares) {
                let mut visited: Vec<_> = team.victims(of, &|_| 0).map(|ladder| ladder.owner().index).collect();
                visited.sort_unstable();
                let others: Vec<_> = (0..5).filter(|&other| other != of).collect();
                assert_eq!(visited, others, "by worker {of}");
            }
        }
    }
}
