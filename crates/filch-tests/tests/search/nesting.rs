//! Forks and searches inside of searches, and searches inside of everything else.

use crate::common::{eager_pool, is_slow, must_end, scheduler};
use crate::problems::{Board, QUEENS, Queens, Tree};
use filch::{Node, Pool, Scheduler, Search};
use std::sync::atomic::{AtomicUsize, Ordering};

fn queens(n: u32) -> u64 {
    filch::search(&Queens { n }, Board::default()).count()
}

/// A tree at each node of which its user forks, by every construct.
struct Forking(Tree);

impl Search for Forking {
    type Workspace = Vec<u8>;
    type Choices = std::ops::Range<u8>;

    fn choices(&self, path: &mut Vec<u8>) -> Node<std::ops::Range<u8>> {
        let (a, b) = filch::join(|| self.0.choices(path), || filch::join(|| 1, || 2));
        assert_eq!(b, (1, 2));
        a
    }

    fn apply(&self, path: &mut Vec<u8>, choice: u8) {
        assert_eq!(filch::map_reduce(0..u64::from(choice), || 0, |_, _| 1, |a, b| a + b), u64::from(choice));
        self.0.apply(path, choice);
    }

    fn undo(&self, path: &mut Vec<u8>, choice: u8) {
        assert_eq!(queens(4), QUEENS[4]);
        self.0.undo(path, choice);
    }
}

#[test]
fn code_of_a_search_may_fork_and_search() {
    for workers in [1, 3] {
        let pool = eager_pool(workers);
        for seed in 0..if cfg!(miri) { 1 } else { 6 } {
            let mut tree = Tree::new(seed);
            tree.depth = tree.depth.min(6);
            let solutions = tree.oracle();
            let mut received = Vec::new();
            pool.run(|mut s| s.search(&Forking(tree), Vec::new()).all(Vec::clone, |path| received.push(path)));
            assert_eq!(received, solutions);
        }
    }
}

/// A workspace whose clone forks and searches.
#[derive(Debug, Default)]
struct Forks(Vec<u8>);

impl Clone for Forks {
    fn clone(&self) -> Self {
        let (path, found) = filch::join(|| self.0.clone(), || queens(5));
        assert_eq!(found, QUEENS[5]);
        Forks(path)
    }
}

struct CopiedByForks(Tree);

impl Search for CopiedByForks {
    type Workspace = Forks;
    type Choices = std::ops::Range<u8>;

    fn choices(&self, path: &mut Forks) -> Node<std::ops::Range<u8>> {
        self.0.choices(&mut path.0)
    }

    fn apply(&self, path: &mut Forks, choice: u8) {
        self.0.apply(&mut path.0, choice);
    }

    fn undo(&self, path: &mut Forks, choice: u8) {
        self.0.undo(&mut path.0, choice);
    }
}

#[test]
fn a_copy_may_fork_and_search() {
    let pool = eager_pool(3);
    for seed in 0..if cfg!(miri) { 1 } else { 10 } {
        let tree = Tree::new(seed);
        let solutions = tree.oracle().len() as u64;
        assert_eq!(pool.run(|mut s| s.search(&CopiedByForks(tree), Forks::default()).count()), solutions);
    }
}

/// What a copy of a workspace runs. All of it must run, once.
type Use = fn();

/// A workspace whose clone forks while its search's frame may just have been passed by.
struct Used(Vec<u8>, Use);

impl Clone for Used {
    fn clone(&self) -> Self {
        self.1();
        Used(self.0.clone(), self.1)
    }
}

/// Four choices at each node, down to `DEPTH`; at odd depths the choices fork as well.
struct Four;

impl Search for Four {
    type Workspace = Used;
    type Choices = std::ops::Range<u8>;

    fn choices(&self, path: &mut Used) -> Node<std::ops::Range<u8>> {
        if path.0.len() == DEPTH {
            return Node::Solution;
        }
        if path.0.len() % 2 == 1 {
            assert_eq!(filch::join(|| 1, || 2), (1, 2));
        }
        Node::Choices(0..4)
    }

    fn apply(&self, path: &mut Used, choice: u8) {
        path.0.push(choice);
    }

    fn undo(&self, path: &mut Used, choice: u8) {
        assert_eq!(path.0.pop(), Some(choice));
    }
}

const DEPTH: usize = if cfg!(miri) { 2 } else { 5 };

fn joins() {
    let (a, b) = filch::join(|| String::from("a"), || String::from("b"));
    assert_eq!((&*a, &*b), ("a", "b"));
}

/// Runs `run` with a function that must be called ten times.
fn ten_times(run: impl FnOnce(&(dyn Fn() + Sync))) {
    let runs = AtomicUsize::new(0);
    run(&|| _ = runs.fetch_add(1, Ordering::Relaxed));
    assert_eq!(runs.into_inner(), 10);
}

fn iterates() {
    ten_times(|tick| filch::for_each_item(0..10, |_, _| tick()));
}

fn loops() {
    ten_times(|tick| filch::for_each(0..10, |_, _| tick()));
}

fn spawns() {
    ten_times(|tick| filch::scope(|_, scope| (0..10).for_each(|_| scope.spawn(|_| tick()))));
}

fn traverses() {
    ten_times(|tick| {
        let visit = |list: &mut filch::Worklist<'_, u32, ()>, depth: u32| {
            tick();
            if depth < 9 {
                list.push(depth + 1);
            }
        };
        filch::traverse([0], || (), visit);
    });
}

fn searches() {
    assert_eq!(queens(4), QUEENS[4]);
}

#[test]
fn whatever_a_copy_forks_is_run_once() {
    // Miri takes some seconds for each search.
    let workers: &[usize] = if cfg!(miri) { &[2] } else { &[1, 2, 4, 16] };
    let rounds = match () {
        () if cfg!(miri) => 1,
        () if is_slow() => 20,
        () => 100,
    };
    must_end(move || {
        let schedulers = [scheduler(), Scheduler::default(), Scheduler::heartbeat(), Scheduler::tascell()];
        for scheduler in schedulers.into_iter().take(if cfg!(miri) { 2 } else { 4 }) {
            for &workers in workers {
                let pool = Pool::builder().workers(workers).scheduler(scheduler.clone()).build().expect("a small pool");
                for what in [joins, iterates, loops, spawns, traverses, searches] as [Use; 6] {
                    for _ in 0..rounds {
                        let found = pool.run(move |mut s| s.search(&Four, Used(Vec::new(), what)).count());
                        assert_eq!(found, 4_u64.pow(DEPTH as u32));
                    }
                }
            }
        }
    });
}

#[test]
fn searches_run_inside_of_joins_loops_and_scopes() {
    let pool = eager_pool(3);
    let n = if cfg!(miri) { 4 } else { 7 };
    let count = |mut s: filch::Strand<'_>| s.search(&Queens { n }, Board::default()).count();
    let one = QUEENS[n as usize];
    for _ in 0..if cfg!(miri) { 1 } else { 20 } {
        let (a, (b, c)) = pool.run(|mut s| s.join(count, |mut s| s.join(count, count)));
        assert_eq!((a, b, c), (one, one, one));
        let sum = pool.run(|mut s| s.map_reduce(0..10, || 0, |s, _| count(s), |a, b| a + b));
        assert_eq!(sum, 10 * one);
        pool.run(|mut s| {
            s.scope(|_, scope| (0..5).for_each(|_| scope.spawn(move |s| assert_eq!(count(s), one))));
        });
    }
}
