//! The interpreter: it carries out the decisions on virtual workers.
//!
//! - here: the state of a simulation, its loop, and a busy worker's course
//! - [`seen`]: what others see of a worker
//! - [`task`]: a worker begins a task, comes back to something, and ends the task
//! - [`victim`]: a worker notices that others want its work
//! - [`visits`]: a worker looks for work
//! - [`thief`]: it asks and takes
//! - [`rest`]: it finds nothing, and sleeps
//! - [`calls`]: it is woken
//! - [`beat`]: the thread that beats
//! - [`across`]: squads share large pieces
//! - [`affinity`]: a part goes to the workers that had it last
//! - [`touch`]: a worker begins a node that touches memory
//! - [`messages`]: what goes from one worker to another
//! - [`told`]: steps are told

mod across;
mod affinity;
mod beat;
mod calls;
mod messages;
mod rest;
mod seen;
mod task;
mod thief;
mod told;
mod touch;
mod victim;
mod visits;

use crate::affinity::Affinity;
use crate::agenda::{Agenda, NEVER};
use crate::claims::{Across, ClaimId, Claims, Place};
use crate::costs::Costs;
use crate::course::{Mark, Stop};
use crate::decisions::Decisions;
use crate::marks::Marks;
use crate::memory::Memory;
use crate::outcome::{Counts, Outcome};
use crate::program::Program;
use crate::shelf::Shelf;
use crate::sleepers::Sleepers;
use crate::sockets::Sockets;
use crate::squads::Squads;
use crate::steps::Teller;
use crate::timeline::{Recorder, Timeline};
use crate::worker::{Does, Worker};
use std::ops::ControlFlow;

/// What others have seen of a ladder, and until when it holds.
#[derive(Clone, Copy)]
struct Seen {
    until_ns: u64,
    has_frame: bool,
}

impl Seen {
    /// The ladder of a worker that does not work, until it does.
    const NOTHING: Seen = Seen { until_ns: NEVER, has_frame: false };
}

/// One run of a program on virtual workers.
pub struct Simulation<'p, D> {
    program: &'p dyn Program,
    decisions: D,
    costs: Costs,
    workers: Vec<Worker>,
    seen: Vec<Seen>,
    claims: Claims,
    sleepers: Sleepers,
    sockets: Sockets,
    squads: Option<Squads>,
    memory: Option<Memory>,
    affinity: Option<Affinity>,
    agenda: Agenda,
    now_ns: u64,
    /// The time that the actor of the present event has spent on others since the event began.
    charge_ns: u64,
    /// The time up to which the barriers of the process are paid for, and their number.
    barriers_paid_ns: u64,
    barriers: u64,
    team_silent_until_ns: u64,
    /// A superset of the workers from which others may get work by asking or taking: busy workers whose ladders have
    /// not been seen empty, and workers that keep frames.
    givers: Marks,
    /// When busy workers that have been seen empty may have a frame again.
    empty_until: Agenda,
    /// The workers that have frames on their shelves, which all see without a look at the shelf.
    has_kept: Marks,
    /// The workers that have open ones, and how many there are together.
    has_left: Marks,
    left: usize,
    /// Of the latest look for parts: which workers ran one, and which had one on their shelves.
    runs_part: Marks,
    has_left_part: Marks,
    /// Waiters that sleep and watch.
    watchers: Vec<usize>,
    have_worked: usize,
    /// The number of workers that are in a task, and the largest such number so far.
    stacks: usize,
    most_stacks: usize,
    ramp_ns: Option<u64>,
    counts: Counts,
    recorder: Option<Recorder>,
    teller: Option<Teller<'p>>,
    is_over: bool,
}

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The number of events, to which the time of a simulation is proportional.
    pub events: u64,
    /// The virtual time since the run began.
    pub now_ns: u64,
}

/// The number of events between two calls of `watch`: some milliseconds.
pub const EVENTS_PER_LOOK: u64 = 1 << 14;

/// The largest number of tasks that can be nested on one worker by helping (`crates/filch/src/engine/frame/task.rs`).
const MAX_DEPTH: usize = 64;

/// The time at which a run begins: after a period of rest, so that all credits are full.
const QUIET_NS: u64 = 1_000_000_000_000;

/// The largest number of workers, as in the runtime.
pub const MAX_WORKERS: usize = 4096;

