//! What a profile says of programs whose work and span are known, and what it costs.
//!
//! ```sh
//! cargo bench --profile measured -p filch-lab --bench profiled                   21 runs
//! cargo bench --profile measured -p filch-lab --bench profiled -- 5 mergesort
//! ```
//!
//! The first programs do nothing but wait for about 10 µs at each of their nodes, so that their span is as many of
//! those as their longest path has nodes. For the others only the time and the work are compared with those of the
//! serial elision. Rounds are interleaved; `serial again` is the serial elision against itself, and `±` how far the
//! smallest and the largest are apart.

use std::env;
use std::hint::black_box;
use std::time::Instant;

use filch::{Pool, Profile, Scheduler, Strand};
use filch_bench::measure::median::Median;
use filch_bench::measure::order::order;
use filch_programs::find;

type Error = Box<dyn std::error::Error>;

/// Number of turns of a node.
#[derive(Clone, Copy)]
struct Node(u64);

impl Node {
    fn wait(self) {
        let last = (0..self.0).fold(1_u64, |number, turn| black_box(number.rotate_left(5) ^ turn));
        black_box(last);
    }

    fn wait_for(self, nodes: u64) {
        (0..nodes).for_each(|_| self.wait());
    }
}

/// A program of nodes: its depth, and how many nodes, nodes on its longest path and forks it has.
struct Known {
    name: &'static str,
    n: u32,
    run: fn(Strand<'_>, Node, u32),
    nodes: fn(u32) -> u64,
    path: fn(u32) -> u64,
    forks: fn(u32) -> u64,
}

const KNOWN: [Known; 5] = [
    Known {
        name: "fib tree",
        n: 20,
        run: fib,
        nodes: |n| 2 * number(n + 1) - 1,
        path: u64::from,
        forks: |n| number(n + 1) - 1,
    },
    Known { name: "complete tree", n: 12, run: complete, nodes: |n| 1 << n, path: |_| 1, forks: |n| (1 << n) - 1 },
    Known {
        name: "skewed tree",
        n: 2_000,
        run: skewed,
        nodes: |n| u64::from(2 * n + 1),
        path: |n| u64::from(n + 1),
        forks: u64::from,
    },
    // Eight products of half the size, four after the other four.
    Known {
        name: "matmul",
        n: 4,
        run: matmul,
        nodes: |n| 8_u64.pow(n),
        path: |n| 1 << n,
        forks: |n| 6 * (8_u64.pow(n) - 1) / 7,
    },
    // Halves, then a serial merge of as many nodes as there are leaves.
    Known {
        name: "mergesort",
        n: 9,
        run: mergesort,
        nodes: |n| u64::from(n + 1) << n,
        path: |n| (2 << n) - 1,
        forks: |n| (1 << n) - 1,
    },
];

/// The Fibonacci number of `n`.
fn number(n: u32) -> u64 {
    (0..n).fold((0, 1), |(a, b), _| (b, a + b)).0
}

fn fib(mut s: Strand<'_>, node: Node, n: u32) {
    node.wait();
    if n >= 2 {
        s.join(|s| fib(s, node, n - 1), |s| fib(s, node, n - 2));
    }
}

fn complete(mut s: Strand<'_>, node: Node, n: u32) {
    if n == 0 {
        node.wait();
    } else {
        s.join(|s| complete(s, node, n - 1), |s| complete(s, node, n - 1));
    }
}

fn skewed(mut s: Strand<'_>, node: Node, n: u32) {
    node.wait();
    if n > 0 {
        s.join(|_| node.wait(), |s| skewed(s, node, n - 1));
    }
}

fn matmul(mut s: Strand<'_>, node: Node, n: u32) {
    if n == 0 {
        return node.wait();
    }
    for _ in 0..2 {
        let two = |mut s: Strand<'_>| {
            s.join(|s| matmul(s, node, n - 1), |s| matmul(s, node, n - 1));
        };
        s.join(two, two);
    }
}

fn mergesort(mut s: Strand<'_>, node: Node, n: u32) {
    if n > 0 {
        s.join(|s| mergesort(s, node, n - 1), |s| mergesort(s, node, n - 1));
    }
    node.wait_for(1 << n);
}

const OTHERS: [&str; 3] = ["fib", "cilksort", "mandelbrot"];

