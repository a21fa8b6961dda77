//! A [`Team`] is the workers of a pool and what they share. A [`Worker`] is what belongs to one of them.

use super::account::Account;
use super::cost_table::Costs as GuessedCosts;
use super::counters::{CounterCells, Counters};
use super::frame::{Header, Place};
use super::part_memory::PartMemoryCell;
use super::samples::Samples;
use super::sequence::SequenceCell;
use super::spare_workers::SpareWorkers;
use super::task::{GoalCell, TaskCell, TaskId, Tasks, WORKER_BITS};
use super::task_pool::Pool;
use crate::protocol::ask::{AskWord, Mailbox, Shelf, TaskPool};
use crate::protocol::ladder::{self, LadderBox};
use crate::protocol::seats::Seats;
use crate::protocol::sleep::Sleepers;
use crate::sync::parker::Parker;
use crate::sync::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering, fence, process};
use filch_policy::{Chaos, Neighbours, Random, Rules, Scheduler};
use std::any::Any;
use std::ptr;
use std::sync::{Arc, Weak};
use std::time::Duration;

/// A worker's ladder, which also holds the worker.
pub(crate) type Ladder = ladder::Ladder<Header, Worker>;

/// How many workers a team can have, including spare ones. A task's name has room for this many.
const MAX_WORKERS: usize = 1 << WORKER_BITS;

/// A worker, as others see it. It lives as long as the team, whichever thread occupies it. What only the occupant
/// writes is atomic, too, because other threads read it or the occupant changes. Only slow paths access it.
pub(crate) struct Worker {
    /// The worker's name in the team.
    pub(super) index: usize,
    /// The seat that the occupant is on. A spare worker's occupant may be on any seat.
    pub(super) seat: AtomicUsize,
    pub(super) team: Weak<Team>,
    pub(super) tasks: Tasks,
    /// The tasks that the occupant has spawned into scopes.
    pub(super) pool: Pool,
    /// Whether the worker can be asked. The occupant opens and closes it, and askers post asks.
    pub(super) ask_word: AskWord,
    /// The credit for giving. The occupant spends it.
    pub(super) gives: Account,
    /// The credit for being taken from. Thieves spend it under L.
    pub(super) takes: Account,
    /// Until when the worker counts as silent, that is, as not answering asks, in nanoseconds of the clock.
    pub(super) silent_until_ns: AtomicU64,
    /// Where the worker receives the answer to its own ask.
    pub(super) mailbox: Mailbox<Header>,
    /// The frames that the worker has left for others.
    pub(super) shelf: Shelf<Header>,
    /// What the worker's own ask wants a part of; anything if empty. The victim that accepts the ask reads it.
    pub(super) wants: TaskCell,
    /// Memory for a part of a loop. The victim that accepts this worker's ask may use it.
    pub(super) blank: PartMemoryCell,
    /// What iterations of loops are believed to cost.
    pub(super) costs: GuessedCosts,
    /// How often the worker has asked.
    pub(super) asked: AtomicU64,
    /// Whether a thread plays the worker under chaos. There are two such threads if a seat is lent.
    pub(super) is_played: AtomicBool,
    /// Where the occupant sleeps while it waits.
    pub(super) parker: Parker,
    /// The goal for parts of which the worker must be called, if it sleeps until then.
    pub(super) watches_for: GoalCell,
    pub(super) random: SequenceCell<Random>,
    pub(super) counters: CounterCells,
    pub(super) ask_times: Samples,
    pub(super) take_times: Samples,
}

impl Worker {
    fn new(index: usize, team: Weak<Team>) -> Self {
        Worker {
            index,
            seat: AtomicUsize::new(index),
            team,
            tasks: Tasks::new(index),
            pool: Pool::new(),
            ask_word: AskWord::new(),
            gives: Account::new(),
            takes: Account::new(),
            silent_until_ns: AtomicU64::new(0),
            mailbox: Mailbox::new(),
            shelf: Shelf::new(),
            wants: TaskCell::new(None),
            blank: PartMemoryCell::new(),
            costs: GuessedCosts::new(),
            asked: AtomicU64::new(0),
            is_played: AtomicBool::new(false),
            parker: Parker::new(),
            watches_for: GoalCell::new(),
            random: SequenceCell::new(Random::new(index as u64)),
            counters: CounterCells::default(),
            ask_times: Samples::new(),
            take_times: Samples::new(),
        }
    }

