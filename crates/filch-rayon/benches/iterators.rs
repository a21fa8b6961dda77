//! Parallel iterators on rayon and with `.filch()`, on as many threads, interleaved. The ratios compare the medians and
//! the tenth percentiles of the times of single calls; the latter say more on a machine that does other work as well.
//!
//!     cargo bench -p filch-rayon --bench iterators [-- PART-OF-A-NAME [SECONDS]]

use rayon::prelude::*;
use std::collections::HashMap;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// How long each pair is measured, in seconds.
const SECONDS: f64 = 1.5;
/// How often one of a pair is called before it is the other's turn. The first call is not timed.
const CALLS: usize = 9;
/// Between two turns, so that the threads of the other pool fall asleep.
const PAUSE: Duration = Duration::from_micros(300);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let wanted = arguments.first().map_or("", String::as_str);
    let seconds = arguments.get(1).map_or(SECONDS, |seconds| seconds.parse().expect("SECONDS is a number"));
    let threads = filch::num_workers();
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().expect("the pool of rayon");
    println!("{:32} {:>10}   {:>8} {:>10}   ({threads} threads)", "", "rayon", "median", "tenth");
    for (name, mut on_rayon, mut on_filch) in cases().into_iter().filter(|(name, ..)| name.contains(wanted)) {
        let (mut of_rayon, mut of_filch) = (Vec::new(), Vec::new());
        let begin = Instant::now();
        while begin.elapsed().as_secs_f64() < seconds {
            take_turn(&mut on_rayon, &mut of_rayon);
            take_turn(&mut on_filch, &mut of_filch);
        }
        let ([rayon, tenth_of_rayon], [filch, tenth_of_filch]) = (quantiles(of_rayon), quantiles(of_filch));
        let (median, tenth) = (filch / rayon, tenth_of_filch / tenth_of_rayon);
        println!("{name:32} {:7.1} µs   {median:8.3} {tenth:10.3}", rayon * 1e6);
    }
}

fn take_turn(call: &mut Call, times: &mut Vec<f64>) {
    std::thread::sleep(PAUSE);
    call();
    times.extend((1..CALLS).map(|_| {
        let begin = Instant::now();
        call();
        begin.elapsed().as_secs_f64()
    }));
}

/// The median and the tenth percentile.
fn quantiles(mut times: Vec<f64>) -> [f64; 2] {
    times.sort_by(f64::total_cmp);
    [times[times.len() / 2], times[times.len() / 10]]
}

