//! A [`Team`] is the workers of a pool and what they share. A [`Worker`] is what belongs to one of them.
//! [`Sharing`] is the seam to schedulers, which decide what leaves a ladder.
//!
//! - [`latent`]: what may leave, and how; [`beat`]: the clock of one scheduler; [`squads`]: those of another
//! - [`lifetime`]: how a team is made, and ends
//! - [`victims`]: the other workers, as one visits them; [`calls`]: how sleepers are called; [`lineage`]: which task is
//!   a part of which goal
//! - [`threads`], [`spare_workers`]; [`stop`]: what ends early; [`payload`]: of panics; [`unwinding`]; [`statistics`]

pub(crate) mod beat;
pub(crate) mod calls;
pub(crate) mod latent;
pub(crate) mod lifetime;
mod lineage;
pub(crate) mod payload;
mod spare_workers;
pub(crate) mod squads;
mod statistics;
pub(crate) mod stop;
pub(crate) mod threads;
mod unwinding;
mod victims;

use crate::engine::frame::Header;
pub(crate) use crate::engine::frame::Top;
use crate::engine::frame::costs::Costs as GuessedCosts;
use crate::engine::frame::part_memory::PartMemoryCell;
use crate::engine::frame::ready::Preparing;
use crate::engine::frame::task::{Goal, GoalCell, TaskCell, TaskId, Tasks, WORKER_BITS};
use crate::engine::frame::{OffLadder, Unbegun};
use crate::engine::meters::counters::CounterCells;
use crate::engine::meters::page::{PoolMeters, WorkerMeters};
use crate::engine::meters::samples::Samples;
use crate::engine::meters::schedule::Schedule;
use crate::engine::meters::sequence::SequenceCell;
use crate::engine::meters::{account::Account, activity::ActivityCell};
use crate::engine::profile::store::Store;
use crate::engine::spawned::binding::Binding;
use crate::engine::spawned::{OwnQueue, SpawnQueue};
use crate::engine::team::beat::{BeatCell, Beater};
use crate::engine::team::spare_workers::SpareWorkers;
use crate::engine::team::squads::Squads;
use crate::engine::team::threads::{Threads, Unawaited};
use crate::protocol::ask::{AskWord, Mailbox};
use crate::protocol::end::End;
use crate::protocol::ladder::{self, LadderBox};
use crate::protocol::marks::Marks;
use crate::protocol::reserve::Reserve;
use crate::protocol::seats::Seats;
use crate::protocol::sleep::Sleepers;
use crate::protocol::task_pool::{SharedPool, Shelf};
use crate::sync::parker::Parker;
use crate::sync::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence, process};
use filch_policy::{Random, Rules, Scheduler, becomes_patient};
pub(crate) use latent::{Latent, Leaving};
use std::sync::{Arc, OnceLock, Weak};

impl ladder::Frame for Header {
    type Owner = Worker;
}

/// A worker's ladder, which also holds the worker.
pub(crate) type Ladder = ladder::Ladder<Header>;

/// This thread occupies a ladder.
pub(crate) type Occupied<'l> = ladder::Occupied<'l, Header>;

/// A frame that this thread has pushed.
pub(crate) type Pushed<'l> = ladder::Pushed<'l, Header>;

/// A return that has found E raised.
pub(crate) type Returned<'l> = ladder::Returned<'l, Header>;

impl<'l> ladder::Occupied<'l, Header> {
    /// The spawn queue of the worker, for its occupant.
    pub(crate) fn spawned(self) -> OwnQueue<'l> {
        // SAFETY: this thread occupies the worker.
        unsafe { self.owner().spawned.owned() }
    }
}

/// How many workers a team can have, including spare ones. A task's name has room for this many.
const MAX_WORKERS: usize = 1 << WORKER_BITS;

