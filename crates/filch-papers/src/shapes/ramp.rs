//! The time until the last of 64 pieces of work starts, on 64 sleeping workers. Each piece sleeps too, so that each
//! occupies a worker.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::shape::{Both, Shape, let_them_sleep, tree, tree_of_rayon};

pub(super) const WORKERS: usize = 64;

const NAP: Duration = Duration::from_millis(20);

/// The time until the last of the pieces that `run` starts, in seconds.
fn last(run: impl FnOnce(&(dyn Fn() + Sync))) -> f64 {
    let_them_sleep();
    let last_ns = AtomicU64::new(0);
    let begin = Instant::now();
    run(&|| {
        last_ns.fetch_max(begin.elapsed().as_nanos() as u64, Ordering::Relaxed);
        thread::sleep(NAP);
    });
    last_ns.into_inner() as f64 * 1e-9
}

pub(super) fn shapes(pools: &Both) -> Vec<Shape<'_>> {
    let ours =
        |shape: fn(filch::Strand<'_>, &(dyn Fn() + Sync))| move || last(|leaf| pools.ours.run(|s| shape(s, leaf)));
    let theirs = |shape: fn(&(dyn Fn() + Sync))| move || last(|leaf| pools.rayon.install(|| shape(leaf)));
    vec![
        Shape::new(
            "last of 64 sleeping pieces begins: joins",
            ours(|s, leaf| tree(s, WORKERS, leaf)),
            "rayon",
            theirs(|leaf| tree_of_rayon(WORKERS, leaf)),
        ),
        Shape::new(
            "  loop",
            ours(|mut s, leaf| s.for_each(0..WORKERS, |_, _| leaf())),
            "rayon",
            theirs(|leaf| (0..WORKERS).into_par_iter().for_each(|_| leaf())),
        ),
        Shape::new(
            "  items",
            ours(|mut s, leaf| s.for_each_item(0..WORKERS, |_, _| leaf())),
            "rayon",
            theirs(|leaf| (0..WORKERS).par_bridge().for_each(|_| leaf())),
        ),
        Shape::new(
            "  scope",
            ours(|mut s, leaf| s.scope(|_, scope| (0..WORKERS).for_each(|_| scope.spawn(|_| leaf())))),
            "rayon",
            theirs(|leaf| rayon::scope(|scope| (0..WORKERS).for_each(|_| scope.spawn(|_| leaf())))),
        ),
    ]
}
