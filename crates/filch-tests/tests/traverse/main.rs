//! Traversals: every item that a visit adds is visited once, in its phase, whichever workers take part.
#![allow(missing_docs)]

mod actions;
mod batches;
#[path = "../common/mod.rs"]
mod common;
mod ends;
mod graphs;
#[cfg(panic = "unwind")]
mod panics;
mod phases;
mod places;
mod takers;

use filch::{Batches, Traversed};

/// Workers of the pools that tests go through: one alone, some, more than there are cores.
const WORKERS: &[usize] = if cfg!(miri) { &[2] } else { &[1, 2, 3, 5] };

#[cfg(miri)]
const ALL_BATCHES: [Batches; 2] = [Batches::Adaptive, Batches::Fixed(2)];
#[cfg(not(miri))]
const ALL_BATCHES: [Batches; 6] = [
    Batches::Adaptive,
    Batches::UpTo(1),
    Batches::UpTo(7),
    Batches::Fixed(0),
    Batches::Fixed(3),
    // Never full.
    Batches::Fixed(usize::MAX),
];

/// The counts that must add up, whatever happened.
fn assert_sound<W>(done: &Traversed<W>, workers: usize, items: usize) {
    let counts = done.counts;
    assert_eq!(counts.items, items as u64);
    assert_eq!(done.workspaces.len(), counts.workers);
    assert!(counts.workers <= workers, "{counts:?}");
    assert!(counts.steals <= counts.tasks && counts.tasks + counts.swaps <= counts.items, "{counts:?}");
}

/// An item of a random tree: what it leads to is drawn from its seed.
#[derive(Clone, Copy)]
struct Seed {
    seed: u64,
    phase: usize,
    depth: usize,
}

/// Those for this phase, and those for the next one.
fn children(item: Seed) -> (Vec<Seed>, Vec<Seed>) {
    let mut random = fastrand::Rng::with_seed(item.seed);
    let depth = item.depth + 1;
    let most = if depth > if cfg!(miri) { 2 } else { 5 } { 0 } else { 4 };
    let mut some = |phase| (0..random.usize(0..=most)).map(|_| Seed { seed: random.u64(..), phase, depth }).collect();
    (some(item.phase), some(item.phase + 1))
}

#[cfg(not(miri))]
#[test]
fn traversals_keep_their_promises_under_other_schedulers() {
    common::run_under_other_schedulers();
}
