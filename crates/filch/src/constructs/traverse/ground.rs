//! The common ground of those who take part in one traversal, and how one takes part.

use super::appetite::Appetite;
use super::batches::{Batch, Batches, Size};
use super::counts::TraversalCounts;
use super::worklist::{Own, Worklist};
use crate::lanes::Lanes;
use crate::strand::{Scope, Strand};
use crate::sync::{AtomicBool, AtomicUsize, Mutex, Ordering, clock, lock, try_lock};
use crate::worker::{SEARCH_NS, Spin};
use std::mem;

/// Pauses before a worker that looks for work makes room for one that has some.
const TURNS_BEFORE_YIELD: u32 = 12;

/// Whoever has taken part and found nothing doubles the number of batches that are left before the next is invited, up to this.
const MAX_BATCHES_PER_OFFER: usize = 1024;

/// How a traversal is to be run, and on what.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms {
    pub(super) batches: Batches,
    pub(super) workers: usize,
    /// In which work is shared once.
    pub(super) period_ns: u64,
    /// What a steal may cost.
    pub(super) patience_ns: u64,
    /// Whether one thread plays all workers, so that nobody else brings work while one waits for it.
    pub(super) is_chaos: bool,
}

/// One traversal.
///
/// Those who take part are tasks of one scope: the worker that has begun the traversal, and others, invited one by one while
/// batches wait and there are workers that do not take part. Who finds nothing for a while leaves, keeps no processor busy,
/// and can be invited again.
pub(super) struct Ground<T, W, M, V> {
    terms: Terms,
    lanes: Lanes<Batch<T>>,
    /// What belongs to each lane, while nobody is in it.
    owns: Box<[Mutex<Place<T, W>>]>,
    attending: AtomicUsize,
    /// Whether an invitation waits to be taken up.
    is_inviting: AtomicBool,
    /// Batches to be left before the next invitation.
    batches_per_offer: AtomicUsize,
    batches_until_offer: AtomicUsize,
    is_stopped: AtomicBool,
    has_roots: bool,
    make: M,
    visit: V,
}

enum Place<T, W> {
    /// Nobody has been here.
    New,
    Free(Box<Own<T, W>>),
    Taken,
}

impl<T, W, M, V> Ground<T, W, M, V>
where
    T: Send,
    W: Send,
    M: Fn() -> W + Sync,
    V: Fn(&mut Worklist<'_, T, W>, &mut Vec<T>) + Sync,
{
    pub(super) fn new(terms: Terms, roots: Vec<T>, make: M, visit: V) -> Self {
        let has_roots = !roots.is_empty();
        let size = Size::new(terms.batches, terms.period_ns, terms.workers);
        let size = size.of_next(size.share(roots.len()));
        Ground {
            terms,
            lanes: Lanes::new(terms.workers, Batch::cut(roots, size)),
            owns: (0..terms.workers).map(|_| Mutex::new(Place::New)).collect(),
            attending: AtomicUsize::new(0),
            is_inviting: AtomicBool::new(false),
            batches_per_offer: AtomicUsize::new(1),
            batches_until_offer: AtomicUsize::new(1),
            is_stopped: AtomicBool::new(false),
            has_roots,
            make,
            visit,
        }
    }

    /// Takes part until there seems to be nothing left to do.
    pub(super) fn take_part<'scope>(&'scope self, strand: Strand<'_>, scope: &'scope Scope<'scope, '_>) {
        // An invitation may be taken up late.
        if self.lanes.is_over() || self.is_stopped() {
            return;
        }
        // More than there are lanes, if workers take part again while they wait for something inside of a visit.
        let Some(mut seat) = Seat::take(self) else { return };
        let (lane, own) = (seat.lane, seat.own.as_deref_mut().expect("taken along"));
        let (offer, stop) = (|| self.offer(scope), || self.stop());
        let mut strand = strand;
        let mut list = Worklist::new(&self.lanes, lane, strand.reborrow(), own, &offer, &stop);
        let is_stopped = || self.is_stopped();
        let mut appetite = Appetite::new(self.terms.patience_ns, self.terms.workers);
        let mut has_worked = false;
        while let Some((batch, is_stolen)) = self.search(&mut list, lane, &mut appetite) {
            has_worked = true;
            list.counts().steals += u64::from(is_stolen);
            let mut batch = Some(batch);
            while let Some(some) = batch {
                if self.lanes.depth(lane) > 0 {
                    self.offer(scope);
                }
                list.work(some, &self.visit, &is_stopped);
                if is_stopped() {
                    return;
                }
                batch = self.lanes.get_own(lane).or_else(|| {
                    list.finish_phase();
                    self.lanes.next_or_run_dry(lane)
                });
            }
        }
        drop(list);
        seat.is_left_in_order = true;
        let discouraged = self.batches_per_offer.load(Ordering::Relaxed).saturating_mul(2).min(MAX_BATCHES_PER_OFFER);
        self.batches_per_offer.store(if has_worked { 1 } else { discouraged }, Ordering::Relaxed);
    }

    /// Looks for a batch until one is found, the traversal is over, or it has been in vain for too long.
    fn search(&self, list: &mut Worklist<'_, T, W>, lane: usize, appetite: &mut Appetite) -> Option<(Batch<T>, bool)> {
        if self.is_stopped() {
            return None;
        }
        let begin = clock::now_ns();
        appetite.now_ns = begin;
        if let found @ Some(_) = self.lanes.find(lane, |glance| appetite.is_for(glance)) {
            return found;
        }
        let mut spin = Spin::new();
        let found = loop {
            let now = clock::now_ns();
            if self.lanes.is_over() || self.is_stopped() {
                break None;
            }
            if self.terms.is_chaos || now - begin > SEARCH_NS {
                // Nobody else may be there to take what this worker had no appetite for.
                break self.lanes.find(lane, |_| true);
            }
            if spin.pause() > TURNS_BEFORE_YIELD {
                std::thread::yield_now();
            }
            appetite.now_ns = now;
            if let found @ Some(_) = self.lanes.find(lane, |glance| appetite.is_for(glance)) {
                break found;
            }
        };
        list.counts().idle_ns += clock::now_ns() - begin;
        found
    }

    /// A batch has been left: invites somebody, if it is time.
    fn offer<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>) {
        if self.attending.load(Ordering::Relaxed) >= self.terms.workers || self.is_inviting.load(Ordering::Relaxed) {
            return;
        }
        // Only a hint, so that it does not matter if two count down at the same time.
        let left = self.batches_until_offer.load(Ordering::Relaxed);
        if left > 1 {
            self.batches_until_offer.store(left - 1, Ordering::Relaxed);
            return;
        }
        self.batches_until_offer.store(self.batches_per_offer.load(Ordering::Relaxed), Ordering::Relaxed);
        if !self.is_inviting.swap(true, Ordering::Relaxed) {
            scope.spawn(move |strand| {
                self.is_inviting.store(false, Ordering::Relaxed);
                self.take_part(strand, scope);
            });
        }
    }

    fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// The workspaces, and what was counted. Items that were not visited are dropped.
    pub(super) fn finish(self) -> (Vec<W>, TraversalCounts) {
        debug_assert!(self.lanes.is_over() || self.is_stopped());
        let phases = if self.has_roots { self.lanes.phase() as u64 + 1 } else { 0 };
        let Ground { lanes, owns, make, visit, .. } = self;
        // What the user's destructors may panic in comes before there is a result, which would leak (rust issue 47949).
        drop((lanes, make, visit));
        let mut counts = TraversalCounts { phases, ..TraversalCounts::default() };
        let mut workspaces = vec![];
        for place in owns {
            if let Place::Free(own) = place.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
                counts.add(&own.counts, own.size.largest());
                workspaces.push(own.workspace);
            }
        }
        (workspaces, counts)
    }
}