impl<'p, D: Decisions> Simulation<'p, D> {
    /// A run on this many workers, from 1 to [`MAX_WORKERS`]. The caller is worker 0; the threads of the others sleep
    /// at first. Equal seeds give equal runs.
    ///
    /// # Panics
    ///
    /// If there is no worker.
    pub fn new(program: &'p dyn Program, decisions: D, costs: Costs, workers: usize, seed: u64) -> Self {
        assert!(workers > 0, "there is at least the caller");
        let balancer = decisions.rules().balancer();
        let mut sleepers = Sleepers::default();
        (1..workers).for_each(|thread| sleepers.announce(thread));
        sleepers.idle = workers - 1;
        let seed_of = |worker| crate::program::work::hash(seed).wrapping_add(worker as u64);
        Simulation {
            program,
            decisions,
            costs,
            workers: (0..workers).map(|worker| Worker::new(balancer, seed_of(worker))).collect(),
            seen: vec![Seen::NOTHING; workers],
            claims: Claims::default(),
            sleepers,
            sockets: Sockets::ONE,
            squads: None,
            memory: None,
            affinity: None,
            agenda: Agenda::new(workers + 1),
            now_ns: 0,
            charge_ns: 0,
            barriers_paid_ns: 0,
            barriers: 0,
            team_silent_until_ns: 0,
            givers: Marks::none(workers),
            empty_until: Agenda::new(workers),
            has_kept: Marks::none(workers),
            has_left: Marks::none(workers),
            left: 0,
            runs_part: Marks::none(workers),
            has_left_part: Marks::none(workers),
            watchers: Vec::new(),
            have_worked: 0,
            stacks: 0,
            most_stacks: 0,
            ramp_ns: None,
            counts: Counts::default(),
            recorder: None,
            teller: None,
            is_over: false,
        }
    }

    /// The same on a machine with these sockets, which are for as many workers.
    #[must_use]
    pub fn on(self, sockets: &Sockets) -> Self {
        Simulation { sockets: sockets.clone(), ..self }
    }

    /// Runs the program to its end.
    pub fn run(self) -> Outcome {
        self.run_watched(&mut |_| ControlFlow::Continue(())).expect("nothing stops it")
    }

    /// The same, and calls `watch` now and then with its progress. `None` if `watch` stops the run.
    pub fn run_watched(mut self, watch: &mut dyn FnMut(Progress) -> ControlFlow<()>) -> Option<Outcome> {
        self.run_to_end(watch)
    }

    /// Runs the program to its end, and returns in addition what each worker did when. That takes 16 KiB more of memory
    /// per worker, and for each task and each sleep as much time as it has columns.
    pub fn run_recorded(self) -> (Outcome, Timeline) {
        self.run_recorded_watched(&mut |_| ControlFlow::Continue(())).expect("nothing stops it")
    }

