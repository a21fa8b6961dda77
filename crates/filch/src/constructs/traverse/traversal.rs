//! A traversal, and how workers take part in it.

use super::batch::Batch;
use super::counts::TraversalCounts;
use super::invitations::{Invitations, Opened};
use super::occupancy::Places;
use super::phase_end::PhaseEnd;
use super::worklist::{Own, Worklist};
use crate::constructs::scope::Scope;
use crate::constructs::strand::Strand;
use crate::engine::seats::ambient::end_if_cancelled;
use crate::engine::seats::current;
use crate::engine::team::Occupied;
use crate::engine::team::stop::Stop;
use crate::engine::wait::rest::pause;
use crate::protocol::lanes::{Found, Lanes, Next};
use crate::sync::{Mutex, clock, lock};
use crossbeam_utils::CachePadded;
use filch_policy::traversals::{Appetite, Returns, Size};
use filch_policy::{Batches, Pauses};
use std::ops::ControlFlow;

/// The settings of a traversal, and of the pool that runs it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    pub(super) batches: Batches,
    pub(super) workers: usize,
    /// The seat of the worker that begins the traversal.
    pub(super) home: usize,
    /// Within which work is shared once.
    pub(super) period_ns: u64,
    /// How long a worker looks for more.
    pub(super) search_ns: u64,
}

/// A traversal.
///
/// The workers that take part run tasks of one scope: the worker that has begun the traversal, and workers that are
/// invited one by one while batches wait and not all workers take part. A worker that finds nothing for a while leaves,
/// so that it does not keep a processor busy. It can be invited again.
pub(super) struct Traversal<T, W, M, V, E> {
    settings: Settings,
    lanes: Lanes<Batch<T>>,
    places: Places<Own<T, W>>,
    invitations: CachePadded<Invitations>,
    stop: CachePadded<Stop>,
    has_roots: bool,
    make: M,
    visit: V,
    /// The user's action, except while it runs.
    at_phase_end: Mutex<Option<E>>,
}

