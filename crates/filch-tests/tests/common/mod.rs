//! Shared by the integration tests.
#![allow(dead_code, unreachable_pub, missing_docs, reason = "each test file uses its own part")]

use filch::{Pool, Scheduler, Strand, Topology};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

/// The variable that says which scheduler the tests are to use.
const SCHEDULER: &str = "FILCH_TEST_SCHEDULER";

/// The scheduler that the tests use: one that shares as often as it can, unless the environment names another.
pub fn scheduler() -> Scheduler {
    match std::env::var(SCHEDULER) {
        Ok(text) => text.parse().unwrap_or_else(|error| panic!("{SCHEDULER} = {text}: {error}")),
        Err(_) => Scheduler::default().with_period(Duration::ZERO),
    }
}

/// A pool that shares as often as it can.
pub fn eager_pool(workers: usize) -> Pool {
    let builder = Pool::builder().workers(workers).scheduler(scheduler());
    let builder = if scheduler().to_string().starts_with("cab") {
        // Squads of two, and one of one if the number is odd.
        let squads: Vec<usize> = (0..workers.div_ceil(2)).map(|squad| 2.min(workers - 2 * squad)).collect();
        builder.topology(Topology::of_squads(&squads))
    } else {
        builder
    };
    builder.build().expect("a small pool")
}

/// Whether a second branch starts while the first blocks: another worker takes it, and each worker is a thread. Under
/// CAB a worker leaves what another squad has, and all but the head leave large pieces.
pub fn takes() -> bool {
    let scheduler = scheduler().to_string();
    let never = ["chaos", "heartbeat", "lazy", "profile", "tascell"].iter().any(|name| scheduler.starts_with(name));
    !never && !scheduler.contains("patience=never") && !scheduler.contains("boundary")
}

/// Longer than any test here takes, on whatever machine and under whatever checker.
const FOREVER: Duration = Duration::from_secs(900);

/// Runs `f`, and fails where that would wait for ever.
pub fn must_end(f: impl FnOnce() + Send + 'static) {
    let (done, is_done) = std::sync::mpsc::channel::<()>();
    let thread = std::thread::spawn(move || {
        let _done = done;
        f();
    });
    assert_ne!(is_done.recv_timeout(FOREVER), Err(RecvTimeoutError::Timeout), "a thread waits for ever");
    if let Err(payload) = thread.join() {
        resume_unwind(payload);
    }
}

/// Calls `round` often, on one pool, since what happens depends on which worker runs what, and when. Does nothing under
/// a scheduler that never takes.
pub fn again_where_work_is_taken(workers: usize, round: impl Fn(&Pool)) {
    if !takes() {
        return;
    }
    let pool = eager_pool(workers);
    for _ in 0..if cfg!(miri) { 2 } else { 50 } {
        round(&pool);
    }
    assert_usable(&pool);
}

/// Whether a waiting worker runs only descendants of what it waits for, and another worker can run the rest.
pub fn waits_for_descendants() -> bool {
    let scheduler = scheduler().to_string();
    !scheduler.starts_with("chaos") && !scheduler.contains("wait=any")
}

/// Whether this is one of the processes of [`run_under_other_schedulers`].
pub fn is_under_another_scheduler() -> bool {
    std::env::var_os(SCHEDULER).is_some()
}

/// Whether tests do less here: this is one process of many, or everything is slow.
pub fn is_slow() -> bool {
    is_under_another_scheduler() || cfg!(filch_sanitizer = "thread")
}

/// Tasks created so far.
pub fn tasks(pool: &Pool) -> u64 {
    let counters = pool.counters();
    counters.forks_given - counters.forks_reclaimed + counters.forks_taken
}

/// The schedulers under which the tests are run, too.
#[rustfmt::skip]
const SCHEDULERS: [&str; 21] = [
    "default", "default,patience=0ns", "default,period=0ns,patience=0ns", "default,period=0ns,patience=never",
    "default,period=0ns,wait=any", "cilk5", "cilk5,period=0ns", "cilk5,period=0ns,wait=any",
    "tascell", "lazy", "heartbeat", "heartbeat,period=0ns,balancer=concurrent", "heartbeat,period=0ns,balancer=private",
    "heartbeat,period=0ns,balancer=mixed", "heartbeat,period=0ns,wait=any", "cab,boundary=3",
    "cab,boundary=4,period=0ns,patience=0ns",
    "chaos,seed=1", "chaos,seed=2", "chaos,seed=3", "chaos,seed=18446744073709551615",
];

/// The variable that says which schedulers have their turn: a number, or `all`. CI sets it to the number of the commit.
const TURN: &str = "FILCH_TEST_TURN";

/// Whether the build is one in which everything is slow, or in which another fence is all that differs.
pub const IS_VARIANT: bool = cfg!(any(filch_sanitizer = "thread", filch_fence = "real"));

/// Those of `schedulers` that have their turn: one in `many`, or all of them, but never all in a variant of the build.
pub fn in_turn(schedulers: &'static [&'static str], many: usize) -> impl Iterator<Item = &'static str> {
    let turn = std::env::var(TURN).unwrap_or_else(|_| "0".to_owned());
    let (first, many) = match turn.as_str() {
        "all" => (0, if IS_VARIANT { many } else { 1 }),
        number => (number.parse().unwrap_or_else(|error| panic!("{TURN} = {number}: {error}")), many),
    };
    schedulers.iter().copied().skip(first % many).step_by(many)
}

