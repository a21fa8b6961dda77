//! What the workers of a rank do in a traversal: they visit items, and leave those of other ranks to the communication
//! thread.
//!
//! `events` is written by workers, who wake the communication thread, and emptied by it. A piece of work tells its
//! batches before its end, so that they are counted as sent before it is no longer counted as active. `tick` is written
//! by the communication thread about once in a millisecond; a worker that sees it changed sends what it has gathered,
//! so that no rank waits for items that lie here. It is relaxed, since it says nothing of other memory.

use crate::error::Failure;
use crate::portable::{Portable, Unportable, encode_all};
use filch::{Traversed, Worklist};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::Thread;

/// How many items a batch has at most: enough that the cost of a message, some microseconds, is small beside that of
/// visiting them.
const BATCH_ITEMS: usize = 1 << 12;

/// What a worker tells the communication thread.
pub(super) enum Event {
    /// Items for another rank.
    Batch(usize, Vec<u8>),
    /// A piece of work has come to its end. It has visited so many items.
    Ended(Result<u64, Failure>),
}

/// What the workers of a rank and its communication thread share.
pub(super) struct Local<O, V> {
    rank: usize,
    ranks: usize,
    owner: O,
    visit: V,
    events: Mutex<Vec<Event>>,
    tick: AtomicU64,
    /// The traversal has failed, and nothing is visited any more.
    has_failed: AtomicBool,
    communication: Thread,
}

impl<O, V> Local<O, V> {
    /// The caller is the communication thread.
    pub(super) fn new(rank: usize, ranks: usize, owner: O, visit: V) -> Self {
        let communication = std::thread::current();
        let events = Mutex::new(Vec::new());
        let (tick, has_failed) = (AtomicU64::new(0), AtomicBool::new(false));
        Local { rank, ranks, owner, visit, events, tick, has_failed, communication }
    }

    pub(super) fn events(&self) -> Vec<Event> {
        std::mem::take(&mut *self.events.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Has the workers send what they have gathered.
    pub(super) fn let_go(&self) {
        self.tick.fetch_add(1, Ordering::Relaxed);
    }

    fn tell(&self, event: Event) {
        self.events.lock().unwrap_or_else(PoisonError::into_inner).push(event);
        self.communication.unpark();
    }

    pub(super) fn fail(&self) {
        self.has_failed.store(true, Ordering::Relaxed);
    }
}

impl<O, V> Local<O, V> {
    /// Visits items on this and other workers, and what they add for this rank.
    pub(super) fn run<T>(&self, items: Vec<T>)
    where
        T: Portable + Send,
        O: Fn(&T) -> usize + Sync,
        V: Fn(&mut Outlet<'_, '_, T>, T) + Sync,
    {
        let run = || {
            let make = || Gathered { to: (0..self.ranks).map(|_| Vec::new()).collect(), tick: 0, visited: 0 };
            let Traversed { workspaces, .. } = filch::traverse(items, make, |list, item| {
                if self.has_failed.load(Ordering::Relaxed) {
                    list.stop();
                } else {
                    list.workspace().visited += 1;
                    let route = Route { local: self, owner: &self.owner };
                    (self.visit)(&mut Outlet { list, route: &route }, item);
                }
            });
            let mut visited = 0;
            for gathered in workspaces {
                visited += gathered.visited;
                for (to, items) in gathered.to.into_iter().enumerate() {
                    self.send(to, &items)?;
                }
            }
            Ok::<u64, Unportable>(visited)
        };
        let outcome = match catch_unwind(AssertUnwindSafe(run)) {
            Ok(Ok(visited)) => Ok(visited),
            Ok(Err(Unportable(text))) => Err(Failure::Unportable { about: "an item of a traversal".into(), text }),
            Err(payload) => Err(Failure::unwound(&*payload)),
        };
        self.tell(Event::Ended(outcome));
    }

    fn send<T: Portable>(&self, to: usize, items: &[T]) -> Result<(), Unportable> {
        if !items.is_empty() {
            self.tell(Event::Batch(to, bytes_of(items)?));
        }
        Ok(())
    }
}

/// What a worker has gathered for each rank, and what it has done.
pub(super) struct Gathered<T> {
    to: Vec<Vec<T>>,
    /// The tick at which all of this was last sent.
    tick: u64,
    visited: u64,
}

/// Where items go. The types of the owner function and of the visit are left out, so that users need not name them.
trait Routes<T> {
    fn push(&self, list: &mut Worklist<'_, T, Gathered<T>>, item: T);
}

struct Route<'l, O, V> {
    local: &'l Local<O, V>,
    owner: &'l O,
}

impl<T: Portable + Send, O: Fn(&T) -> usize, V> Routes<T> for Route<'_, O, V> {
    fn push(&self, list: &mut Worklist<'_, T, Gathered<T>>, item: T) {
        let (local, to) = (self.local, (self.owner)(&item));
        if to == local.rank {
            list.push(item);
            return;
        }
        assert!(to < local.ranks, "an item belongs to rank {to}, but there are only {}", local.ranks);
        let tick = local.tick.load(Ordering::Relaxed);
        let gathered = list.workspace();
        gathered.to[to].push(item);
        let is_due = gathered.tick != tick;
        if is_due || gathered.to[to].len() >= BATCH_ITEMS {
            gathered.tick = tick;
            for (rank, items) in gathered.to.iter_mut().enumerate().filter(|(rank, _)| is_due || *rank == to) {
                if let Err(error) = local.send(rank, items) {
                    panic!("an item of a traversal: {error}");
                }
                items.clear();
            }
        }
    }
}

/// What a visit of an item adds others to.
pub struct Outlet<'o, 'l, T> {
    list: &'o mut Worklist<'l, T, Gathered<T>>,
    route: &'o dyn Routes<T>,
}

impl<T> Outlet<'_, '_, T> {
    /// Adds an item, which the rank visits that owns it.
    pub fn push(&mut self, item: T) {
        self.route.push(self.list, item);
    }
}

impl<T> std::fmt::Debug for Outlet<'_, '_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Outlet").finish_non_exhaustive()
    }
}

/// Items one after the other, after their number.
pub(super) fn bytes_of<T: Portable>(items: &[T]) -> Result<Vec<u8>, Unportable> {
    let mut bytes = Vec::new();
    encode_all(items, &mut bytes)?;
    Ok(bytes)
}
