//! When workspaces are copied, and what is kept.

use crate::common::{eager_pool, must_end, tasks};
use crate::problems::{Board, Queens, Tree};
use filch::{Node, Search};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A tree whose workspace counts its copies.
struct Copied<'t>(Tree, std::marker::PhantomData<&'t AtomicUsize>);

struct Path<'t> {
    path: Vec<u8>,
    copies: &'t AtomicUsize,
    /// Copies that are not made in the memory of an old one.
    fresh: &'t AtomicUsize,
}

impl Clone for Path<'_> {
    fn clone(&self) -> Self {
        self.copies.fetch_add(1, Ordering::Relaxed);
        self.fresh.fetch_add(1, Ordering::Relaxed);
        Path { path: self.path.clone(), ..*self }
    }

    fn clone_from(&mut self, source: &Self) {
        self.copies.fetch_add(1, Ordering::Relaxed);
        self.path.clone_from(&source.path);
    }
}

impl<'t> Search for Copied<'t> {
    type Workspace = Path<'t>;
    type Choices = std::ops::Range<u8>;

    fn choices(&self, path: &mut Path<'t>) -> Node<std::ops::Range<u8>> {
        self.0.choices(&mut path.path)
    }

    fn apply(&self, path: &mut Path<'t>, choice: u8) {
        self.0.apply(&mut path.path, choice);
    }

    fn undo(&self, path: &mut Path<'t>, choice: u8) {
        self.0.undo(&mut path.path, choice);
    }
}

/// Counts the solutions of a tree; then what `check` is told: copies, fresh ones, and the pool's counters meanwhile.
fn count(workers: usize, seed: u64, check: impl Fn(u64, u64, filch::Counters)) {
    let (copies, fresh) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let copied = Copied(Tree::new(seed), std::marker::PhantomData);
    let pool = eager_pool(workers);
    let before = pool.counters();
    let path = Path { path: Vec::new(), copies: &copies, fresh: &fresh };
    let found = pool.run(|mut s| s.search(&copied, path).count());
    assert_eq!(found, copied.0.oracle().len() as u64);
    let counters = pool.counters().since(&before);
    check(copies.load(Ordering::Relaxed) as u64, fresh.load(Ordering::Relaxed) as u64, counters);
}

#[test]
fn a_workspace_is_copied_for_each_part_that_leaves_or_is_ready_when_its_owner_comes_to_it_and_for_no_other() {
    for seed in 0..if cfg!(miri) { 2 } else { 20 } {
        count(3, seed, |copies, fresh, counters| {
            let left = counters.forks_given + counters.forks_taken;
            assert_eq!(copies, left + counters.parts_unfetched, "{counters:?}");
            // A part stays only if the ask for it has been withdrawn, or refused for other reasons.
            let reasons = counters.withdrawals + counters.refusals + counters.beats;
            assert!(counters.parts_unfetched <= reasons, "{counters:?}");
            assert!(fresh <= copies);
        });
    }
}

#[test]
fn one_worker_copies_nothing() {
    count(1, 3, |copies, _, counters| {
        if !crate::common::scheduler().to_string().starts_with("heartbeat") {
            assert_eq!((copies, counters.forks_given), (0, 0));
        }
    });
}

/// Parts reach other workers under every scheduler that shares, whatever a thief can do about a search.
#[test]
fn parts_leave() {
    must_end(|| {
        let pool = eager_pool(3);
        let before = tasks(&pool);
        let queens = Queens { n: if cfg!(miri) { 5 } else { 10 } };
        while tasks(&pool) < before + 10 {
            pool.run(|mut s| s.search(&queens, Board::default()).count());
        }
    });
}
