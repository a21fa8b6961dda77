//! The threads of a pool: what each does from its start to its end, and who starts it.

use super::{PoolError, background, pinning};
use crate::engine::life;
use crate::engine::schedulers::heartbeat;
use crate::engine::scopes::bound;
use crate::engine::team::Team;
use crate::engine::team::payload;
use crate::engine::team::threads::{ReserveStarter, ThreadHandler};
use crate::sync::{boxed, lock};
use filch_policy::Beat;
use std::mem::take;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::{self, JoinHandle};
use std::{fmt, io};

/// What each thread of a pool drops at its end.
pub(super) type Token = Arc<AtEnd>;

/// Set when the last token is dropped.
pub(super) struct AtEnd(Arc<OnceLock<()>>);

impl Drop for AtEnd {
    fn drop(&mut self) {
        let _ = self.0.set(());
    }
}

/// Tells when all threads of a pool have ended, including those of the user's making.
pub(super) struct Ends {
    token: Option<Token>,
    all: Arc<OnceLock<()>>,
}

impl Ends {
    pub(super) fn new() -> Self {
        let all = Arc::default();
        Ends { token: Some(Arc::new(AtEnd(Arc::clone(&all)))), all }
    }

    /// For one more thread.
    pub(super) fn token(&self) -> Token {
        self.token.clone().expect("threads start before anybody waits for their ends")
    }

    /// Returns when all tokens are gone.
    pub(super) fn wait(&mut self) {
        self.token = None;
        self.all.wait();
    }
}

/// A thread of a pool that is to be started: what [`PoolBuilder::build_with`](crate::PoolBuilder::build_with) hands
/// out.
#[must_use = "the pool lacks a thread until `run` is called"]
pub struct PoolThread {
    pub(super) team: Arc<Team>,
    pub(super) worker: usize,
    pub(super) name: String,
    pub(super) stack_bytes: usize,
    /// The processor to which the thread is to be bound.
    pub(super) processor: Option<usize>,
    /// Dropped at the end of the thread, for which the pool waits.
    pub(super) ended: Token,
}

impl PoolThread {
    /// The index of the worker that the thread will work as.
    pub fn index(&self) -> usize {
        self.worker
    }

    /// The name that the settings of the pool give to the thread.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The stack size that the settings of the pool give to the thread, in bytes.
    pub fn stack_size(&self) -> usize {
        self.stack_bytes
    }

    /// Works for the pool on the calling thread, which should do nothing else. Returns when the pool has ended.
    pub fn run(self) {
        if let Some(processor) = self.processor {
            // A pool with threads of the caller's making does without.
            let _ = pinning::pin(processor);
        }
        self.work();
    }

    fn work(self) {
        // From the handler of its start to that of its end, it is a thread of the pool.
        bound::as_thread(&self.team, self.worker, || self.live());
        let PoolThread { team, ended, .. } = self;
        // What the handlers own may be dropped here, and may be the last handle of another pool.
        bound::of_a_pool(|| drop(team));
        drop(ended);
    }

    fn live(&self) {
        let (team, worker) = (&*self.team, self.worker);
        background::prepare_to_take();
        let call = |handler: &ThreadHandler| {
            // Unwind safety: nobody waits for the handler, and nothing that it may have left broken is used by code
            // that does not share it with the handler.
            let called = catch_unwind(AssertUnwindSafe(|| team.run_as(worker, &mut |_| handler(worker))));
            if let Err(payload) = called {
                payload::lose_unawaited(team, payload);
            }
        };
        team.threads.on_start.iter().for_each(call);
        life::live(team, worker, background::measure_costs);
        team.threads.on_exit.iter().for_each(call);
    }

    /// Starts the thread.
    pub(super) fn start(self) -> Result<JoinHandle<()>, PoolError> {
        let (worker, stack_bytes, processor) = (self.worker, self.stack_bytes, self.processor);
        let team = Arc::clone(&self.team);
        let is_pinned = Arc::new(OnceLock::new());
        let report = Arc::clone(&is_pinned);
        let thread = thread::Builder::new().name(self.name.clone()).stack_size(stack_bytes);
        let live = move || {
            bound::be_of_a_pool();
            let _ = report.set(processor.is_none_or(pinning::pin));
            drop(report);
            self.work();
        };
        let thread = thread.spawn(boxed(live)).map_err(|source| {
            let (number, threads) = place(&team, worker);
            PoolError::Spawn { worker, number, threads, stack_bytes, source }
        })?;
        match processor {
            Some(processor) if !is_pinned.wait() => {
                team.dismiss();
                let _ = thread.join();
                Err(PoolError::Pinning { worker, processor: Some(processor) })
            }
            _ => Ok(thread),
        }
    }

    /// Lets `spawn` start the thread.
    pub(super) fn start_by(self, spawn: &mut dyn FnMut(PoolThread) -> io::Result<()>) -> Result<(), PoolError> {
        let (worker, (number, threads)) = (self.worker, place(&self.team, self.worker));
        spawn(self).map_err(|source| PoolError::SpawnWith { worker, number, threads, source })
    }
}

/// Which of the threads of the team that of this worker is, from 1, and how many there are.
fn place(team: &Team, worker: usize) -> (usize, usize) {
    let threads = &team.threads.threads;
    (worker + 1 - threads.start, threads.len())
}

impl fmt::Debug for PoolThread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PoolThread")
            .field("index", &self.worker)
            .field("name", &self.name)
            .field("stack_size", &self.stack_bytes)
            .finish_non_exhaustive()
    }
}

/// The threads of the reserve of a pool, which are started when others block.
#[derive(Default)]
pub(super) struct ReserveThreads(Mutex<Vec<JoinHandle<()>>>);

impl ReserveThreads {
    /// What starts a thread of the reserve.
    pub(super) fn starter(self: &Arc<Self>, team: &Arc<Team>, stack_bytes: usize) -> ReserveStarter {
        let (threads, team) = (Arc::clone(self), Arc::downgrade(team));
        Box::new(move |number| {
            let Some(team) = team.upgrade() else { return false };
            let thread = thread::Builder::new().name(format!("filch-reserve-{number}")).stack_size(stack_bytes);
            let live = move || {
                bound::be_of_a_pool();
                life::live_in_reserve(&team, number, background::measure_costs);
            };
            thread.spawn(boxed(live)).map(|thread| lock(&threads.0).push(thread)).is_ok()
        })
    }

    pub(super) fn take(&self) -> Vec<JoinHandle<()>> {
        take(&mut lock(&self.0))
    }

    /// Returns when these threads, which have been told to leave, have ended.
    pub(super) fn join(&self) {
        loop {
            // What one of them has run may have started another one.
            let threads = self.take();
            if threads.is_empty() {
                return;
            }
            for thread in threads.into_iter().filter(|it| it.thread().id() != thread::current().id()) {
                let joined = thread.join();
                debug_assert!(joined.is_ok(), "a thread of the pool panicked outside of any run");
            }
        }
    }
}

/// Starts the thread that beats.
pub(super) fn start_beater(team: &Arc<Team>, beat: Beat) -> Result<JoinHandle<()>, PoolError> {
    let its_team = Arc::clone(team);
    let thread = thread::Builder::new().name("filch-beat".to_owned()).stack_size(background::STACK_BYTES);
    let live = move || {
        bound::be_of_a_pool();
        heartbeat::live(&its_team, beat);
    };
    thread.spawn(boxed(live)).map_err(|source| PoolError::SpawnBeater { source })
}