type Call = Box<dyn FnMut() + Send>;
type Case = (&'static str, Call, Call);

/// In place of [`filch_rayon::Filch`] where rayon is to drive the same expression.
mod stay {
    pub(crate) trait Stay: Sized {
        fn filch(self) -> Self {
            self
        }
    }

    impl<I: rayon::iter::IndexedParallelIterator> Stay for I {}
}

/// The same expression on both, or two expressions, in a run of each pool.
macro_rules! both {
    ($name:expr, filch => $expression:expr) => {
        (
            $name,
            Box::new(move || {
                use stay::Stay as _;
                rayon::scope(|_| call(|| $expression));
            }) as Call,
            Box::new(move || {
                use filch_rayon::Filch as _;
                filch::run(|_| call(|| $expression));
            }) as Call,
        )
    };
    ($name:expr, $on_rayon:expr, $on_filch:expr) => {
        (
            $name,
            Box::new(move || rayon::scope(|_| call(|| $on_rayon))) as Call,
            Box::new(move || {
                use filch_rayon::Filch as _;
                filch::run(|_| call(|| $on_filch));
            }) as Call,
        )
    };
}

#[inline(always)]
fn call<R>(f: impl FnOnce() -> R) {
    black_box(f());
}

fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

fn cases() -> Vec<Case> {
    let million: &'static [u64] = leak((0..1_000_000).collect::<Vec<_>>());
    let mut cases = flat_loops(million);
    cases.extend(nested_loops(million));
    cases.extend([Matrix::random, Matrix::three, Matrix::power_law, Matrix::arrowhead].map(|make| multiply(make())));
    cases
}

#[rustfmt::skip]
fn flat_loops(million: &'static [u64]) -> Vec<Case> {
    let x: &'static [f64] = leak((0..1_000_000).map(f64::from).collect::<Vec<_>>());
    let thousand = &million[..1000];
    let [mut y, mut z] = [vec![0.0; x.len()], vec![0.0; x.len()]];
    vec![
        both!("sum of a million", filch => million.par_iter().filch().sum::<u64>()),
        both!("range, map, sum of a million", filch =>
            (0..1_000_000_usize).into_par_iter().filch().map(|x| x ^ (x >> 3)).sum::<usize>()),
        both!("dot product of a million", filch => x.par_iter().filch().zip(x).map(|(x, y)| x * y).sum::<f64>()),
        both!("a million sines", filch => x.par_iter().filch().map(|x| x.sin()).sum::<f64>()),
        both!("zip into a million",
            y.par_iter_mut().zip(x).for_each(|(y, x)| *y += 2.0 * x),
            z.par_iter_mut().filch().zip(x).for_each(|(z, x)| *z += 2.0 * x)),
        both!("filter and count a million", filch => million.par_iter().filch().filter(|&&x| x % 3 == 0).count()),
        both!("find the last of a million", filch => million.par_iter().filch().find_any(|&&x| x == 999_999)),
        both!("map and collect a million", filch => million.par_iter().filch().map(|x| x * 3).collect::<Vec<_>>()),
        both!("filter and collect a million", filch =>
            million.par_iter().filch().filter(|&&x| x % 3 == 0).copied().collect::<Vec<_>>()),
        both!("chunks of 1,000, enumerated", filch =>
            million.par_chunks(1000).filch().enumerate().map(|(i, c)| i as u64 ^ c.iter().sum::<u64>()).sum::<u64>()),
        both!("histogram by fold and reduce", filch => million.par_iter().filch()
            .fold(HashMap::new, |mut map, x| { *map.entry(x * 7 % 1000).or_insert(0) += 1; map })
            .reduce(HashMap::new, |mut a, b| { b.into_iter().for_each(|(k, n)| *a.entry(k).or_insert(0) += n); a })),
        both!("triangle", filch =>
            (0..3000_usize).into_par_iter().filch().map(|i| million[..i].iter().map(|x| x ^ 5).sum::<u64>()).max()),
        both!("a sum of 1,000", filch => thousand.par_iter().filch().sum::<u64>()),
        (
            "a sum of 1,000 from outside",
            Box::new(|| call(|| thousand.par_iter().sum::<u64>())),
            Box::new(|| call(|| filch_rayon::Filch::filch(thousand.par_iter()).sum::<u64>())),
        ),
    ]
}

#[rustfmt::skip]
fn nested_loops(million: &'static [u64]) -> Vec<Case> {
    vec![
        both!("1,000 sums of 1,000, nested", filch =>
            million.par_chunks(1000).filch().map(|c| c.par_iter().filch().sum::<u64>()).max()),
        both!("100,000 sums of 10, nested", filch =>
            million.par_chunks(10).filch().map(|c| c.par_iter().filch().sum::<u64>()).max()),
        both!("flat_map of a thousand", filch =>
            (0..1000_usize).into_par_iter().filch().flat_map(|i| (0..i).into_par_iter().filch()).sum::<usize>()),
        both!("a tree by its children", filch => {
            fn visit(children: u64, depth: u64) -> u64 {
                if depth == 0 {
                    return 1;
                }
                let children: Vec<u64> = (0..children).map(|child| 2 + (children + child) % 3).collect();
                1 + children.par_iter().filch().map(|&n| visit(n, depth - 1)).sum::<u64>()
            }
            visit(3, 9)
        }),
    ]
}

/// A product of a matrix and a vector: on Filch as it is written, on rayon tuned by hand. There, rows come in blocks,
/// and only long ones are loops of their own.
fn multiply(matrix: Matrix) -> Case {
    let matrix: &'static Matrix = leak(matrix);
    let x: &'static [f64] = leak((0..matrix.rows()).map(|place| (1 + place * 3 % 8) as f64).collect::<Vec<_>>());
    let [mut y, mut z] = [vec![0.0; x.len()], vec![0.0; x.len()]];
    let term = |&(column, value): &(u32, f64)| value * x[column as usize];
    both!(
        matrix.name,
        y.par_iter_mut().with_min_len(256).enumerate().for_each(|(row, y)| {
            let entries = matrix.row(row);
            *y = match entries.len() {
                0..16_384 => entries.iter().map(term).sum(),
                _ => entries.par_iter().with_min_len(4096).map(term).sum(),
            };
        }),
        z.par_iter_mut().filch().enumerate().for_each(|(row, z)| {
            *z = matrix.row(row).par_iter().filch().map(term).sum();
        })
    )
}

/// A sparse matrix in compressed rows.
struct Matrix {
    name: &'static str,
    starts: Vec<usize>,
    entries: Vec<(u32, f64)>,
}

impl Matrix {
    fn of_rows(name: &'static str, rows: usize, len: impl Fn(usize) -> usize) -> Self {
        let mut random = fastrand::Rng::with_seed(1);
        let (mut starts, mut entries) = (vec![0], Vec::new());
        for row in 0..rows {
            entries.extend((0..len(row)).map(|_| (random.u32(0..rows as u32), f64::from(random.u8(1..9)))));
            starts.push(entries.len());
        }
        Matrix { name, starts, entries }
    }

    /// Rows of 0 to 29 entries.
    fn random() -> Self {
        Self::of_rows("SpMV, rows of 0 to 29", 100_000, |row| row * 7919 % 30)
    }

    fn three() -> Self {
        Self::of_rows("SpMV, rows of 3", 500_000, |_| 3)
    }

    /// Rows of n, n/2, n/3 ... entries.
    fn power_law() -> Self {
        Self::of_rows("SpMV, rows by a power law", 100_000, |row| 100_000 / (row + 1))
    }

    /// The first row is as long as all others together.
    fn arrowhead() -> Self {
        Self::of_rows("SpMV, an arrowhead", 500_000, |row| if row == 0 { 500_000 } else { 1 })
    }

    fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    fn row(&self, row: usize) -> &[(u32, f64)] {
        &self.entries[self.starts[row]..self.starts[row + 1]]
    }
}
