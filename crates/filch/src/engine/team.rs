//! A [`Team`] is the workers of a pool and what they share. A [`Worker`] is what belongs to one of them.

use super::account::Account;
use super::beat::{BeatCell, Beater};
use super::binding::Binding;
use super::cost_table::Costs as GuessedCosts;
use super::counters::CounterCells;
use super::crew::{Crew, Unawaited};
use super::frame::{Header, Place};
use super::part_memory::PartMemoryCell;
use super::preparing::Preparing;
use super::samples::Samples;
use super::sequence::SequenceCell;
use super::sharing::Sharing;
use super::spare_workers::SpareWorkers;
use super::spawned::SpawnQueue;
use super::squads::Squads;
use super::task::{GoalCell, TaskCell, TaskId, Tasks, WORKER_BITS};
use crate::protocol::ask::{AskWord, Mailbox};
use crate::protocol::end::End;
use crate::protocol::ladder::{self, LadderBox};
use crate::protocol::marks::Marks;
use crate::protocol::seats::Seats;
use crate::protocol::sleep::Sleepers;
use crate::protocol::task_pool::{SharedPool, Shelf, TaskPool};
use crate::sync::parker::Parker;
use crate::sync::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence, process};
use filch_policy::{Chaos, Random, Rules, Scheduler, Tier};
use std::ptr;
use std::sync::{Arc, OnceLock, Weak};

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
    /// Where the team is. Never changes.
    team_at: AtomicPtr<Team>,
    pub(super) tasks: Tasks,
    /// The tasks that the occupant has spawned into scopes.
    pub(super) spawned: SpawnQueue,
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
    pub(super) left: Box<dyn SharedPool<Header>>,
    /// What the worker's own ask wants a part of; anything if empty. The victim that accepts the ask reads it.
    pub(super) wants: TaskCell,
    /// Memory for a part of a loop. The victim that accepts this worker's ask may use it.
    pub(super) part_memory: PartMemoryCell,
    /// What iterations of loops are believed to cost.
    pub(super) costs: GuessedCosts,
    /// The tier of what the occupant runs, as a word; whether it has made its squad busy; and whether it waits.
    pub(super) tier: AtomicU32,
    pub(super) has_squad: AtomicBool,
    pub(super) waits: AtomicBool,
    /// Whether the occupant works, and so returns from forks now and then.
    pub(super) is_busy: AtomicBool,
    /// The beat at which the worker promotes a frame, if its scheduler has beats.
    pub(super) beat: BeatCell,
    /// How often in a row the worker's asks have been refused, and until when it does not ask.
    pub(super) refusals: AtomicU64,
    pub(super) asks_again_ns: AtomicU64,
    /// How often the worker has asked.
    pub(super) asked: AtomicU64,
    /// Whether a thread plays the worker under chaos. There are two such threads if a seat is lent.
    pub(super) is_played: AtomicBool,
    /// Whether the occupant is [preparing](super::prepare) a frame, or is to do so.
    pub(super) preparing: Preparing,
    /// Where the occupant sleeps while it waits.
    pub(super) parker: Parker,
    /// The goal for parts of which the worker must be called, if it sleeps until then.
    pub(super) watches_for: GoalCell,
    pub(super) random: SequenceCell<Random>,
    pub(super) counters: CounterCells,
    pub(super) ask_times: Samples,
    pub(super) take_times: Samples,
    pub(super) poll_times: Samples,
    #[cfg(filch_decisions = "tested")]
    pub(super) record: crate::decisions::Record,
}