impl<T, W, M, V, E> Traversal<T, W, M, V, E>
where
    T: Send,
    W: Send,
    M: Fn() -> W + Sync,
    V: Fn(&mut Worklist<'_, T, W>, &mut Vec<T>) + Sync,
    E: FnMut(PhaseEnd) -> ControlFlow<()> + Send,
{
    pub(super) fn new(settings: Settings, roots: Vec<T>, make: M, visit: V, at_phase_end: Option<E>) -> Self {
        let Settings { workers, home, .. } = settings;
        let items = roots.len();
        let size = Self::size(settings);
        let size = size.of_next(size.share(items));
        Traversal {
            settings,
            lanes: Lanes::new(workers, home, Batch::cut(roots, size), items),
            places: Places::new(workers),
            invitations: CachePadded::new(Invitations::new(workers)),
            stop: CachePadded::new(Stop::new()),
            has_roots: items > 0,
            make,
            visit,
            at_phase_end: Mutex::new(at_phase_end),
        }
    }

    fn size(settings: Settings) -> Size {
        Size::new(settings.batches, settings.period_ns, settings.workers)
    }

    /// Takes part from seat `seat`, until there seems to be nothing left to do.
    pub(super) fn take_part<'scope>(
        &'scope self,
        seat: usize,
        mut strand: Strand<'_>,
        scope: &'scope Scope<'scope, '_>,
    ) {
        // An invitation may be accepted late.
        if self.lanes.is_over() || self.is_stopped() {
            return;
        }
        let Some(mut occupancy) = self.places.take(seat) else { return };
        let (at, lane) = (strand.occupied(), occupancy.lane);
        let mut attendance = Attendance::begin(&self.invitations, &self.stop, self.settings.period_ns);
        let own = occupancy.own(|| Own::new((self.make)(), Self::size(self.settings)));
        let offer = || self.offer(lane, scope);
        let mut list = Worklist::new(&self.lanes, lane, strand.reborrow(), own, &offer, &self.stop);
        let mut appetite = Appetite::new(self.settings.period_ns, self.settings.workers);
        while let Some(found) = self.search(at, lane, &mut appetite, &mut attendance) {
            list.counts().steals += u64::from(found.is_stolen);
            // In all lanes: a phase may have begun that has left a batch in each.
            self.invite_for_what_waits(scope);
            let mut batch = Some(found.batch);
            while let Some(some) = batch {
                list.work(some, &self.visit);
                if self.is_stopped() {
                    return;
                }
                batch = self.lanes.get_own(lane).or_else(|| {
                    list.finish_phase();
                    match self.lanes.next_or_run_dry(lane) {
                        Next::Batch(batch) => Some(batch),
                        Next::Nothing => None,
                        Next::PhaseIsOver => {
                            self.end_phase();
                            None
                        }
                    }
                });
                if self.lanes.depth(lane) > 0 {
                    offer();
                }
            }
            if found.is_stolen && attendance.is_poor() && attendance.leaves_to_others() {
                break;
            }
        }
        list.counts().idle_ns += attendance.idle_ns;
        drop(list);
        drop(occupancy);
        attendance.end();
        if !self.is_stopped() {
            self.invite_for_what_waits(scope);
        }
    }

    /// Runs the user's action at the end of this phase, and begins the next one.
    fn end_phase(&self) {
        // No other worker gets here before the next phase has begun, so if there is an action, it is in its place.
        let action = lock(&self.at_phase_end).take();
        if let Some(action) = action {
            let end = PhaseEnd { phase: self.lanes.phase(), next_items: self.lanes.next_items() };
            let mut out = Out { action: Some(action), of: &self.at_phase_end };
            if out.action.as_mut().is_some_and(|action| action(end).is_break()) {
                self.stop.request();
                return;
            }
        }
        self.lanes.advance();
    }

    /// Looks for a batch. None if the traversal is over, or if the search has been unsuccessful for too long.
    fn search(
        &self,
        at: Occupied<'_>,
        lane: usize,
        appetite: &mut Appetite,
        attendance: &mut Attendance<'_>,
    ) -> Option<Found<Batch<T>>> {
        if self.is_stopped() {
            return None;
        }
        let begin = clock::now_ns();
        let first = appetite.first(begin);
        if let found @ Some(_) = self.lanes.find(lane, first, |glance| appetite.is_for(glance)) {
            return found;
        }
        let mut pauses = Pauses::default();
        let found = loop {
            let now = clock::now_ns();
            if self.lanes.is_over() || self.is_stopped() {
                break None;
            }
            if now - begin >= self.settings.search_ns {
                // There may be no other worker to take the batches for which this one has had no appetite.
                break self.lanes.find(lane, first, |_| true);
            }
            end_if_cancelled(at);
            pause(pauses.next_turns());
            if pauses.is_long() {
                std::thread::yield_now();
            }
            let first = appetite.first(now);
            if let found @ Some(_) = self.lanes.find(lane, first, |glance| appetite.is_for(glance)) {
                break found;
            }
        };
        attendance.idle_ns += clock::now_ns() - begin;
        found
    }

    /// Called when a batch has been left in lane `lane`, or still lies there.
    fn offer<'scope>(&'scope self, lane: usize, scope: &'scope Scope<'scope, '_>) {
        self.invite_if(self.lanes.depth(lane), scope);
    }

    fn invite_for_what_waits<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>) {
        let depth = self.lanes.deepest();
        if depth > 0 {
            self.invite_if(depth, scope);
        }
    }

    /// Invites a worker, if it is time to do so, for a lane where `depth` batches wait.
    fn invite_if<'scope>(&'scope self, depth: usize, scope: &'scope Scope<'scope, '_>) {
        let Some(opened) = self.invitations.open(depth) else { return };
        let invited = move |strand: Strand<'_>| {
            self.invitations.take_up();
            self.take_part(current::seat().unwrap_or(0), strand, scope);
        };
        match opened {
            Opened::Now => scope.spawn(invited),
            Opened::Later(due_ns) => scope.spawn_later(due_ns, invited),
        }
    }

    fn is_stopped(&self) -> bool {
        self.stop.is_requested()
    }

    /// Returns the workspaces and the counts. Items that were not visited are dropped.
    pub(super) fn finish(self) -> (Vec<W>, TraversalCounts) {
        debug_assert!(self.lanes.is_over() || self.is_stopped());
        let phases = if self.has_roots { self.lanes.phase() as u64 + 1 } else { 0 };
        let Traversal { lanes, places, make, visit, at_phase_end, .. } = self;
        // Destructors of the user may panic, so they run before there is a result, which would leak (rust issue 47949).
        drop((lanes, make, visit, at_phase_end));
        let mut counts = TraversalCounts { phases, ..TraversalCounts::default() };
        let mut workspaces = vec![];
        for own in places.into_owns() {
            counts.add(&own.counts, own.size.largest());
            workspaces.push(own.workspace);
        }
        (workspaces, counts)
    }
}