    /// The same, watched as by [`run_watched`](Self::run_watched).
    pub fn run_recorded_watched(
        mut self,
        watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Option<(Outcome, Timeline)> {
        self.recorder = Some(Recorder::new(self.workers.len(), QUIET_NS));
        let outcome = self.run_to_end(watch)?;
        let recorder = self.recorder.take().expect("it has just been set");
        Some((outcome, recorder.end(QUIET_NS + outcome.time_ns)))
    }

    fn run_to_end(&mut self, watch: &mut dyn FnMut(Progress) -> ControlFlow<()>) -> Option<Outcome> {
        self.now_ns = QUIET_NS;
        self.tell_begin();
        let node = self.program.root();
        let root = self.claims.add(node, 0, None, Place::Running(0), 0);
        let first = self.first_tier();
        self.claims.get_mut(root).across = Some(Across::of(first, first));
        self.begin_task(0, root, QUIET_NS);
        self.workers[0].course.mark = Some(Mark::Closed);
        self.plan(0);
        while !self.is_over {
            let (actor, now_ns) =
                self.agenda.first().expect("the program is not over, so a worker has something to do");
            (self.now_ns, self.charge_ns) = (now_ns, 0);
            self.counts.events += 1;
            if self.counts.events.is_multiple_of(EVENTS_PER_LOOK) {
                let progress = Progress { events: self.counts.events, now_ns: now_ns - QUIET_NS };
                if watch(progress).is_break() {
                    return None;
                }
            }
            self.act(actor);
        }
        Some(self.outcome(root))
    }

    fn outcome(&mut self, root: ClaimId) -> Outcome {
        let end_ns = self.workers[0].course.clock_ns;
        self.tell_end(end_ns);
        for who in 0..self.workers.len() {
            if self.workers[who].works() {
                self.note_run(who, end_ns);
            }
        }
        let tallies = || self.workers.iter().map(|worker| worker.tally);
        Outcome {
            workers: self.workers.len(),
            time_ns: end_ns - QUIET_NS,
            path_ns: self.claims.end(root).path_ns,
            busy_ns: tallies().map(|tally| tally.busy_ns).sum(),
            ramp_ns: self.ramp_ns.map(|ramp_ns| ramp_ns - QUIET_NS),
            run: self
                .workers
                .iter()
                .fold(Default::default(), |sum: crate::program::Extent, worker| sum.and(worker.course.done.extent)),
            open_claims: self.claims.open(),
            most_promotions: tallies().map(|tally| tally.promotions).max().unwrap_or(0),
            most_gifts: tallies().map(|tally| tally.gifts).max().unwrap_or(0),
            most_stacks: self.most_stacks,
            longest_poll_ns: tallies().map(|tally| tally.longest_poll_ns).max().unwrap_or(0),
            counts: self.counts,
        }
    }

    fn act(&mut self, actor: usize) {
        if actor == self.workers.len() {
            return self.beat();
        }
        match self.workers[actor].does {
            Does::Works => self.work(actor),
            Does::Looks => self.look(actor),
            Does::Visits { victim } => self.visit(actor, victim),
            Does::Asks { victim, since_ns, answer } => self.await_answer(actor, victim, since_ns, answer),
            Does::Takes { victim } => self.end_take(actor, victim),
            Does::Sleeps { watches } => self.wake_up(actor, watches, false),
            Does::Wakes { watched } => self.wake_up(actor, watched, true),
        }
    }

    /// What a worker does from now on, until this time.
    fn does(&mut self, me: usize, does: Does, until_ns: u64) {
        debug_assert!(until_ns >= self.now_ns && !self.workers[me].works(), "worker {me} cannot begin to {does:?}");
        self.workers[me].does = does;
        self.agenda.set(me, until_ns);
        self.tell_rest(me, self.here_ns());
        if let (Does::Sleeps { .. }, Some(recorder)) = (does, &mut self.recorder) {
            recorder.falls_asleep(me, self.now_ns + self.charge_ns);
        }
    }

    /// A worker has run tasks since it became busy.
    fn note_run(&mut self, who: usize, until_ns: u64) {
        let worker = &mut self.workers[who];
        worker.tally.busy_ns += until_ns - worker.busy_since_ns;
        if let Some(recorder) = &mut self.recorder {
            recorder.ran(who, worker.busy_since_ns..until_ns);
        }
    }

    /// The time of the actor, including the time that it has spent on others.
    fn here_ns(&self) -> u64 {
        self.now_ns + self.charge_ns
    }

    /// A busy worker continues, up to the next stop that concerns others.
    fn work(&mut self, me: usize) {
        let stop = self.catch_up(me);
        if stop.is_some() {
            // It may have waited for the lock of its ladder.
            let course = &mut self.workers[me].course;
            course.clock_ns = course.clock_ns.max(self.now_ns);
        }
        match stop {
            // It has been interrupted, or the size of what it runs is not known.
            None => {}
            Some(Stop::End) => return self.come_back(me),
            Some(Stop::Return) => self.attend(me),
            Some(Stop::Fork) => self.fork(me),
            Some(Stop::Touch) => self.touch(me),
        }
        self.spend_charge(me);
        self.plan(me);
    }

    /// The actor, which is busy, has spent time on others.
    fn spend_charge(&mut self, me: usize) {
        self.workers[me].course.delay(self.charge_ns);
        self.charge_ns = 0;
    }

    /// Moves a busy worker's course to the present. Returns why it stops if it has come to a stop.
    fn catch_up(&mut self, who: usize) -> Option<Stop> {
        let Worker { course, barriers_seen, .. } = &mut self.workers[who];
        course.delay((self.barriers - *barriers_seen) * self.costs.interrupt_ns);
        *barriers_seen = self.barriers;
        course.advance(self.program, self.costs.fork_ns, self.now_ns)
    }

    /// Notes in the agenda when a busy worker's course stops next. What others have seen may have changed.
    fn plan(&mut self, who: usize) {
        self.seen[who].until_ns = 0;
        if self.decisions.rules().shares_latent() {
            self.givers.set(who, true);
        }
        let worker = &mut self.workers[who];
        let stop_ns = worker.course.next_stop(self.program, self.costs.fork_ns);
        // A return waits for the lock, and continues when a thief has released it.
        self.agenda.set(who, stop_ns.max(worker.locked_until_ns).max(self.now_ns));
    }

    /// A worker does not work any more, so there is nothing on its ladder.
    fn leaves_ladder(&mut self, who: usize) {
        self.seen[who] = Seen::NOTHING;
        if self.decisions.rules().shares_latent() {
            self.givers.set(who, false);
        }
    }

    /// Whether some worker has nothing to do.
    fn is_anybody_idle(&self) -> bool {
        self.sleepers.idle > 0
    }

    /// Changes a shelf, and notes how many of its frames are open afterwards.
    fn at_shelf<R>(&mut self, who: usize, change: impl FnOnce(&mut Shelf, &Claims) -> R) -> R {
        let shelf = &mut self.workers[who].shelf;
        let before = shelf.len();
        let result = change(shelf, &self.claims);
        self.left = self.left + shelf.len() - before;
        self.has_kept.set(who, shelf.kept() > 0);
        self.has_left.set(who, !shelf.is_empty());
        if !self.decisions.rules().shares_latent() {
            self.givers.set(who, shelf.kept() > 0 && self.decisions.rules().asks());
        }
        result
    }

    /// The innermost task of a worker.
    fn task_of(&self, who: usize) -> Option<ClaimId> {
        self.workers[who].tasks.last().copied()
    }

    /// A worker that does nothing is not in the agenda.
    fn sleeps_until_called(&mut self, me: usize) {
        self.does(me, Does::Sleeps { watches: false }, NEVER);
    }
}
