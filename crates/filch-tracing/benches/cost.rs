//! What it costs that a span follows: `cargo bench -p filch-tracing --bench cost`. Prints, for each way, the
//! median of the times of fib(27), divided by its forks, on one worker.

use filch::{Pool, Strand};
use filch_tracing::{FollowingStrand, in_span};
use std::hint::black_box;
use std::time::Instant;
use tracing::{Span, info_span};

const N: u32 = 27;
const RUNS: usize = 21;

type Way = fn(Strand<'_>, u32) -> u32;

fn plain(mut s: Strand<'_>, n: u32) -> u32 {
    if n < 2 {
        return n;
    }
    let (a, b) = s.join(|s| plain(s, n - 1), |s| plain(s, n - 2));
    a + b
}

fn follows(mut s: Strand<'_>, n: u32) -> u32 {
    if n < 2 {
        return n;
    }
    let (a, b) = s.join_following(|s| follows(s, n - 1), |s| follows(s, n - 2));
    a + b
}

fn captured(mut s: Strand<'_>, n: u32) -> u32 {
    if n < 2 {
        return n;
    }
    let span = Span::current();
    let (a, b) = s.join(|s| captured(s, n - 1), move |s| span.in_scope(|| captured(s, n - 2)));
    a + b
}

fn main() {
    tracing_subscriber::fmt().with_writer(std::io::sink).init();
    let pool = Pool::builder().workers(1).build().expect("a pool of one worker");
    let span = info_span!("fib");
    let forks = f64::from(pool.run(|s| plain(s, N + 1))) - 1.0;
    let ways: [(&str, Way); 3] = [("plain", plain), ("follows", follows), ("captured at each fork", captured)];
    let mut times = ways.map(|_| Vec::new());
    for _ in 0..RUNS {
        for ((_, way), times) in ways.iter().zip(&mut times) {
            let begin = Instant::now();
            black_box(in_span(&span, || pool.run(|s| way(s, black_box(N)))));
            times.push(begin.elapsed().as_secs_f64() * 1e9 / forks);
        }
    }
    for ((name, _), times) in ways.iter().zip(&mut times) {
        times.sort_by(f64::total_cmp);
        println!("{name}: {:.2} ns per fork", times[RUNS / 2]);
    }
}
