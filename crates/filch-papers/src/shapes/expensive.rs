//! Loops whose iterations begin to sleep after cheap ones, and loops above an older fork. They are compared with the
//! same work as joins, down to single iterations.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use filch::{Pool, Strand};
use filch_bench::measure::clock::timed;

use super::shape::{Shape, tree};

pub(super) const WORKERS: usize = 8;
pub(super) const WORKERS_ABOVE: usize = 4;

/// The number of iterations of a loop that becomes expensive, and the number of its expensive iterations.
const LONG: u64 = 400_000;
const EXPENSIVE: u64 = 2_000;
/// The number of iterations of a loop that was cheap in all earlier runs.
const SHORT: u64 = 400;
const NAP: Duration = Duration::from_millis(1);
const LONG_NAP: Duration = Duration::from_millis(20);

fn halves(mut s: Strand<'_>, range: Range<u64>, body: &(dyn Fn(u64) + Sync)) {
    match range.end - range.start {
        0 => {}
        1 => body(range.start),
        n => {
            let middle = range.start + n / 2;
            s.join(|s| halves(s, range.start..middle, body), |s| halves(s, middle..range.end, body));
        }
    }
}

fn nap_in(expensive: &Range<u64>, i: u64) {
    if expensive.contains(&i) {
        thread::sleep(NAP);
    }
}

pub(super) fn shapes<'a>(loops: &'a Pool, above: &'a Pool) -> Vec<Shape<'a>> {
    let mut shapes = Vec::new();
    for (place, begin) in [("at the start", 0), ("midway", LONG / 2), ("at the end", LONG - EXPENSIVE)] {
        let expensive = begin..begin + EXPENSIVE;
        let of_joins = expensive.clone();
        shapes.push(Shape::new(
            format!("2000 × 1 ms among 400,000, {place}"),
            move || timed(|| loops.run(|mut s| s.for_each(0..LONG, |_, i| nap_in(&expensive, i)))),
            "joins",
            move || timed(|| loops.run(|s| halves(s, 0..LONG, &|i| nap_in(&of_joins, i)))),
        ));
    }
    shapes.push(Shape::new(
        "400 × 1 ms, after 200 cheap loops of it",
        move || {
            let is_dear = AtomicBool::new(false);
            let body = |_: Strand<'_>, _: u64| {
                if is_dear.load(Ordering::Relaxed) {
                    thread::sleep(NAP);
                }
            };
            loops.run(|mut s| {
                (0..200).for_each(|_| s.for_each(0..SHORT, body));
                is_dear.store(true, Ordering::Relaxed);
                timed(|| s.for_each(0..SHORT, body))
            })
        },
        "joins",
        move || timed(|| loops.run(|s| halves(s, 0..SHORT, &|_| thread::sleep(NAP)))),
    ));
    shapes.push(Shape::new(
        "4 × 20 ms above an older fork",
        move || {
            timed(|| above.run(|mut s| _ = s.join(|mut s| s.for_each(0..4, |_, _| thread::sleep(LONG_NAP)), |_| ())))
        },
        "joins",
        move || timed(|| above.run(|mut s| _ = s.join(|s| tree(s, 4, &|| thread::sleep(LONG_NAP)), |_| ()))),
    ));
    shapes
}
