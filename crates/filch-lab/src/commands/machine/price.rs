//! What a fork costs, part by part, in the manner of (Frigo, Leiserson and Randall 1998, figure 7). `fib` is measured
//! in variants, each of which adds one part of a fork to the previous one. The cost of a part is the difference between
//! two neighbouring variants, taken within a round in which all variants have their turn.
//!
//! The parts are also added one by one to the calls, without the others, to see whether they sum to the whole.
//!
//! Three parts can be distinguished from outside the runtime: branches are calls, the second branch is stored in
//! memory, and the rest is the protocol. The first variants are written here and use no runtime.

use std::cell::Cell;
use std::hint::black_box;
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering, compiler_fence};
use std::time::Instant;

use clap::Args;
use filch::{Pool, Strand};
use filch_bench::failure::Failure;
use filch_bench::measure::callgrind::collect;
use filch_bench::measure::median::Median;
use filch_bench::measure::order::order;
use filch_kernels::fib::{fib, fib_by_doubling};
use filch_kernels::runtime::{Filch, FilchImplicit, Serial};

/// Some tenths of a millisecond in serial: long against reading the clock, short against disturbances by the system.
const N: u64 = 24;
/// As in `filch bench --instructions`: the difference between the sizes cancels the fixed cost of a run.
const COUNTED_SIZES: [u64; 2] = [15, 20];
/// Enough for a narrow interval. All rounds together take some tenths of a second.
const ROUNDS: usize = 51;

/// Both branches are calls. Without the fence, nothing would follow the second call and the compiler would turn it into
/// a loop, which it cannot do with a branch of a fork.
#[inline(never)]
fn calls(n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = (calls(n - 1), calls(n - 2));
    // Costs no instruction.
    compiler_fence(Ordering::SeqCst);
    a + b
}

/// What a fork leaves in memory for a thief: the kind of the frame, and the captures of the second branch.
struct Frame {
    _kind: &'static u8,
    n: Cell<u64>,
}

/// The second branch is stored in memory, and so is its address.
#[inline(never)]
pub(super) fn frames(n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let frame = Frame { _kind: &0, n: Cell::new(n) };
    black_box(&frame);
    let a = frames(n - 1);
    let b = frames(frame.n.get() - 2);
    compiler_fence(Ordering::SeqCst);
    a + b
}

/// A slot of a ladder that holds no frame, the word that is raised for a thief, and the slot above.
struct Rung<'a> {
    slot: AtomicUsize,
    raised: &'a AtomicUsize,
    above: Option<&'a Rung<'a>>,
}

/// The protocol alone, without anything in memory that a thief could run: the slot is seen to be free, written and
/// cleared, and the word that would be raised for a thief is looked at.
#[inline(never)]
fn protocol(rung: &Rung<'_>, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let Some(above) = rung.above.filter(|_| rung.slot.load(Ordering::Relaxed) == 0) else { gone() };
    rung.slot.store(1, Ordering::Release);
    let a = protocol(above, n - 1);
    rung.slot.store(0, Ordering::Relaxed);
    compiler_fence(Ordering::SeqCst);
    if rung.raised.load(Ordering::Relaxed) != 0 {
        gone();
    }
    let b = protocol(above, n - 2);
    compiler_fence(Ordering::SeqCst);
    a + b
}

#[cold]
#[inline(never)]
fn gone() -> ! {
    unreachable!("no thief comes, and there are slots enough")
}

/// Runs the protocol on so many rungs below this one.
fn on_rungs(count: u64, above: Option<&Rung<'_>>, raised: &AtomicUsize, n: u64) -> u64 {
    let rung = Rung { slot: AtomicUsize::new(0), raised, above };
    if count == 0 { protocol(&rung, n) } else { on_rungs(count - 1, Some(&rung), raised, n) }
}