fn main() -> Result<(), Error> {
    let (mut runs, mut names) = (21, Vec::new());
    for argument in env::args().skip(1).filter(|argument| argument != "--bench") {
        argument.parse().map_or_else(|_| names.push(argument), |number| runs = number);
    }
    let is_asked = |name: &str| names.is_empty() || names.iter().any(|asked| asked == name);
    let node = node();
    println!("{runs} runs, leaf {:?}", Pool::builder().workers(2).build()?.profile(|_| ()).1.leaf());
    println!(
        "{:14} {:>9}  {:22}  {:22}  {:22}  {:>11} {:>11}  {:22}  forks",
        "program", "serial", "serial again", "run/serial", "work/serial", "work ±", "span ±", "span/closed form"
    );
    for known in KNOWN.iter().filter(|known| is_asked(known.name)) {
        let nodes = (known.nodes)(known.n) as f64;
        let rows = rounds(runs, &mut |pool, records| {
            let f = |s: Strand<'_>| (known.run)(s, node, known.n);
            profile_of(pool, f, records)
        })?;
        let path = (known.path)(known.n) as f64;
        let spans: Vec<f64> = rows.serial.iter().map(|serial_s| serial_s / nodes * path).collect();
        let span = Median::of_paired_ratios(&rows.spans, &spans);
        let forks = (known.forks)(known.n);
        let is_exact = rows.forks.iter().all(|&counted| counted == forks);
        println!("{}  {:22}  {}{forks}", rows.line(known.name), span.to_string(), if is_exact { "" } else { "not " });
    }
    for name in OTHERS.iter().filter(|name| is_asked(name)) {
        let program = find(name).ok_or_else(|| format!("there is no program `{name}`"))?;
        let mut instance = program.prepare(program.sizes.default)?;
        let rows = rounds(runs, &mut |pool, records| {
            let f = |s: Strand<'_>| instance.filch(s);
            profile_of(pool, f, records)
        })?;
        instance.verify()?;
        println!("{}", rows.line(name));
    }
    Ok(())
}

/// A node of 10 µs, about.
fn node() -> Node {
    const TURNS: u64 = 10_000_000;
    let begun = Instant::now();
    Node(TURNS).wait();
    Node((TURNS as f64 * 10e-6 / begun.elapsed().as_secs_f64()) as u64)
}

/// What was measured, in seconds.
#[derive(Default)]
struct Rows {
    serial: Vec<f64>,
    again: Vec<f64>,
    runs: Vec<f64>,
    works: Vec<f64>,
    spans: Vec<f64>,
    forks: Vec<u64>,
}

impl Rows {
    fn line(&self, name: &str) -> String {
        let ratio = |of: &[f64]| Median::of_paired_ratios(of, &self.serial).to_string();
        let serial_s = Median::of(self.serial.clone()).value;
        let (again, run, work) = (ratio(&self.again), ratio(&self.runs), ratio(&self.works));
        let [works, spans] = [&self.works, &self.spans].map(|of| spread(of) * 100.0);
        format!("{name:14} {:6.1} ms  {again:22}  {run:22}  {work:22}  {works:9.1} % {spans:9.1} %", serial_s * 1e3)
    }
}

/// How far the smallest and the largest are apart, relative to the median.
fn spread(values: &[f64]) -> f64 {
    let [least, most] = [f64::min, f64::max].map(|of| values.iter().copied().reduce(of).unwrap_or(f64::NAN));
    (most - least) / Median::of(values.to_vec()).value
}

/// Runs `f`. Returns its profile if it is to be one: a profile is analysed after its run, which takes time.
fn profile_of(pool: &Pool, f: impl FnOnce(Strand<'_>) + Send, is_asked: bool) -> Option<Profile> {
    if is_asked {
        return Some(pool.profile(f).1);
    }
    pool.run(f);
    None
}

/// Runs `run` under the serial scheduler twice, under `profile` for the time, and for the profile.
fn rounds(runs: usize, run: &mut dyn FnMut(&Pool, bool) -> Option<Profile>) -> Result<Rows, Error> {
    let serial = Pool::builder().scheduler(Scheduler::serial()).build()?;
    let mut rows = Rows::default();
    for round in 0..runs {
        // What a recorder has learned of a program's sites would make its next run shorter.
        let profiled = Pool::builder().workers(2).scheduler("profile".parse()?).build()?;
        for place in order(round, 3) {
            let (pool, times) = match place {
                0 => (&serial, &mut rows.serial),
                1 => (&serial, &mut rows.again),
                _ => (&profiled, &mut rows.runs),
            };
            let begun = Instant::now();
            run(pool, false);
            times.push(begun.elapsed().as_secs_f64());
        }
        let Some(profile) = run(&profiled, true) else { continue };
        rows.works.push(profile.work().as_secs_f64());
        rows.spans.push(profile.span().as_secs_f64());
        rows.forks.push(profile.forks());
    }
    Ok(rows)
}
