//! Ten milliseconds of work on two workers, after 150 ms of serial work in the same run.

use std::time::Duration;

use filch_bench::measure::clock::{spin, timed};
use rayon::prelude::*;

use super::shape::{Both, Shape, tree, tree_of_rayon};

pub(super) const WORKERS: usize = 2;

const STRETCH: Duration = Duration::from_millis(150);
const WORK: Duration = Duration::from_millis(10);
/// The number of pieces of loops, spawn loops and scopes.
const PIECES: u32 = 100;

fn piece() {
    spin(WORK / PIECES);
}

pub(super) fn shapes(pools: &Both) -> Vec<Shape<'_>> {
    let ours = |work: fn(filch::Strand<'_>)| {
        move || {
            pools.ours.run(|mut s| {
                s.join(|_| (), |_| ());
                spin(STRETCH);
                timed(|| work(s))
            })
        }
    };
    let theirs = |work: fn()| {
        move || {
            pools.rayon.install(|| {
                rayon::join(|| (), || ());
                spin(STRETCH);
                timed(work)
            })
        }
    };
    let rayon_loop = || (0..PIECES).into_par_iter().for_each(|_| piece());
    let rayon_scope = || rayon::scope(|scope| (0..PIECES).for_each(|_| scope.spawn(|_| piece())));
    vec![
        Shape::new(
            "10 ms after 150 ms serial: join",
            ours(|mut s| _ = s.join(|_| spin(WORK / 2), |_| spin(WORK / 2))),
            "rayon",
            theirs(|| _ = rayon::join(|| spin(WORK / 2), || spin(WORK / 2))),
        ),
        Shape::new(
            "  tree of 64",
            ours(|s| tree(s, 64, &|| spin(WORK / 64))),
            "rayon",
            theirs(|| tree_of_rayon(64, &|| spin(WORK / 64))),
        ),
        Shape::new("  loop", ours(|mut s| s.for_each(0..PIECES, |_, _| piece())), "rayon", theirs(rayon_loop)),
        Shape::new(
            "  items",
            ours(|mut s| s.for_each_item(0..PIECES, |_, _| piece())),
            "rayon",
            theirs(|| (0..PIECES).par_bridge().for_each(|_| piece())),
        ),
        Shape::new(
            "  scope",
            ours(|mut s| s.scope(|_, scope| (0..PIECES).for_each(|_| scope.spawn(|_| piece())))),
            "rayon",
            theirs(rayon_scope),
        ),
    ]
}