/// A variant of `fib`.
type Variant = fn(Strand<'_>, u64) -> u64;

/// The variants, each with what it adds to the previous one.
const PARTS: [(&str, Variant); 5] = [
    ("the serial elision", |_, n| fib(Serial::token(), n)),
    ("+ both branches are calls", |_, n| calls(n)),
    ("+ the second branch is in memory", |_, n| frames(n)),
    ("+ the protocol: that is Strand::join", |s, n| fib(Filch::token(s), n)),
    ("+ finding the strand: that is filch::join", |_, n| fib(FilchImplicit::token(), n)),
];

/// Places in [`PARTS`]; `WHOLE` has all parts of a fork.
const CALLS: usize = 1;
const IN_MEMORY: usize = 2;
const WHOLE: usize = 3;

/// The calls and the protocol, without the second branch in memory.
const WITHOUT_MEMORY: (&str, Variant) = ("the protocol alone", |_, n| on_rungs(n, None, &AtomicUsize::new(0), n));

/// Measures the parts on one worker and shows them.
pub fn show_times(out: &mut dyn Write) -> Result<(), Failure> {
    let pool = Pool::builder().workers(1).build().map_err(Failure::usage)?;
    let variants: Vec<_> = PARTS.into_iter().chain([WITHOUT_MEMORY]).collect();
    let mut times = vec![Vec::new(); variants.len()];
    // The first round is for warm-up.
    for round in 0..=ROUNDS {
        for place in order(round, variants.len()) {
            let (name, variant) = variants[place];
            let (ns, value) = pool.run(|s| timed(s, variant));
            if value != fib_by_doubling(N) {
                return Err(Failure::Failed(format!(
                    "fib {N}, {name}: found {value}, expected {}",
                    fib_by_doubling(N)
                )));
            }
            if round > 0 {
                times[place].push(ns);
            }
        }
    }
    writeln!(out, "What a fork costs, in ns; fib {N} on one worker, medians of {ROUNDS} [95 % interval]")?;
    writeln!(out, "(the addresses of functions change each figure by some tenths)")?;
    for (place, (name, _)) in PARTS.iter().enumerate() {
        let own = &times[place];
        let added = match place.checked_sub(1) {
            None => own.clone(),
            Some(before) => own.iter().zip(&times[before]).map(|(own, before)| own - before).collect(),
        };
        let (added, all) = (Median::of(added), Median::of(own.clone()));
        let Median { value, low, high } = added;
        writeln!(out, "{name:<43}{value:>6.2} [{low:.2}, {high:.2}], so far {:.2}", all.value)?;
    }
    let of_round = |round: usize| {
        let protocol = times[PARTS.len()][round] - times[CALLS][round];
        (times[IN_MEMORY][round] + protocol) / times[WHOLE][round]
    };
    let Median { value, low, high } = Median::of((0..ROUNDS).map(of_round).collect());
    let [value, low, high] = [value, low, high].map(|share| 100.0 * share);
    writeln!(out, "the parts, each measured alone, sum to {value:.0} % [{low:.0}, {high:.0}] of Strand::join")?;
    Ok(())
}

/// Counts the instructions, loads and stores of the parts on one worker and shows them. The figures are the same in
/// every run.
pub fn show_instructions(out: &mut dyn Write) -> Result<(), Failure> {
    let [small, large] = COUNTED_SIZES;
    writeln!(out, "What a fork costs, in instructions, loads and stores; fib {large} less fib {small} on one worker")?;
    let mut before = [0.0; 3];
    for (place, (name, _)) in PARTS.iter().enumerate() {
        let count = |n: u64| collect(&["callgrind-part", &place.to_string(), "--n", &n.to_string()]);
        let (of_large, of_small) = (count(large)?, count(small)?);
        let all = [0, 1, 2].map(|kind| (of_large[kind] - of_small[kind]) / (forks(large) - forks(small)) as f64);
        let [instructions, loads, stores] = [0, 1, 2].map(|kind| all[kind] - before[kind]);
        let [in_all, loads_in_all, stores_in_all] = all;
        let so_far = format!("so far {in_all:.2} {loads_in_all:.2} {stores_in_all:.2}");
        writeln!(out, "{name:<43}{instructions:>6.2} {loads:>5.2} {stores:>5.2}, {so_far}")?;
        before = all;
    }
    Ok(())
}

/// The arguments of `filch callgrind-part`, a hidden command: runs one variant once on one worker.
#[derive(Args, Debug)]
pub struct PartArgs {
    /// The index of the variant
    pub part: usize,
    /// The size
    #[arg(long)]
    pub n: u64,
}

/// Runs one variant once, under callgrind.
pub fn run_part(args: &PartArgs) -> Result<(), Failure> {
    let (_, variant) = PARTS.get(args.part).ok_or_else(|| {
        Failure::Usage(format!("there is no part {}; expected a number below {}", args.part, PARTS.len()))
    })?;
    let pool = Pool::builder().workers(1).build().map_err(Failure::usage)?;
    black_box(pool.run(|s| Counted::run(s, *variant, args.n)));
    Ok(())
}

/// Gives the variant a name that callgrind collects.
struct Counted;

impl Counted {
    #[inline(never)]
    fn run(s: Strand<'_>, variant: Variant, n: u64) -> u64 {
        variant(s, black_box(n))
    }
}

/// The number of forks: each call with n ≥ 2 forks, which are F(n + 1) − 1 calls.
fn forks(n: u64) -> u64 {
    fib_by_doubling(n + 1) - 1
}

/// The time per fork in nanoseconds, and the value.
fn timed(s: Strand<'_>, variant: Variant) -> (f64, u64) {
    let begin = Instant::now();
    let value = variant(s, black_box(N));
    (begin.elapsed().as_secs_f64() * 1e9 / forks(N) as f64, value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_is_the_same_program() {
        let pool = Pool::builder().workers(1).build().unwrap();
        for n in 0..15 {
            for (name, variant) in PARTS.into_iter().chain([WITHOUT_MEMORY]) {
                assert_eq!(pool.run(|s| variant(s, n)), fib_by_doubling(n), "{name} {n}");
            }
        }
    }
}