/// A worker, as others see it. It lives as long as the team, whichever thread occupies it. What only the occupant
/// writes is atomic, too, because other threads read it or the occupant changes. Only slow paths access it.
pub(crate) struct Worker {
    /// The worker's name in the team.
    pub(crate) index: usize,
    /// The seat that the occupant is on. A spare worker's occupant may be on any seat.
    pub(crate) seat: AtomicUsize,
    pub(crate) team: Weak<Team>,
    /// Where the team is. Never changes.
    team_at: AtomicPtr<Team>,
    /// In a box: Miri visits each atomic of a worker whenever a reference to the worker is made.
    pub(crate) tasks: Box<Tasks>,
    /// The tasks that the occupant has spawned into scopes.
    pub(crate) spawned: SpawnQueue,
    /// Whether the worker can be asked. The occupant opens and closes it, and askers post asks.
    pub(crate) ask_word: AskWord,
    /// The credit for giving. The occupant spends it.
    pub(crate) gives: Account,
    /// The credit for being taken from. Thieves spend it under L.
    pub(crate) takes: Account,
    /// Until when the worker counts as silent, that is, as not answering asks, in nanoseconds of the clock.
    pub(crate) silent_until_ns: AtomicU64,
    /// Where the worker receives the answer to its own ask.
    pub(crate) mailbox: Mailbox<Header>,
    /// The frames that the worker has left for others.
    pub(crate) shelf: Box<dyn SharedPool<Unbegun>>,
    /// What the worker's own ask wants a part of; anything if empty. The victim that accepts the ask reads it.
    pub(crate) wants: TaskCell,
    /// Memory for a part of a loop. The victim that accepts this worker's ask may use it.
    pub(crate) part_memory: PartMemoryCell,
    /// What iterations of loops are believed to cost.
    pub(crate) costs: GuessedCosts,
    /// The tier of what the occupant runs, as a word; whether it has made its squad busy; and whether it waits.
    pub(crate) tier: AtomicU32,
    pub(crate) has_squad: AtomicBool,
    pub(crate) waits: AtomicBool,
    /// What the occupant is doing; and whether it works, and so returns from forks now and then.
    pub(crate) activity: &'static ActivityCell,
    pub(crate) is_busy: AtomicBool,
    /// The beat at which the worker promotes a frame, if its scheduler has beats.
    pub(crate) beat: BeatCell,
    /// How often in a row the worker's asks have been refused, and until when it does not ask.
    pub(crate) refusals: AtomicU64,
    pub(crate) asks_again_ns: AtomicU64,
    /// How often the worker has asked.
    pub(crate) asked: AtomicU64,
    /// Whether a thread plays the worker under chaos. There are two such threads if a seat is lent.
    pub(crate) is_played: AtomicBool,
    /// Whether the occupant unwinds, so that nothing leaves its ladder. Also set for a while after that.
    pub(crate) is_unwinding: AtomicBool,
    /// Whether the occupant is [preparing](crate::engine::share::prepare) a frame, or is to do so.
    pub(crate) preparing: Preparing,
    /// Where the occupant sleeps while it waits.
    pub(crate) parker: Parker,
    /// The goal for parts of which the worker must be called, if it sleeps until then.
    pub(crate) watches_for: GoalCell,
    pub(crate) random: SequenceCell<Random>,
    pub(crate) counters: &'static CounterCells,
    /// What others may see of the worker: these two, and its seat.
    pub(crate) meters: WorkerMeters,
    pub(crate) ask_times: Samples,
    pub(crate) take_times: Samples,
    pub(crate) poll_times: Samples,
    pub(crate) record: crate::decisions::Record,
}

impl Worker {
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
    pub(crate) fn sit_on(&self, seat: usize) {
        self.seat.store(seat, Ordering::Relaxed);
        self.meters.record().sit_on(seat);
    }

    /// The team of this worker.
    pub(crate) fn team(&self) -> &Team {
        // SAFETY: the team owns this worker, so it lives. It is complete, because workers are not used before
        // `Team::new` has returned it.
        unsafe { &*self.team_at.load(Ordering::Relaxed) }
    }
}

/// The seam between the engine and its schedulers: what a scheduler does where work may move. All of it is on slow
/// paths; a fork and a return that find nothing to do know no scheduler.
///
/// [`Rules`] say which workers ask or take, and whether others get latent frames at all.
pub(crate) trait Sharing: Sync {
    /// Whether `worker` would leave something at a fork, if its credit allowed it. If so, a task marks its first slot.
    fn leaves(&self, worker: &Worker) -> bool;

    /// Whether `worker`, which forks, leaves its frame for others. Spends what allows it.
    fn may_leave(&self, worker: &Worker) -> bool {
        self.leaves(worker)
    }

    /// Whether something is wanted of `worker`, so that its oldest frame has to be prepared.
    fn is_wanted(&self, worker: &Worker) -> bool {
        worker.is_asked()
    }