/// A lane that somebody occupies. Its place is free again when this is dropped; if by a panic, the traversal is stopped.
struct Seat<'g, T, W, M, V>
where
    T: Send,
    W: Send,
    M: Fn() -> W + Sync,
    V: Fn(&mut Worklist<'_, T, W>, &mut Vec<T>) + Sync,
{
    ground: &'g Ground<T, W, M, V>,
    lane: usize,
    /// Else by a panic, or because the traversal is stopped.
    is_left_in_order: bool,
    /// None while it is being made.
    own: Option<Box<Own<T, W>>>,
}

impl<'g, T, W, M, V> Seat<'g, T, W, M, V>
where
    T: Send,
    W: Send,
    M: Fn() -> W + Sync,
    V: Fn(&mut Worklist<'_, T, W>, &mut Vec<T>) + Sync,
{
    /// A free lane, the one of this worker's own index if possible, which it may have been in before.
    fn take(ground: &'g Ground<T, W, M, V>) -> Option<Self> {
        let count = ground.terms.workers;
        let mine = crate::constructs::current_worker().unwrap_or(0);
        let (lane, place) = (0..count).map(|distance| (mine + distance) % count).find_map(|lane| {
            let mut place = try_lock(&ground.owns[lane])?;
            match mem::replace(&mut *place, Place::Taken) {
                Place::Taken => None,
                free => Some((lane, free)),
            }
        })?;
        ground.attending.fetch_add(1, Ordering::Relaxed);
        let mut seat = Seat { ground, lane, is_left_in_order: false, own: None };
        seat.own = Some(match place {
            Place::Free(own) => own,
            _ => {
                let terms = ground.terms;
                Box::new(Own::new((ground.make)(), Size::new(terms.batches, terms.period_ns, terms.workers)))
            }
        });
        Some(seat)
    }
}

impl<T, W, M, V> Drop for Seat<'_, T, W, M, V>
where
    T: Send,
    W: Send,
    M: Fn() -> W + Sync,
    V: Fn(&mut Worklist<'_, T, W>, &mut Vec<T>) + Sync,
{
    fn drop(&mut self) {
        // Whether the thread is panicking says less: the traversal may be within a destructor.
        if !self.is_left_in_order {
            self.ground.stop();
        }
        if let Some(own) = self.own.take() {
            *lock(&self.ground.owns[self.lane]) = Place::Free(own);
        }
        self.ground.attending.fetch_sub(1, Ordering::Relaxed);
    }
}