/// Runs the other tests of this binary under a sixth of these schedulers, others at each turn, and each in a process of
/// its own.
#[cfg(not(miri))]
pub fn run_under_other_schedulers() {
    if is_under_another_scheduler() {
        return;
    }
    // Everything is slow under the sanitizer.
    let many = if cfg!(filch_sanitizer = "thread") { 11 } else { 6 };
    for scheduler in in_turn(&SCHEDULERS, many) {
        let mut tests = std::process::Command::new(std::env::current_exe().expect("a test binary"));
        // The soak is shorter, too.
        let output = tests.env(SCHEDULER, scheduler).env("FILCH_SOAK_TAKES", "300").output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "under {scheduler}:\n{said}{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// Counts its instances, so that a leak or a double drop shows.
pub struct Counted<'a>(&'a AtomicUsize);

impl<'a> Counted<'a> {
    pub fn new(alive: &'a AtomicUsize) -> Self {
        alive.fetch_add(1, Ordering::SeqCst);
        Counted(alive)
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        let before = self.0.fetch_sub(1, Ordering::SeqCst);
        assert!(before > 0, "dropped twice");
    }
}

/// Shortens the reports of panics, for tests that expect many.
pub fn tell_panics_briefly() {
    if cfg!(any(miri, filch_sanitizer = "thread")) || is_under_another_scheduler() {
        // A single backtrace takes a checker up to half a minute.
        static BRIEF: std::sync::Once = std::sync::Once::new();
        BRIEF.call_once(|| std::panic::set_hook(Box::new(|info| eprintln!("{info}"))));
    }
}

/// The text that `f` panics with.
pub fn panic_text<R>(f: impl FnOnce() -> R) -> String {
    tell_panics_briefly();
    match catch_unwind(AssertUnwindSafe(f)) {
        Ok(_) => panic!("expected a panic"),
        Err(payload) => payload
            .downcast_ref::<&str>()
            .map(ToString::to_string)
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "a payload that is no text".to_owned()),
    }
}

/// The pool still shares work and gives right answers.
pub fn assert_usable(pool: &Pool) {
    fn sum(mut s: Strand<'_>, range: std::ops::Range<u64>) -> u64 {
        match range.end - range.start {
            0 => 0,
            1 => range.start,
            n => {
                let middle = range.start + n / 2;
                let (a, b) = s.join(|s| sum(s, range.start..middle), |s| sum(s, middle..range.end));
                a + b
            }
        }
    }
    let n = if cfg!(miri) { 8 } else { 1000 };
    assert_eq!(pool.run(|s| sum(s, 0..n)), n * (n - 1) / 2);
}

/// The n-th Fibonacci number, by a tree of joins.
pub fn fib(mut s: Strand<'_>, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = s.join(|s| fib(s, n - 1), |s| fib(s, n - 2));
    a + b
}

/// Waits until `flag`, which only grows, has reached `value`, letting others run.
pub fn await_value(flag: &AtomicUsize, value: usize) {
    while flag.load(Ordering::SeqCst) < value {
        std::thread::yield_now();
    }
}

/// Runs `f` while a task keeps one other worker busy, until `f` sets the flag that it is given.
pub fn with_another_held(pool: &Pool, f: impl FnOnce(Strand<'_>, &AtomicUsize) + Send) {
    let [held, released] = [const { AtomicUsize::new(0) }; 2];
    pool.run(|mut s| {
        s.scope(|s, scope| {
            scope.spawn(|_| {
                held.store(1, Ordering::SeqCst);
                await_value(&released, 1);
            });
            await_value(&held, 1);
            f(s, &released);
        });
    });
}

/// Waits for `task` at the end of a scope, above an older frame. The worker that `released` sets free runs the task: a
/// worker that looks for work takes tasks before frames.
pub fn await_above_an_older_frame(mut s: Strand<'_>, released: &AtomicUsize, task: impl FnOnce(Strand<'_>) + Send) {
    let begun = AtomicUsize::new(0);
    let wait = |mut s: Strand<'_>| {
        s.scope(|_, scope| {
            scope.spawn(|s| {
                begun.store(1, Ordering::SeqCst);
                task(s);
            });
            released.store(1, Ordering::SeqCst);
            await_value(&begun, 1);
        });
    };
    s.join(wait, |_| ());
}

/// Works for about `time`, without forking.
pub fn busy(time: Duration) {
    let begin = Instant::now();
    while begin.elapsed() < time {
        std::hint::spin_loop();
    }
}

/// Claims to be `Send` and `Sync`, and gives its value out on its own thread only, as published wrappers do.
pub struct SendWrapper<T> {
    value: T,
    thread: std::thread::ThreadId,
}

// SAFETY: nothing is given out on any other thread than the one that made it.
unsafe impl<T> Send for SendWrapper<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for SendWrapper<T> {}

impl<T> SendWrapper<T> {
    pub fn new(value: T) -> Self {
        SendWrapper { value, thread: std::thread::current().id() }
    }

    /// The value, on the thread that made this.
    pub fn get(&mut self) -> Option<&mut T> {
        self.is_here().then_some(&mut self.value)
    }

    /// As [`get`](Self::get), by a shared reference.
    pub fn peek(&self) -> Option<&T> {
        self.is_here().then_some(&self.value)
    }

    fn is_here(&self) -> bool {
        std::thread::current().id() == self.thread
    }
}