    /// A return has found E raised: decides what leaves, under L. Runs no user code, and does not unwind.
    fn at_return(&self, latent: Latent<'_>) -> Leaving;

    /// A frame has been removed from the shelf of `owner`, which may be empty now.
    fn at_empty_shelf(&self, owner: &Ladder) {
        let shelf = &owner.owner().shelf;
        if shelf.is_empty() && shelf.kept() > 0 {
            // The owner has more, and opens it at its next return.
            owner.raise();
        }
    }

    /// The worker at `top` has taken back its latest frame, which no other worker had begun.
    fn at_reclaim(&self, top: &Top<'_>) {
        if becomes_patient(top.owner().forks_across()) {
            top.be_patient();
        }
    }

    /// A run has forked for the first time, or a scope has got its first task.
    fn begins_activity(&self, _: &Team) {}

    // What chaos does besides.

    /// A run from outside has got its seat.
    fn begins_run(&self, _: &Team) {}

    /// A fork is about to push at `top`, which has just been opened. Returns whether it pushes there and announces
    /// nothing.
    fn at_fork(&self, _top: &Top<'_>) -> bool {
        false
    }

    /// A frame has just been popped from `top`, unless it is gone. Returns whether it is gone now.
    fn after_return(&self, _top: &Top<'_>, frame: Option<OffLadder<'_>>) -> bool {
        frame.is_none()
    }

    /// A loop, which has just popped its frame from `top`, is about to claim its next block. Returns what is left.
    fn between_blocks<'f>(&self, _top: &Top<'_>, frame: OffLadder<'f>) -> Option<OffLadder<'f>> {
        Some(frame)
    }

    /// Whether a spawn loop must call [`at_item`](Self::at_item) before it runs an item.
    fn wants_items(&self) -> bool {
        false
    }

    /// A spawn loop is about to run an item. What is left of it is on the ladder, below `top`.
    fn at_item(&self, _top: &Top<'_>) {}

    /// A thread of the team has spawned a task.
    fn at_spawn(&self, _: &Team) {}

    /// The owner of `scope` is about to run its next task.
    fn before_task(&self, _: &Team, _scope: Goal) {}
}

/// The workers of a pool, their scheduler, and the seats for runs from outside.
pub(crate) struct Team {
    pub(crate) ladders: Box<[LadderBox<Header>]>,
    /// The ladders of threads that borrow a seat, work without one, or help aside.
    pub(crate) spares: SpareWorkers<Header>,
    pub(crate) capacity: usize,
    pub(crate) scheduler: Scheduler,
    pub(crate) rules: Rules,
    /// What the scheduler does where work may move.
    pub(crate) sharing: &'static dyn Sharing,
    /// The schedule of chaos, if one thread plays all workers.
    pub(crate) chaos: Option<Schedule>,
    /// If the team records what it runs.
    pub(crate) profile: Option<Arc<Store>>,
    /// From the layout.
    pub(crate) rings: Option<Vec<Vec<Vec<usize>>>>,
    /// Who has frames on its shelf. Spare workers are not marked.
    pub(crate) shelves: Arc<Marks>,
    pub(crate) seats: Seats,
    /// Which worker each seat is for: whoever takes the seat works as that one. Changed by who holds the seat.
    pub(crate) seated: Box<[AtomicUsize]>,
    pub(crate) reserve: Reserve,
    /// How many urgent runs have found no free seat.
    pub(crate) urgent_runs: AtomicUsize,
    /// The scopes of the tasks that nobody awaits, once there has been one.
    pub(crate) detached: OnceLock<Box<dyn Unawaited>>,
    /// The tasks that only one thread of the team may run, for each thread.
    pub(crate) bound: Box<[Binding]>,
    /// The tasks that threads outside of the team have spawned.
    pub(crate) foreign: SpawnQueue,
    pub(crate) sleepers: Sleepers,
    /// From the layout.
    pub(crate) squads: Option<Squads>,
    /// Where the thread that beats sleeps, if the scheduler has beats.
    pub(crate) beater: Beater,
    /// Until when all workers count as silent, in nanoseconds of the clock. A hint, which askers write.
    pub(crate) silent_until_ns: AtomicU64,
    pub(crate) end: End,
    /// The threads of the team.
    pub(crate) threads: Threads,
    /// What others may see of the team as a whole.
    pub(crate) meters: PoolMeters,
    /// The number of the process that the team belongs to.
    pub(crate) generation: usize,
    /// The team that works in place of this one in children of that process. It may have an heir itself. Null until it
    /// is needed.
    pub(crate) heir: AtomicPtr<Team>,
}

impl Team {
    pub(crate) fn ladders(&self) -> &[LadderBox<Header>] {
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

    /// The ladder of the worker that this seat is for. A hint, unless the calling thread holds the seat.
    pub(crate) fn ladder_on(&self, seat: usize) -> &Ladder {
        self.ladder(self.seated[seat].load(Ordering::Relaxed))
    }

    /// All ladders, including spare ones.
    pub(crate) fn all_ladders(&self) -> impl Iterator<Item = &Ladder> {
        (0..self.count()).map(|index| self.ladder(index))
    }

    /// The number of ladders, including spare ones.
    pub(crate) fn count(&self) -> usize {
        self.ladders.len() + self.spares.count()
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
    pub(crate) fn chaos(&self) -> Option<&Schedule> {
        self.chaos.as_ref()
    }

    /// All spawn queues.
    pub(crate) fn spawn_queues(&self) -> impl Iterator<Item = &SpawnQueue> {
        let workers = self.count();
        (0..workers + 1).map(move |index| if index < workers { &self.worker(index).spawned } else { &self.foreign })
    }
}
