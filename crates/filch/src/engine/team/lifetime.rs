//! How a team and its workers are made, and how a team ends.

use super::*;
use filch_policy::Tier;
use std::ptr;

/// Where the workers of a team are.
#[derive(Default)]
pub(crate) struct Layout {
    /// For each worker the other workers, ring by ring, the nearest first. `None` if nothing is known about distances.
    pub(crate) rings: Option<Vec<Vec<Vec<usize>>>>,
    /// The squads, if the scheduler has tiers and there are several.
    pub(crate) squads: Option<Squads>,
}

impl Worker {
    fn new(pool: &PoolMeters, index: usize, seat: usize, team: Weak<Team>, shelf: Shelf<Unbegun>) -> Self {
        let meters = WorkerMeters::new(pool.number(), index, seat);
        Worker {
            index,
            seat: AtomicUsize::new(seat),
            team_at: AtomicPtr::new(team.as_ptr().cast_mut()),
            team,
            tasks: Box::new(Tasks::new(index)),
            spawned: SpawnQueue::new(),
            ask_word: AskWord::new(),
            gives: Account::new(),
            takes: Account::new(),
            silent_until_ns: AtomicU64::new(0),
            mailbox: Mailbox::new(),
            shelf: Box::new(shelf),
            wants: TaskCell::new(None),
            part_memory: PartMemoryCell::new(),
            costs: GuessedCosts::new(),
            tier: AtomicU32::new(Tier::INTRA.word()),
            has_squad: AtomicBool::new(false),
            waits: AtomicBool::new(false),
            activity: &meters.record().activity,
            is_busy: AtomicBool::new(false),
            beat: BeatCell::new(),
            refusals: AtomicU64::new(0),
            asks_again_ns: AtomicU64::new(0),
            asked: AtomicU64::new(0),
            is_played: AtomicBool::new(false),
            is_unwinding: AtomicBool::new(false),
            preparing: Preparing::default(),
            parker: Parker::new(),
            watches_for: GoalCell::new(),
            random: SequenceCell::new(Random::new(index as u64)),
            counters: &meters.record().counters,
            meters,
            ask_times: Samples::new(),
            take_times: Samples::new(),
            poll_times: Samples::new(),
            record: Default::default(),
        }
    }
}

impl Team {
    /// Returns `None` if there is no memory for the ladders.
    pub(crate) fn new(
        workers: usize,
        capacity: usize,
        scheduler: Scheduler,
        rules: Rules,
        sharing: &'static dyn Sharing,
        Layout { rings, squads }: Layout,
        threads: Threads,
    ) -> Option<Arc<Self>> {
        let (seats, reserve) = (rules.seats(workers), Reserve::new(threads.most_in_reserve, workers));
        let beds = workers + reserve.most();
        let meters = PoolMeters::new(workers, seats, &scheduler);
        let team = Arc::new_cyclic(|team| {
            let shelves = Arc::new(Marks::none(workers));
            let shelf = |index| Shelf::new(rules.balancer()).marked(&shelves, index);
            let worker = |index| Worker::new(&meters, index, index, team.clone(), shelf(index));
            Team {
                ladders: (0..workers).map_while(|index| LadderBox::new(capacity, worker(index))).collect(),
                spares: SpareWorkers::new(),
                capacity,
                scheduler,
                rules,
                sharing,
                chaos: rules.chaos().map(Schedule::new),
                profile: rules.profile_leaf_ns().map(Store::new).map(Arc::new),
                rings,
                shelves: Arc::clone(&shelves),
                seats: Seats::new(seats),
                seated: (0..seats).map(AtomicUsize::new).collect(),
                reserve,
                urgent_runs: AtomicUsize::new(0),
                detached: OnceLock::new(),
                bound: (0..workers).map(|_| Binding::new()).collect(),
                foreign: SpawnQueue::new(),
                sleepers: Sleepers::new(beds, squads.as_ref().map(|squads| squads.of_each(workers, beds))),
                squads,
                beater: Beater::new(),
                silent_until_ns: AtomicU64::new(0),
                end: End::default(),
                threads,
                meters,
                generation: process::generation(),
                heir: AtomicPtr::new(ptr::null_mut()),
            }
        });
        (team.ladders.len() == workers).then_some(team)
    }

    /// A spare worker that no thread occupies, for a thread that is on `seat` or about to borrow it. `None` if there is
    /// none to be had.
    pub(crate) fn take_spare(&self, seat: usize) -> Option<usize> {
        let spare = self.spares.take(self.ladders.len(), MAX_WORKERS, |index| self.make_spare(index, seat))?;
        self.worker(spare).sit_on(seat);
        // The ladder may be new.
        self.watch_again(self.ladder(spare));
        Some(spare)
    }

    /// Puts worker `index`, which no other thread occupies, on a seat that the calling thread holds. Returns the worker
    /// that it was for.
    pub(crate) fn seat_worker(&self, index: usize, seat: usize) -> usize {
        self.worker(index).sit_on(seat);
        self.seated[seat].swap(index, Ordering::Relaxed)
    }

    /// Makes a spare worker free again, because its occupant has left.
    pub(crate) fn give_back_spare(&self, spare: usize) {
        self.spares.give_back(spare);
    }

    /// Makes the spare worker number `index`, on `seat`: others see a worker, and look for its seat, as soon as it is
    /// known. `None` if there is no memory.
    pub(crate) fn make_spare(&self, index: usize, seat: usize) -> Option<LadderBox<Header>> {
        let team = self.worker(seat).team.clone();
        let shelf = Shelf::new(self.rules.balancer());
        LadderBox::new(self.capacity, Worker::new(&self.meters, self.ladders.len() + index, seat, team, shelf))
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
    pub(crate) fn are_detached_done(&self) -> bool {
        self.detached.get().is_none_or(|detached| detached.are_done())
    }

    pub(crate) fn wake_everybody(&self) {
        self.sleepers.wake_all();
        self.beater.wake();
        self.reserve.wake_all();
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

/// A team for tests of what no scheduler decides.
#[cfg(test)]
pub(crate) fn small_team(workers: usize) -> Arc<Team> {
    let scheduler = Scheduler::default();
    let rules = Rules::new(&scheduler, filch_policy::Costs::NONE, false);
    let team = Team::new(workers, 4, scheduler, rules, &Unshared, Layout::default(), Threads::default());
    team.expect("memory for a small team")
}

#[cfg(test)]
struct Unshared;

#[cfg(test)]
impl Sharing for Unshared {
    fn leaves(&self, _: &Worker) -> bool {
        false
    }

    fn at_return(&self, _: Latent<'_>) -> Leaving {
        Leaving::default()
    }
}