impl Worker {
    fn new(index: usize, seat: usize, team: Weak<Team>, left: Shelf<Header>) -> Self {
        Worker {
            index,
            seat: AtomicUsize::new(seat),
            team_at: AtomicPtr::new(team.as_ptr().cast_mut()),
            team,
            tasks: Tasks::new(index),
            spawned: SpawnQueue::new(),
            ask_word: AskWord::new(),
            gives: Account::new(),
            takes: Account::new(),
            silent_until_ns: AtomicU64::new(0),
            mailbox: Mailbox::new(),
            left: Box::new(left),
            wants: TaskCell::new(None),
            part_memory: PartMemoryCell::new(),
            costs: GuessedCosts::new(),
            tier: AtomicU32::new(Tier::INTRA.word()),
            has_squad: AtomicBool::new(false),
            waits: AtomicBool::new(false),
            is_busy: AtomicBool::new(false),
            beat: BeatCell::new(),
            refusals: AtomicU64::new(0),
            asks_again_ns: AtomicU64::new(0),
            asked: AtomicU64::new(0),
            is_played: AtomicBool::new(false),
            preparing: Preparing::default(),
            parker: Parker::new(),
            watches_for: GoalCell::new(),
            random: SequenceCell::new(Random::new(index as u64)),
            counters: CounterCells::default(),
            ask_times: Samples::new(),
            take_times: Samples::new(),
            poll_times: Samples::new(),
            #[cfg(filch_decisions = "tested")]
            record: Default::default(),
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
    pub(crate) fn team(&self) -> &Team {
        // SAFETY: the team owns this worker, so it lives. It is complete, because workers are not used before
        // `Team::new` has returned it.
        unsafe { &*self.team_at.load(Ordering::Relaxed) }
    }
}

/// The workers of a pool, their scheduler, and the seats for runs from outside.
pub(crate) struct Team {
    pub(super) ladders: Box<[LadderBox<Header, Worker>]>,
    /// The ladders of threads that borrow a seat, work without one, or help aside.
    pub(super) spares: SpareWorkers<Header, Worker>,
    pub(super) capacity: usize,
    pub(super) scheduler: Scheduler,
    pub(super) rules: Rules,
    /// What the scheduler does where work may move.
    pub(crate) sharing: &'static dyn Sharing,
    /// The schedule of chaos, if one thread plays all workers.
    pub(super) chaos: Option<SequenceCell<Chaos>>,
    /// For each worker the other workers, ring by ring, the nearest first. `None` if nothing is known about distances.
    pub(super) rings: Option<Vec<Vec<Vec<usize>>>>,
    /// Who has frames on its shelf. Spare workers are not marked.
    pub(super) shelves: Arc<Marks>,
    pub(super) seats: Seats,
    /// The scopes of the tasks that nobody awaits, once there has been one.
    pub(super) detached: OnceLock<Box<dyn Unawaited>>,
    /// The tasks that only one thread of the team may run, for each thread.
    pub(super) bound: Box<[Binding]>,
    /// The tasks that threads outside of the team have spawned.
    pub(super) foreign: SpawnQueue,
    pub(super) sleepers: Sleepers,
    /// The squads, if the scheduler has tiers and there are several.
    pub(super) squads: Option<Squads>,
    /// Where the thread that beats sleeps, if the scheduler has beats.
    pub(super) beater: Beater,
    /// Until when all workers count as silent, in nanoseconds of the clock. A hint, which askers write.
    pub(super) silent_until_ns: AtomicU64,
    pub(super) end: End,
    /// The threads of the team.
    pub(crate) crew: Crew,
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
        sharing: &'static dyn Sharing,
        rings: Option<Vec<Vec<Vec<usize>>>>,
        squads: Option<Squads>,
        crew: Crew,
    ) -> Option<Arc<Self>> {
        let team = Arc::new_cyclic(|team| {
            let shelves = Arc::new(Marks::none(workers));
            let shelf = |index| Shelf::new(rules.balancer()).marked(&shelves, index);
            let worker = |index| Worker::new(index, index, team.clone(), shelf(index));
            Team {
                ladders: (0..workers).map_while(|index| LadderBox::new(capacity, worker(index))).collect(),
                spares: SpareWorkers::new(),
                capacity,
                scheduler,
                rules,
                sharing,
                chaos: rules.chaos().map(SequenceCell::new),
                rings,
                shelves: Arc::clone(&shelves),
                seats: Seats::new(rules.seats(workers)),
                detached: OnceLock::new(),
                bound: (0..workers).map(|_| Binding::new()).collect(),
                foreign: SpawnQueue::new(),
                sleepers: Sleepers::new(workers, squads.as_ref().map(|squads| squads.of_each(workers))),
                squads,
                beater: Beater::new(),
                silent_until_ns: AtomicU64::new(0),
                end: End::default(),
                crew,
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
        let spare = known + self.spares.take(MAX_WORKERS - known, |index| self.make_spare(index, seat))?;
        self.worker(spare).sit_on(seat);
        // The ladder may be new.
        self.watch_again(self.ladder(spare));
        Some(spare)
    }

    /// Makes the spare worker number `index`, on `seat`: others see a worker, and look for its seat, as soon as it is
    /// known. `None` if there is no memory.
    pub(super) fn make_spare(&self, index: usize, seat: usize) -> Option<LadderBox<Header, Worker>> {
        let team = self.worker(seat).team.clone();
        let shelf = Shelf::new(self.rules.balancer());
        LadderBox::new(self.capacity, Worker::new(self.ladders.len() + index, seat, team, shelf))
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

    /// The task pool in which a claimed frame lies until a worker begins it. `None` if the frame was taken, because
    /// then the thief begins it at once.
    pub(super) fn given_at(&self, place: Place) -> Option<&dyn TaskPool<Header>> {
        match place {
            Place::Nowhere => None,
            Place::Mailbox(of) => Some(&self.worker(of.into()).mailbox),
            Place::Left(of) => Some(&*self.worker(of.into()).left),
            Place::Squad(of) => self.squads.as_ref().map(|squads| squads.pool(of.into())),
        }
    }

    /// All spawn queues.
    pub(crate) fn spawn_queues(&self) -> impl Iterator<Item = &SpawnQueue> {
        self.all_ladders().map(|ladder| &ladder.owner().spawned).chain([&self.foreign])
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

    /// Tells all threads to leave once the detached tasks are done.
    pub(crate) fn dismiss(&self) {
        self.end.dismiss(|| self.wake_everybody());
    }

    /// Whether the threads of the team leave: it has been dismissed, and its detached tasks are done.
    pub(crate) fn is_over(&self) -> bool {
        self.end.is_over(|| self.are_detached_done())
    }

    /// Whether the detached tasks are done.
    pub(super) fn are_detached_done(&self) -> bool {
        self.detached.get().is_none_or(|detached| detached.are_done())
    }

    pub(super) fn wake_everybody(&self) {
        self.sleepers.wake_all();
        self.beater.wake();
    }

    /// Whether a run that has forked is under way.
    #[cfg(test)]
    pub(crate) fn is_active(&self) -> bool {
        self.sleepers.is_active()
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
