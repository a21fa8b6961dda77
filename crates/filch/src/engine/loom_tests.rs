//! Loom tests of the squads of CAB and of the beat. `cargo xtask loom` runs them, and checks that they reject the
//! mutants.

use crate::engine::frame::{FrameKind, Header, Top, Unbegun};
use crate::engine::meters::samples::Samples;
use crate::engine::team::beat::BeatCell;
use crate::engine::team::squads::Squads;
use crate::sync::cell::Plain;
use crate::sync::{AtomicUsize, Ordering};
use filch_policy::topology::Topology;
use filch_policy::{Beat, Scheduler};
use loom::sync::Arc;
use loom::thread;
use std::ptr::NonNull;
use std::time::Duration;

fn check(preemptions: usize, test: impl Fn() + Sync + Send + 'static) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(preemptions);
    model.check(test);
}

fn beside<S: Send + Sync + 'static, R: 'static>(
    shared: &Arc<S>,
    f: impl Fn(&S) -> R + Send + 'static,
) -> thread::JoinHandle<R> {
    let shared = Arc::clone(shared);
    thread::spawn(move || f(&shared))
}

// Squads.

unsafe fn never(_: NonNull<Header>, _: Top<'_>) {
    unreachable!("these tests run what they have got themselves")
}

static TASK: FrameKind = FrameKind { run: never, divide: None, prepare: None };

/// The squad that forks inter-socket tasks, and the squad that gets them.
const FROM: usize = 0;
const TO: usize = 1;

/// The inter-socket tasks of a worker, and two squads.
struct Across<const TASKS: usize> {
    squads: Squads,
    tasks: [Header; TASKS],
    runs: [AtomicUsize; TASKS],
    /// What a squad has in its cache. A squad works on one task that it has got, so no two threads are here at once.
    caches: [Plain<u32>; 2],
}

// SAFETY: the tasks are only named by their addresses. Loom watches over the caches.
unsafe impl<const TASKS: usize> Sync for Across<TASKS> {}
// SAFETY: for the same reason as `Sync`.
unsafe impl<const TASKS: usize> Send for Across<TASKS> {}

impl<const TASKS: usize> Across<TASKS> {
    fn new() -> Self {
        let topology: Topology = "1+2".parse().unwrap();
        Across {
            squads: Squads::new(topology.squads(), 2).expect("there are several"),
            tasks: std::array::from_fn(|_| Header::new(&TASK)),
            runs: std::array::from_fn(|_| AtomicUsize::new(0)),
            caches: [(); 2].map(|()| Plain::new(0)),
        }
    }

    fn run(&self, task: NonNull<Header>) {
        let is_it = |other: &Header| NonNull::from(other) == task;
        let number = self.tasks.iter().position(is_it).expect("one of those that were put in");
        assert_eq!(self.runs[number].fetch_add(1, Ordering::Relaxed), 0, "a task runs once");
    }

    /// What `Thief::visit_across` does: a worker of a squad that is not busy gets a task and runs it.
    fn head(&self) {
        if !self.squads.has_any() || !self.squads.begin(TO) {
            return;
        }
        if let Some(task) = self.squads.get(TO, 0, &|_| true) {
            self.caches[TO].update(|cache| *cache += 1);
            self.run(task.into_inner());
        }
        self.squads.end(TO);
    }

    /// What forks do: they leave their tasks in the pool of the squad, and take back those that nobody has begun.
    fn owner(&self) {
        for task in &self.tasks {
            // SAFETY: the task lives until the end of the test, which does not look at its claim.
            self.squads.put(FROM, unsafe { Unbegun::of(NonNull::from(task)) });
        }
        for task in self.tasks.iter().rev() {
            if self.squads.pool(FROM).reclaim(NonNull::from(task)) {
                self.run(NonNull::from(task));
            }
        }
    }

    /// What holds in the end, when nobody waits.
    fn over(&self) {
        assert!(self.runs.iter().all(|runs| runs.load(Ordering::Relaxed) == 1), "every task has run");
        assert!(!self.squads.has_any());
        assert!((0..2).all(|squad| self.squads.begin(squad)), "no squad is busy");
    }
}

