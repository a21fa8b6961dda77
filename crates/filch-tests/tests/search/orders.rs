//! What searches find, against plain recursion.

use crate::common::eager_pool;
use crate::problems::{Board, QUEENS, Queens, Tree};
use filch::{Bound, Reducer, monoids};
use std::sync::atomic::Ordering;

const SEEDS: u64 = if cfg!(miri) { 2 } else { 30 };

#[test]
fn as_many_solutions_are_counted_as_there_are() {
    for workers in if cfg!(miri) { 2..=2 } else { 1..=4 } {
        let pool = eager_pool(workers);
        for (n, &solutions) in QUEENS.iter().enumerate().take(if cfg!(miri) { 5 } else { 11 }) {
            let queens = Queens { n: n as u32 };
            assert_eq!(pool.run(|mut s| s.search(&queens, Board::default()).count()), solutions, "{n} queens");
        }
    }
}

/// Calls `check` with each of some trees, the solutions of it, and a pool.
fn on_trees(check: impl Fn(&filch::Pool, &Tree, &[Vec<u8>])) {
    for workers in if cfg!(miri) { 2..=2 } else { 1..=4 } {
        let pool = eager_pool(workers);
        for seed in 0..SEEDS {
            let tree = Tree::new(seed);
            check(&pool, &tree, &tree.oracle());
        }
    }
}

#[test]
fn each_node_is_visited_once() {
    on_trees(|pool, tree, solutions| {
        let count = pool.run(|mut s| s.search(tree, Vec::new()).count());
        assert_eq!(count, solutions.len() as u64);
        let visits = tree.visits.swap(0, Ordering::Relaxed);
        let alone = filch::Pool::builder().workers(1).scheduler(filch::Scheduler::serial()).build().expect("a pool");
        alone.run(|mut s| s.search(tree, Vec::new()).count());
        assert_eq!(visits, tree.visits.load(Ordering::Relaxed), "seed {}", tree.seed);
    });
}

#[test]
fn results_are_combined_in_serial_order() {
    on_trees(|pool, tree, solutions| {
        let add = |mut paths: Vec<_>, path: &Vec<u8>| {
            paths.push(path.clone());
            paths
        };
        let append = |mut former: Vec<_>, mut latter: Vec<_>| {
            former.append(&mut latter);
            former
        };
        let found = pool.run(|mut s| s.search(tree, Vec::new()).fold(Vec::new, add, append));
        assert_eq!(found, solutions, "seed {}", tree.seed);
    });
}

#[test]
fn reducers_see_solutions_in_serial_order() {
    on_trees(|pool, tree, solutions| {
        let paths = Reducer::new(monoids::Append::<Vec<Vec<u8>>>::new());
        pool.run(|mut s| s.search(tree, Vec::new()).for_each(|path| paths.update(|paths| paths.push(path.clone()))));
        assert_eq!(paths.into_inner(), solutions, "seed {}", tree.seed);
    });
}

#[test]
fn all_solutions_are_received_in_serial_order() {
    on_trees(|pool, tree, solutions| {
        let mut received = Vec::new();
        pool.run(|mut s| s.search(tree, Vec::new()).all(Vec::clone, |path| received.push(path)));
        assert_eq!(received, solutions, "seed {}", tree.seed);
    });
}

#[test]
fn solutions_that_are_far_apart_are_received_too() {
    on_trees(|pool, tree, solutions| {
        for last in 0..4 {
            // Most parts find nothing, and so never ask whether it is their turn before they end.
            let is_wanted = |path: &Vec<u8>| path.ends_with(&[last, last, last]);
            let mut received = Vec::new();
            pool.run(|mut s| {
                s.search(&Only { tree, is_wanted }, Vec::new()).all(Vec::clone, |path| received.push(path))
            });
            let wanted: Vec<_> = solutions.iter().filter(|path| is_wanted(path)).cloned().collect();
            assert_eq!(received, wanted, "seed {}", tree.seed);
        }
    });
}

#[test]
fn the_first_solution_is_the_serial_one() {
    on_trees(|pool, tree, solutions| {
        // Solutions that end in this way are few, and often far apart.
        for last in 0..4 {
            let is_wanted = |path: &Vec<u8>| path.ends_with(&[last, last]);
            let wanted = |path: &Vec<u8>| is_wanted(path).then(|| path.clone());
            let only = Only { tree, is_wanted };
            let found = pool.run(|mut s| s.search(&only, Vec::new()).find_first(wanted)).flatten();
            assert_eq!(found.as_ref(), solutions.iter().find(|path| is_wanted(path)), "seed {}", tree.seed);
        }
    });
}

/// Those solutions of a tree that are wanted.
struct Only<'t, F> {
    tree: &'t Tree,
    is_wanted: F,
}

impl<F: Fn(&Vec<u8>) -> bool + Sync> filch::Search for Only<'_, F> {
    type Workspace = Vec<u8>;
    type Choices = std::ops::Range<u8>;

    fn choices(&self, path: &mut Vec<u8>) -> filch::Node<std::ops::Range<u8>> {
        match self.tree.choices(path) {
            filch::Node::Solution if !(self.is_wanted)(path) => filch::Node::Choices(0..0),
            node => node,
        }
    }

    fn apply(&self, path: &mut Vec<u8>, choice: u8) {
        self.tree.apply(path, choice);
    }

    fn undo(&self, path: &mut Vec<u8>, choice: u8) {
        self.tree.undo(path, choice);
    }
}

#[test]
fn any_solution_is_one() {
    on_trees(|pool, tree, solutions| match pool.run(|mut s| s.search(tree, Vec::new()).find_any(Vec::clone)) {
        Some(found) => assert!(solutions.contains(&found), "seed {}", tree.seed),
        None => assert!(solutions.is_empty(), "seed {}", tree.seed),
    });
}

#[test]
fn the_best_solution_has_the_best_value() {
    let value = |path: &Vec<u8>| path.iter().fold(1, |value, &step| (value * 31 + i64::from(step)) % 1009);
    on_trees(|pool, tree, solutions| {
        for (bound, best) in [
            (Bound::lowest(), solutions.iter().map(value).min()),
            (Bound::highest(), solutions.iter().map(value).max()),
        ] {
            let found = pool.run(|mut s| s.search(tree, Vec::new()).find_best(&bound, value, Vec::clone));
            assert_eq!(found.as_ref().map(|found| found.0), best, "seed {}", tree.seed);
            assert_eq!(found.map(|(found, path)| (found, value(&path))), best.map(|best| (best, best)));
        }
    });
}

#[test]
fn nothing_is_found_that_is_not_better_than_the_bound_was() {
    let (pool, bound) = (eager_pool(2), Bound::lowest());
    assert!(bound.improve(3));
    let found = pool.run(|mut s| s.search(&Queens { n: 6 }, Board::default()).find_best(&bound, |_| 3, Board::clone));
    assert_eq!((found, bound.get()), (None, Some(3)));
}
