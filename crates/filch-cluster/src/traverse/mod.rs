//! Traversals on several ranks: each item is visited by the rank that owns it, and may add others.
//!
//! - [`quiescence`]: when a traversal is over; no threads, no clock
//! - [`local`]: what the workers of a rank do
//! - here: what the communication thread does

mod local;
mod quiescence;

pub use local::Outlet;

use crate::cluster::Cluster;
use crate::error::{ClusterError, Failure};
use crate::message::{Bytes, Message, Totals};
use crate::operation::Operation;
use crate::portable::{Corrupt, Portable, decode_all, whole};
use filch::Scope;
use local::{Event, Local, bytes_of};
use quiescence::{Verdict, Waves};
use std::time::{Duration, Instant};

/// How long rank 0 waits between two waves, unless the first has found nothing to do. A wave costs a message to each
/// rank and one from each.
const WAVE_PAUSE: Duration = Duration::from_millis(1);

/// How long a worker gathers items for another rank, if it does not have a full batch before.
const GATHER: Duration = Duration::from_millis(1);

/// What this rank has done in a traversal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TraversedHere {
    /// Items visited.
    pub items: u64,
    /// Batches of items sent to other ranks.
    pub batches: u64,
    /// How often rank 0 has asked all others whether they are at their end.
    pub waves: u32,
}

impl Cluster {
    /// Visits items, each at the rank that owns it, in no order. A visit may add others. All ranks must call this; it
    /// returns when no rank has an item left. `roots` are the items to begin with, each on one rank; they need not own
    /// them. `owner` must say the same on all ranks.
    ///
    /// Items for other ranks travel in batches. No rank waits for another one as long as it has items.
    ///
    /// ```
    /// use filch_cluster::Cluster;
    /// use std::sync::atomic::{AtomicU64, Ordering};
    ///
    /// // The numbers that divide 360, each at the rank that its remainder says.
    /// let counts = Cluster::loopback(3, |c| {
    ///     let found = [const { AtomicU64::new(0) }; 361];
    ///     let roots = (c.rank() == 0).then_some(360_u64);
    ///     let visit = |outlet: &mut filch_cluster::Outlet<'_, '_, u64>, n: u64| {
    ///         if found[n as usize].fetch_add(1, Ordering::Relaxed) == 0 {
    ///             [2, 3, 5].into_iter().filter(|p| n % p == 0).for_each(|p| outlet.push(n / p));
    ///         }
    ///     };
    ///     c.traverse(roots, |n| *n as usize % 3, visit)?;
    ///     c.all_reduce(&found.iter().filter(|found| found.load(Ordering::Relaxed) > 0).count(), |a, b| a + b)
    /// })?;
    /// assert_eq!(counts, [Ok(24), Ok(24), Ok(24)]);
    /// # Ok::<(), filch_cluster::ClusterError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As searches: if a rank is lost, if `owner` or `visit` panics, what is around the traversal is
    /// [cancelled](filch::CancelToken::run_here), or an item cannot be encoded or decoded, all ranks return an error
    /// that names the rank.
    pub fn traverse<T, O, V>(
        &self,
        roots: impl IntoIterator<Item = T>,
        owner: O,
        visit: V,
    ) -> Result<TraversedHere, ClusterError>
    where
        T: Portable + Send,
        O: Fn(&T) -> usize + Sync,
        V: Fn(&mut Outlet<'_, '_, T>, T) + Sync,
    {
        let (rank, ranks) = (self.rank(), self.size());
        let mut own = Vec::new();
        let mut others = (0..ranks).map(|_| Vec::new()).collect::<Vec<_>>();
        for root in roots {
            let to = owner(&root);
            if to == rank { own.push(root) } else { others[to].push(root) }
        }
        let mut state = self.ranks.state();
        let operation = Operation::begin(&mut state)?;
        let local = Local::new(rank, ranks, owner, visit);
        self.ranks.pool.scope_in_place(|scope| {
            let mut driver = Driver {
                operation,
                local: &local,
                scope,
                totals: Totals::default(),
                waves: Waves::new(ranks),
                wave_begun: None,
                gathered_since: Instant::now(),
                here: TraversedHere::default(),
            };
            let result = driver.run(own, &others);
            if result.is_err() {
                local.fail();
            }
            result.map(|()| driver.here)
        })
    }
}