/// Two workers of a squad take themselves for its head, which is a hint.
#[test]
fn a_squad_works_on_one_inter_socket_task_and_each_runs_once() {
    check(2, || {
        let across = Arc::new(Across::<2>::new());
        let heads = [(); 2].map(|()| beside(&across, Across::head));
        across.owner();
        heads.into_iter().for_each(|head| head.join().unwrap());
        across.over();
    });
}

/// The worker comes twice: the second time its squad is free again.
#[test]
fn a_squad_is_free_when_its_task_is_done_and_when_there_was_none() {
    check(3, || {
        let across = Arc::new(Across::<1>::new());
        let head = beside(&across, |across| {
            across.head();
            across.head();
        });
        across.owner();
        head.join().unwrap();
        across.over();
    });
}

// The beat.

struct Beating {
    cell: BeatCell,
    polls: Samples,
}

fn beating() -> Arc<Beating> {
    Arc::new(Beating { cell: BeatCell::new(), polls: Samples::new() })
}

/// The beat of heartbeat scheduling with this period.
fn beat(period_ns: u64) -> Beat {
    let scheduler = Scheduler::heartbeat().with_period(Duration::from_nanos(period_ns));
    filch_policy::Rules::new(&scheduler, filch_policy::Costs::ASSUMED, true).beat().expect("it has beats")
}

#[test]
fn a_beat_that_is_given_is_taken_once_or_is_still_there() {
    check(3, || {
        let beating = beating();
        let worker = beside(&beating, |beating| {
            (1..=2).filter(|&now_ns| beating.cell.take(now_ns, true, &beating.polls)).count()
        });
        let given = (1..=2).filter(|&now_ns| beating.cell.give(beat(0), now_ns)).count();
        let taken = worker.join().unwrap();
        assert_eq!(given, taken + usize::from(beating.cell.is_given()));
    });
}

/// The worker notices a beat late, just before the next one would be due if it had noticed at once.
#[test]
fn beats_are_taken_a_period_apart_even_if_they_are_noticed_late() {
    const PERIOD_NS: u64 = 100;
    loom::model(|| {
        let beating = beating();
        assert!(beating.cell.give(beat(PERIOD_NS), 100));
        let worker = beside(&beating, |beating| {
            [195, 201].into_iter().filter(|&at| beating.cell.take(at, true, &beating.polls)).collect::<Vec<u64>>()
        });
        let clock = beside(&beating, |beating| _ = beating.cell.give(beat(PERIOD_NS), 200));
        clock.join().unwrap();
        let taken = worker.join().unwrap();
        assert!(taken.windows(2).all(|pair| pair[1] - pair[0] >= PERIOD_NS), "{taken:?}");
    });
}

/// The worker forks while the thread that beats looks: one of them has the beat that is due.
#[test]
fn a_beat_that_is_due_is_given_or_spent() {
    loom::model(|| {
        let beating = beating();
        let worker = beside(&beating, |beating| {
            usize::from(beating.cell.take(200, true, &beating.polls)) + usize::from(beating.cell.spend(beat(150), 200))
        });
        let given = beating.cell.give(beat(150), 200);
        let promoted = worker.join().unwrap();
        assert_eq!(promoted + usize::from(beating.cell.is_given()), 1, "given: {given}");
    });
}

/// The worker has no frame that it could promote when it notices the beat, and spends it at its next fork.
#[test]
fn a_beat_that_was_not_used_is_there_for_the_next_fork() {
    loom::model(|| {
        let beating = beating();
        assert!(beating.cell.give(beat(100), 100));
        let worker = beside(&beating, |beating| {
            let is_noticed = beating.cell.take(150, false, &beating.polls);
            assert!(is_noticed);
            usize::from(beating.cell.take(151, true, &beating.polls) || beating.cell.spend(beat(100), 151))
        });
        let given = beating.cell.give(beat(100), 150);
        let promoted = worker.join().unwrap();
        assert_eq!(promoted + usize::from(beating.cell.is_given()), 1, "given again: {given}");
    });
}