    /// The worker's name in the team.
    pub(crate) fn index(&self) -> usize {
        self.index
    }

    /// The innermost task that the occupant is running.
    pub(crate) fn task(&self) -> Option<TaskId> {
        self.tasks.innermost()
    }

    /// How many workers the team has, without spare ones.
    pub(crate) fn num_workers(&self) -> usize {
        self.team().ladders().len()
    }

    /// The rules of the team.
    pub(crate) fn rules(&self) -> &Rules {
        self.team().rules()
    }

    /// The seat that the occupant is on. Users know a worker by this number.
    pub(crate) fn seat(&self) -> usize {
        self.seat.load(Ordering::Relaxed)
    }

    /// Notes that the next occupant is on this seat.
    pub(super) fn sit_on(&self, seat: usize) {
        self.seat.store(seat, Ordering::Relaxed);
    }

    /// The team of this worker.
    pub(super) fn team(&self) -> &Team {
        // SAFETY: the team owns this worker, so it lives. It is complete, because workers are not used before
        // `Team::new` has returned it.
        unsafe { &*self.team.as_ptr() }
    }
}

/// Called with the payloads of panics that no caller can receive.
pub(crate) type PanicHandler = Arc<dyn Fn(Box<dyn Any + Send>) + Send + Sync>;

/// The workers of a pool, their scheduler, and the seats for runs from outside.
pub(crate) struct Team {
    pub(super) ladders: Box<[LadderBox<Header, Worker>]>,
    /// The ladders of threads that borrow a seat, work without one, or help aside.
    pub(super) spares: SpareWorkers<Header, Worker>,
    pub(super) capacity: usize,
    pub(super) scheduler: Scheduler,
    pub(super) rules: Rules,
    /// The schedule of chaos, if one thread plays all workers.
    pub(super) chaos: Option<SequenceCell<Chaos>>,
    /// For each worker the other workers, ring by ring, the nearest first. `None` if nothing is known about distances.
    pub(super) rings: Option<Vec<Vec<Vec<usize>>>>,
    pub(super) seats: Seats,
    /// The tasks that threads outside of the team have spawned.
    pub(super) foreign: Pool,
    pub(super) sleepers: Sleepers,
    /// Until when all workers count as silent, in nanoseconds of the clock. A hint, which askers write.
    pub(super) silent_until_ns: AtomicU64,
    pub(super) is_leaving: AtomicBool,
    pub(super) panic_handler: Option<PanicHandler>,
    /// The number of the process that the team belongs to.
    pub(super) generation: usize,
    /// The team that works in place of this one in children of that process. It may have an heir itself. Null until it
    /// is needed.
    pub(super) heir: AtomicPtr<Team>,
}