/// An action that has been taken out of its place to be run, because no user code runs under a lock. It returns there
/// even if it panics, and so is dropped with the traversal.
struct Out<'t, E> {
    action: Option<E>,
    of: &'t Mutex<Option<E>>,
}

impl<E> Drop for Out<'_, E> {
    fn drop(&mut self) {
        // The assignment drops nothing, because the place is empty.
        *lock(self.of) = self.action.take();
    }
}

/// A worker's participation, from here to [`end`](Self::end). If a panic prevents that call, the traversal is stopped.
struct Attendance<'t> {
    invitations: &'t Invitations,
    stop: &'t Stop,
    is_over: bool,
    /// Whether the worker is counted out.
    has_left: bool,
    begin_ns: u64,
    idle_ns: u64,
    returns: Returns,
}

impl<'t> Attendance<'t> {
    fn begin(invitations: &'t Invitations, stop: &'t Stop, period_ns: u64) -> Self {
        invitations.enter();
        let begin_ns = clock::now_ns();
        let returns = Returns::new(period_ns, begin_ns);
        Attendance { invitations, stop, is_over: false, has_left: false, begin_ns, idle_ns: 0, returns }
    }

    /// Whether the last steals, of which one is done now, were hardly worth it.
    fn is_poor(&mut self) -> bool {
        self.returns.are_poor(clock::now_ns())
    }

    /// Counts the worker out, unless nobody else would be left: whoever leaves poor steals has seen that batches wait.
    fn leaves_to_others(&mut self) -> bool {
        self.has_left = self.invitations.leave_to_others();
        if self.has_left {
            // At once, because the worker that was robbed may offer the next batch now.
            self.judge(true);
        }
        self.has_left
    }

    fn judge(&self, is_in_vain: bool) {
        let now_ns = clock::now_ns();
        let vain_ns = if is_in_vain { now_ns - self.begin_ns } else { self.idle_ns };
        self.invitations.judge(self.begin_ns, vain_ns, now_ns);
    }

    fn end(mut self) {
        if !self.has_left {
            self.judge(false);
        }
        self.is_over = true;
    }
}

impl Drop for Attendance<'_> {
    fn drop(&mut self) {
        // Not by asking whether the thread is panicking: the traversal may run inside a destructor.
        if !self.is_over {
            self.stop.request();
        }
        if !self.has_left {
            self.invitations.leave();
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::sync::{AtomicPtr, AtomicUsize, Ordering, try_lock};
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::ptr;

    type Action = fn(PhaseEnd) -> ControlFlow<()>;

    static PLACE: AtomicPtr<Mutex<Option<Action>>> = AtomicPtr::new(ptr::null_mut());
    static CALLS: AtomicUsize = AtomicUsize::new(0);

    fn action(_: PhaseEnd) -> ControlFlow<()> {
        let place = PLACE.load(Ordering::Relaxed);
        // SAFETY: the test below, the only caller, has a traversal with this field.
        let place = try_lock(unsafe { &*place }).expect("no user code runs under a lock");
        assert!(place.is_none());
        assert!(CALLS.fetch_add(1, Ordering::Relaxed) != 1, "the second call panics");
        ControlFlow::Break(())
    }

    #[test]
    fn the_action_is_out_while_it_runs_and_back_afterwards_if_by_a_panic() {
        let settings =
            Settings { batches: Batches::default(), workers: 1, home: 0, period_ns: 1_000, search_ns: 50_000 };
        let visit = |_: &mut Worklist<'_, u32, ()>, _: &mut Vec<u32>| ();
        let traversal = Traversal::new(settings, vec![1], || (), visit, Some(action as Action));
        PLACE.store((&raw const traversal.at_phase_end).cast_mut(), Ordering::Relaxed);
        for panics in [false, true, false] {
            let ended = catch_unwind(AssertUnwindSafe(|| traversal.end_phase()));
            assert_eq!(ended.is_err(), panics);
            assert!(lock(&traversal.at_phase_end).is_some());
        }
    }
}
