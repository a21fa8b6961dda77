//! What a cell counts, and the place at which its use is plugged in.

use crate::uses::{Kind, Use};
use filch::Pool;
use std::any::Any;
use std::ops::Deref;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

/// The pools of a cell.
pub(crate) struct Pools {
    /// The pool of the row.
    pub(crate) pool: Pool,
    /// Another pool, under the same scheduler.
    pub(crate) other: Pool,
    /// A pool with a thread of its own, for what somebody must do while workers block.
    pub(crate) server: Arc<Pool>,
    /// Makes another pool like the first.
    pub(crate) build: Box<dyn Fn() -> filch::PoolBuilder + Send + Sync>,
}

/// A cell that runs.
pub(crate) struct Site {
    pub(crate) pools: Arc<Pools>,
    it: &'static Use,
    seed: u64,
    /// The call that uses it first.
    first: usize,
    draws: AtomicUsize,
    calls: AtomicUsize,
    begun: AtomicUsize,
    ended: AtomicUsize,
    thrown: AtomicUsize,
    aborted: AtomicBool,
    alive: AtomicUsize,
    /// Detached tasks that are not over.
    pub(crate) pending: Arc<AtomicUsize>,
}

/// What the uses panic with.
pub(crate) struct Thrown(#[allow(dead_code, reason = "it counts")] Token<Arc<AtomicUsize>>);

impl Site {
    pub(crate) fn new(pools: &Arc<Pools>, it: &'static Use, seed: u64, least_calls: usize) -> Self {
        let zero = || AtomicUsize::new(0);
        Site {
            pools: Arc::clone(pools),
            it,
            seed,
            first: mix(seed) as usize % least_calls.max(1),
            draws: zero(),
            calls: zero(),
            begun: zero(),
            ended: zero(),
            thrown: zero(),
            aborted: AtomicBool::new(false),
            alive: zero(),
            pending: Arc::default(),
        }
    }

    pub(crate) fn pool(&self) -> &Pool {
        &self.pools.pool
    }

    /// The callback that the row is about.
    pub(crate) fn call(&self) {
        self.call_or(&|| ());
    }

    /// The callback, for a construct that can be aborted from inside.
    pub(crate) fn call_or(&self, abort: &dyn Fn()) {
        let call = self.calls.fetch_add(1, SeqCst);
        self.pause();
        let is_chosen = call == self.first || (call > self.first && self.draw(2) == 0);
        // A panic while another one unwinds would end the process, and yielding runs nothing then.
        let may = !std::thread::panicking() || self.it.kind == Kind::Plain;
        if !is_chosen || !may || self.begun.fetch_add(1, SeqCst) >= self.it.most {
            return;
        }
        match self.it.kind {
            Kind::Panics => {
                self.thrown.fetch_add(1, SeqCst);
                resume_unwind(Box::new(Thrown(Token::new(Arc::clone(&self.pending)))));
            }
            Kind::Plain | Kind::Yields | Kind::Aborts => (self.it.run)(self),
        }
        if self.it.kind == Kind::Aborts {
            self.aborted.store(true, SeqCst);
            abort();
        }
        self.ended.fetch_add(1, SeqCst);
        self.pause();
    }

    /// Any other code of a user that a row's construct calls.
    pub(crate) fn beside(&self) {
        if !std::thread::panicking() && self.draw(8) == 0 {
            let (a, b) = filch::join(|| String::from("a"), || String::from("b"));
            assert_eq!((&*a, &*b), ("a", "b"));
        }
        self.pause();
    }

    /// Opens windows: lets some time pass, or other threads run.
    fn pause(&self) {
        match self.draw(8) {
            0 => std::thread::yield_now(),
            1 if !cfg!(miri) => (0..self.draw(2000)).for_each(|_| std::hint::spin_loop()),
            _ => {}
        }
    }

    /// A number below `below`.
    pub(crate) fn draw(&self, below: usize) -> usize {
        mix(self.seed ^ (self.draws.fetch_add(1, SeqCst) as u64) << 20) as usize % below
    }

    /// Whether the use aborts what it can.
    pub(crate) fn aborts(&self) -> bool {
        self.it.kind == Kind::Aborts
    }

    /// Whether a construct may say that it was aborted.
    pub(crate) fn is_aborted(&self) -> bool {
        self.aborted.load(SeqCst)
    }

    /// Whether the use has panicked.
    pub(crate) fn has_thrown(&self) -> bool {
        self.thrown.load(SeqCst) > 0
    }

    /// Whether there is nothing that has to end yet.
    pub(crate) fn is_over(&self) -> bool {
        self.pending.load(SeqCst) == 0 && self.alive.load(SeqCst) == 0
    }

    /// Checks what a row has left behind. `payload` is what it has panicked with.
    pub(crate) fn check(&self, may_lose: bool, payload: Option<Box<dyn Any + Send>>) {
        let thrown = self.thrown.load(SeqCst);
        if let Some(payload) = payload {
            if !payload.is::<Thrown>() {
                resume_unwind(payload);
            }
            assert_eq!(thrown, 1, "a panic of the use");
        } else if thrown > 0 {
            assert!(may_lose, "the panic of the callback is lost");
        }
        // What is detached may still be about to drop its last values. What never does is reported as a hang.
        while !self.is_over() {
            std::thread::yield_now();
        }
        let most = self.begun.load(SeqCst).min(self.it.most);
        assert_eq!(self.ended.load(SeqCst) + thrown, most, "uses that have begun");
    }

    /// What is known of a cell that hangs.
    pub(crate) fn numbers(&self) -> String {
        let [calls, begun, ended, alive, pending] =
            [&self.calls, &self.begun, &self.ended, &self.alive, &*self.pending].map(|number| number.load(SeqCst));
        format!("{calls} calls, {begun} uses begun and {ended} ended, {alive} values alive, {pending} tasks pending")
    }
}

fn mix(seed: u64) -> u64 {
    let seed = (seed ^ 0x9E37_79B9_7F4A_7C15).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let seed = (seed ^ seed >> 31).wrapping_mul(0x94D0_49BB_1331_11EB);
    (seed ^ seed >> 29) >> 8
}

/// What counts living values.
pub(crate) trait Count {
    fn count(&self) -> &AtomicUsize;
}

impl Count for Arc<AtomicUsize> {
    fn count(&self) -> &AtomicUsize {
        self
    }
}

impl Count for &Site {
    fn count(&self) -> &AtomicUsize {
        &self.alive
    }
}

impl Count for Arc<Site> {
    fn count(&self) -> &AtomicUsize {
        &self.alive
    }
}

/// A value that is dropped once.
pub(crate) struct Token<S: Count>(S);

impl<S: Count> Token<S> {
    pub(crate) fn new(site: S) -> Self {
        site.count().fetch_add(1, SeqCst);
        Token(site)
    }
}

impl<S: Count> Drop for Token<S> {
    fn drop(&mut self) {
        let before = self.0.count().fetch_sub(1, SeqCst);
        assert!(before > 0, "dropped twice");
    }
}

/// A value whose destructor is the callback.
pub(crate) struct Bomb<S: Count + Deref<Target = Site>>(Token<S>);

impl<S: Count + Deref<Target = Site>> Bomb<S> {
    pub(crate) fn new(site: S) -> Self {
        Bomb(Token::new(site))
    }
}

impl<S: Count + Deref<Target = Site>> Drop for Bomb<S> {
    fn drop(&mut self) {
        self.0.0.call();
    }
}