impl Team {
    /// Returns `None` if there is no memory for the ladders.
    pub(crate) fn new(
        workers: usize,
        capacity: usize,
        scheduler: Scheduler,
        rules: Rules,
        rings: Option<Vec<Vec<Vec<usize>>>>,
        panic_handler: Option<PanicHandler>,
    ) -> Option<Arc<Self>> {
        let team = Arc::new_cyclic(|team| {
            let worker = |index| Worker::new(index, team.clone());
            Team {
                ladders: (0..workers).map_while(|index| LadderBox::new(capacity, worker(index))).collect(),
                spares: SpareWorkers::new(),
                capacity,
                scheduler,
                rules,
                chaos: rules.chaos().map(SequenceCell::new),
                rings,
                seats: Seats::new(rules.seats(workers)),
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

    pub(crate) fn ladder(&self, index: usize) -> &Ladder {
        match self.ladders.get(index) {
            Some(ladder) => ladder,
            None => self.spares.get(index - self.ladders.len()),
        }
    }

    pub(crate) fn worker(&self, index: usize) -> &Worker {
        self.ladder(index).owner()
    }

    /// All ladders, including spare ones.
    pub(crate) fn all_ladders(&self) -> impl Iterator<Item = &Ladder> {
        self.ladders.iter().map(|ladder| &**ladder).chain(self.spares.iter())
    }

    /// The number of ladders, including spare ones.
    pub(crate) fn count(&self) -> usize {
        self.ladders.len() + self.spares.count()
    }

    /// A spare worker that no thread occupies, for a thread that is on `seat` or about to borrow it. `None` if there is
    /// none to be had.
    pub(crate) fn take_spare(&self, seat: usize) -> Option<usize> {
        let known = self.ladders.len();
        let team = &self.worker(seat).team;
        let make = |index| LadderBox::new(self.capacity, Worker::new(known + index, team.clone()));
        let spare = known + self.spares.take(MAX_WORKERS - known, make)?;
        self.worker(spare).sit_on(seat);
        // The ladder may be new.
        if self.sleepers.is_watched() {
            self.ladder(spare).watch();
        }
        Some(spare)
    }

    /// Makes a spare worker free again, because its occupant has left.
    pub(crate) fn give_back_spare(&self, spare: usize) {
        self.spares.give_back(spare - self.ladders.len());
    }

    pub(crate) fn scheduler(&self) -> &Scheduler {
        &self.scheduler
    }

    pub(crate) fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The rules as they are at this moment: workers do not take before the system has granted the barrier.
    pub(crate) fn rules_now(&self) -> Rules {
        self.rules.where_taking_is(fence::is_ready())
    }

    /// The schedule of chaos, if one thread plays all workers.
    pub(crate) fn chaos(&self) -> Option<&SequenceCell<Chaos>> {
        self.chaos.as_ref()
    }

    /// The ladders of the other workers, in the order in which `worker` visits them.
    pub(crate) fn victims<'t>(&'t self, worker: &'t Worker) -> impl Iterator<Item = &'t Ladder> {
        let seat = worker.seat();
        let rings = self.rings.as_ref().map(|rings| &rings[seat][..]);
        let neighbours = Neighbours { me: worker.index, seat, workers: self.ladders.len(), count: self.count(), rings };
        let first = |n| worker.random.with(|random| self.rules.first_of(n, random));
        neighbours.order(first).map(|victim| self.ladder(victim))
    }

    /// Where a claimed frame lies until a worker begins it: a mailbox, or a shelf. `None` if the frame was taken,
    /// because then the thief begins it at once.
    pub(super) fn given_at(&self, place: Place) -> Option<&dyn TaskPool<Header>> {
        match place {
            Place::Nowhere => None,
            Place::Mailbox(of) => Some(&self.worker(of.into()).mailbox),
            Place::Shelf(of) => Some(&self.worker(of.into()).shelf),
        }
    }

    /// Whether a frame seems to lie on a shelf. Does not take the locks.
    pub(crate) fn has_left(&self) -> bool {
        self.all_ladders().any(|ladder| !ladder.owner().shelf.is_empty())
    }

    /// All task pools.
    pub(crate) fn pools(&self) -> impl Iterator<Item = &Pool> {
        self.all_ladders().map(|ladder| &ladder.owner().pool).chain([&self.foreign])
    }

    /// The first result of `get` for the other task pools: those of the nearest workers first, the team's own pool
    /// last.
    pub(crate) fn find_in_other_pools<T>(&self, worker: &Worker, get: impl FnMut(&Pool) -> Option<T>) -> Option<T> {
        self.victims(worker).map(|ladder| &ladder.owner().pool).chain([&self.foreign]).find_map(get)
    }

    /// Whether the team belongs to a parent of this process, so that it has no threads here.
    #[inline]
    pub(crate) fn is_left_behind(&self) -> bool {
        self.generation != process::generation()
    }

    /// Must be called by a thread that waits for others of the team. Ends the process if the team is left behind,
    /// because then there are no others.
    pub(crate) fn must_have_threads(&self) {
        if self.is_left_behind() {
            process::lost();
        }
    }

    /// Tells all threads to leave once they have nothing to do.
    pub(crate) fn dismiss(&self) {
        self.is_leaving.store(true, Ordering::SeqCst);
        self.sleepers.wake_all();
    }

    pub(crate) fn is_leaving(&self) -> bool {
        self.is_leaving.load(Ordering::SeqCst)
    }

    /// Whether a run that has forked is under way.
    #[cfg(test)]
    pub(crate) fn is_active(&self) -> bool {
        self.sleepers.is_active()
    }

    pub(crate) fn panic_handler(&self) -> Option<&PanicHandler> {
        self.panic_handler.as_ref()
    }

    /// Adds how long recent asks and takes have taken.
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
            // SAFETY: `heir` has made the pointer from an `Arc`. Each user of the heir borrows this team, so there is
            // none any more.
            drop(unsafe { Arc::from_raw(heir) });
        }
    }
}