struct Driver<'s, 'scope, 'env, O, V> {
    operation: Operation<'s>,
    local: &'env Local<O, V>,
    scope: &'scope Scope<'scope, 'env>,
    totals: Totals,
    /// At rank 0.
    waves: Waves,
    wave_begun: Option<Instant>,
    /// When the workers have last been told to send what they have gathered.
    gathered_since: Instant,
    here: TraversedHere,
}

impl<'env, O, V> Driver<'_, '_, 'env, O, V> {
    fn run<T>(&mut self, own: Vec<T>, others: &[Vec<T>]) -> Result<(), ClusterError>
    where
        T: Portable + Send + 'env,
        O: Fn(&T) -> usize + Sync,
        V: Fn(&mut Outlet<'_, '_, T>, T) + Sync,
    {
        self.start(own);
        for (to, items) in others.iter().enumerate().filter(|(_, items)| !items.is_empty()) {
            let bytes = bytes_of(items).map_err(|error| {
                let about = "an item of a traversal".into();
                self.operation.fail(self.operation.rank, Failure::Unportable { about, text: error.0 })
            })?;
            self.send(to, bytes)?;
        }
        loop {
            if self.gathered_since.elapsed() >= GATHER {
                self.gathered_since = Instant::now();
                self.local.let_go();
            }
            let events = self.local.events();
            let mut stirs = !events.is_empty();
            for event in events {
                match event {
                    Event::Batch(to, bytes) => self.send(to, bytes)?,
                    Event::Ended(Ok(visited)) => {
                        self.totals.active -= 1;
                        self.here.items += visited;
                    }
                    Event::Ended(Err(failure)) => return Err(self.operation.fail(self.operation.rank, failure)),
                }
            }
            for (from, message) in self.operation.hear()? {
                stirs = true;
                match message {
                    Message::Items { bytes: Bytes(bytes) } => {
                        let items = whole(&bytes, decode_all).map_err(|Corrupt(text)| {
                            self.operation.corrupt(from, "items of a traversal".into(), text)
                        })?;
                        self.totals.received += 1;
                        self.start(items);
                    }
                    Message::Wave { wave } => {
                        self.here.waves = wave;
                        self.operation.send(from, Message::Report { wave, totals: self.totals })?;
                    }
                    Message::Report { wave, totals } => {
                        let heard = self.waves.hear(from, wave, totals);
                        heard.map_err(|text| self.operation.corrupt(from, "a report".into(), text))?;
                    }
                    Message::Over => return Ok(()),
                    message => return Err(self.operation.out_of_order(from, &message)),
                }
            }
            if self.operation.rank == 0 && self.judge()? {
                return Ok(());
            }
            if stirs {
                self.operation.stirs();
            } else {
                self.operation.pause();
            }
        }
    }

    /// At rank 0: begins a wave if it is time for one. Returns whether the traversal is over.
    fn judge(&mut self) -> Result<bool, ClusterError> {
        let is_due = match self.waves.verdict() {
            None => return Ok(false),
            Some(Verdict::Over) => {
                self.operation.send_all(&Message::Over)?;
                return Ok(true);
            }
            Some(Verdict::Likely) => true,
            Some(Verdict::Busy) => self.wave_begun.is_none_or(|begun| begun.elapsed() >= WAVE_PAUSE),
        };
        // A wave while this rank has work would find that it has.
        if is_due && self.totals.active == 0 {
            self.wave_begun = Some(Instant::now());
            let wave = self.waves.begin(self.totals);
            self.here.waves = wave;
            self.operation.send_all(&Message::Wave { wave })?;
        }
        Ok(false)
    }

    fn send(&mut self, to: usize, bytes: Vec<u8>) -> Result<(), ClusterError> {
        self.totals.sent += 1;
        self.here.batches += 1;
        self.operation.send(to, Message::Items { bytes: Bytes(bytes) })
    }

    fn start<T>(&mut self, items: Vec<T>)
    where
        T: Portable + Send + 'env,
        O: Fn(&T) -> usize + Sync,
        V: Fn(&mut Outlet<'_, '_, T>, T) + Sync,
    {
        if !items.is_empty() {
            self.totals.active += 1;
            let local = self.local;
            self.scope.spawn(move |_| local.run(items));
        }
    }
}
