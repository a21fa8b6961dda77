//! Random join trees, with pauses, yields, panics and every way to fork, under as many takes as possible. Each is
//! verified against a serial evaluation without the runtime.
//!
//! `FILCH_SOAK_TAKES` says how many tasks to go on for (default: a few thousand), `FILCH_SOAK_SEED` where to start. A
//! failure names the seed of its tree; `FILCH_SOAK_SEED=that` begins with it.
#![cfg(panic = "unwind")]
#![allow(missing_docs)]

mod common;

use common::eager_pool;
use filch::{Pool, Strand};
use std::panic::{AssertUnwindSafe, catch_unwind, panic_any};

/// What a node of the tree does, drawn from its number.
enum Node {
    Leaf(u64),
    Pause(u64),
    Yield(u64),
    Panic(u64),
    Fork { how: How, a: u64, b: u64 },
}

#[derive(Clone, Copy)]
enum How {
    Explicit,
    Implicit,
    /// In a run nested on whatever pool is current.
    Run,
    /// Panics from inside end here.
    Catch,
}

/// SplitMix64 (Steele, Lea and Flood 2014): spreads consecutive numbers well.
fn mix(seed: u64) -> u64 {
    let z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

fn node(number: u64, depth: u32) -> Node {
    let random = mix(number);
    let value = random >> 40;
    let kind = random % 100;
    // A comb every now and then: one branch deep, the other a leaf.
    let is_deep = depth < FULL_DEPTH || (number.is_multiple_of(5) && depth < 4 * FULL_DEPTH);
    if !is_deep || kind < 12 {
        return match random / 100 % 40 {
            0 => Node::Panic(value),
            1..4 => Node::Yield(value),
            4..12 => Node::Pause(value),
            _ => Node::Leaf(value),
        };
    }
    let how = match random / 100 % 16 {
        0 => How::Run,
        1 => How::Catch,
        2..9 => How::Implicit,
        _ => How::Explicit,
    };
    Node::Fork { how, a: mix(number ^ 0xA), b: mix(number ^ 0xB) }
}

/// Levels that are mostly forks. Miri is slow.
const FULL_DEPTH: u32 = if cfg!(miri) { 4 } else { 9 };

/// Not commutative, so that swapped branches show.
fn combine(a: u64, b: u64) -> u64 {
    a.wrapping_mul(31).wrapping_add(b.rotate_left(7)) ^ 0x55
}

/// The oracle: what the tree means, in order. `Err` is a panic on its way up.
fn serial(number: u64, depth: u32) -> Result<u64, u64> {
    match node(number, depth) {
        Node::Leaf(value) | Node::Pause(value) | Node::Yield(value) => Ok(value),
        Node::Panic(value) => Err(value),
        Node::Fork { how, a, b } => {
            let both = serial(a, depth + 1).and_then(|a| Ok(combine(a, serial(b, depth + 1)?)));
            match how {
                How::Catch => Ok(both.unwrap_or_else(|value| !value)),
                _ => both,
            }
        }
    }
}

/// The tree as a program, on a pool.
struct Program<'p> {
    pool: &'p Pool,
}

impl Program<'_> {
    fn explicit(&self, mut s: Strand<'_>, number: u64, depth: u32) -> u64 {
        match node(number, depth) {
            Node::Fork { how: How::Explicit, a, b } => self.fork(&mut s, a, b, depth),
            Node::Fork { how: How::Implicit, a, b } => {
                // The branches own them, so a branch that runs twice, or never, shows in the sanitizers.
                let (a, b) = (Box::new(a), Box::new(b));
                let (a, b) = filch::join(move || self.implicit(*a, depth + 1), move || self.implicit(*b, depth + 1));
                combine(a, b)
            }
            Node::Fork { how: How::Run, a, b } => self.pool.run(|mut s| self.fork(&mut s, a, b, depth)),
            Node::Fork { how: How::Catch, a, b } => {
                match catch_unwind(AssertUnwindSafe(|| self.fork(&mut s, a, b, depth))) {
                    Ok(value) => value,
                    Err(payload) => !*payload.downcast::<u64>().expect("trees panic with numbers"),
                }
            }
            leaf => self.leaf(leaf),
        }
    }

    fn fork(&self, s: &mut Strand<'_>, a: u64, b: u64, depth: u32) -> u64 {
        let (a, b) = (Box::new(a), Box::new(b));
        let (a, b) = s.join(move |s| self.explicit(s, *a, depth + 1), move |s| self.explicit(s, *b, depth + 1));
        combine(a, b)
    }

    /// Without a strand in hand; makes one where it is needed.
    fn implicit(&self, number: u64, depth: u32) -> u64 {
        match node(number, depth) {
            Node::Fork { how: How::Implicit, a, b } => {
                let (a, b) = filch::join(|| self.implicit(a, depth + 1), || self.implicit(b, depth + 1));
                combine(a, b)
            }
            Node::Fork { .. } => self.pool.run(|s| self.explicit(s, number, depth)),
            leaf => self.leaf(leaf),
        }
    }

    fn leaf(&self, leaf: Node) -> u64 {
        match leaf {
            Node::Pause(value) => {
                (0..value % 2000).for_each(|_| std::hint::spin_loop());
                value
            }
            Node::Yield(value) => {
                std::thread::yield_now();
                value
            }
            Node::Panic(value) => panic_any(value),
            Node::Leaf(value) => value,
            Node::Fork { .. } => unreachable!("a fork is no leaf"),
        }
    }
}

fn setting(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name} = {text:?}: expected a whole number")),
        Err(_) => default,
    }
}

#[test]
fn random_trees_give_the_serial_answer_under_many_takes() {
    // The trees' own panics are expected, so they are not reported.
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if !info.payload().is::<u64>() {
            report(info);
        }
    }));
    let takes = setting("FILCH_SOAK_TAKES", if cfg!(miri) { 10 } else { 5_000 });
    let mut seed = setting("FILCH_SOAK_SEED", 1);
    let pools = [2, 3, 5].map(eager_pool);
    let (mut taken, mut panicked) = (0, 0);
    let helped = || pools.iter().map(|pool| pool.counters().tasks_run_while_waiting).sum::<u64>();
    // Where little is shared, it may take longer until a waiter finds something.
    let must_help = !cfg!(miri) && common::waits_for_descendants();
    let is_over = |taken| taken >= takes && (!must_help || helped() > 0 || taken >= 100 * takes);
    while !is_over(taken) {
        for pool in &pools {
            let expected = serial(mix(seed), 0);
            let program = Program { pool };
            let run = || pool.run(|s| program.explicit(s, mix(seed), 0));
            let found = catch_unwind(AssertUnwindSafe(run))
                .map_err(|payload| *payload.downcast::<u64>().expect("trees panic with numbers"));
            assert_eq!(found, expected, "seed {seed} with {} workers", pool.num_workers());
            panicked += u64::from(expected.is_err());
            seed += 1;
        }
        taken = pools.iter().map(common::tasks).sum();
    }
    let overflowed: u64 = pools.iter().map(|pool| pool.counters().overflowed_forks).sum();
    assert_eq!(overflowed, 0, "trees are not that deep");
    if must_help {
        let helped = helped();
        assert!(helped > 0 && panicked > 0, "{helped} taken while waiting, {panicked} panics: both should occur");
    }
    println!("{taken} takes in {} trees", seed - setting("FILCH_SOAK_SEED", 1));
}

#[test]
#[cfg(not(miri))]
fn all_of_this_holds_under_other_schedulers() {
    common::run_under_other_schedulers();
}
