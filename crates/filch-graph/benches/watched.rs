//! Measures the cost of a watch: generates a graph without a watch, with a watch that counts, and again without one.
//!
//! ```sh
//! cargo bench -p filch-graph --bench watched -- 'random(500000,4)' 21
//! ```

use std::env;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use filch_graph::{Csr, GraphSpec, Pass, Watch};

#[derive(Default)]
struct Counter(AtomicUsize);

impl Watch for Counter {
    fn begin(&self, _: Pass) {}

    fn advance(&self, count: usize) {
        self.0.fetch_add(count, Ordering::Relaxed);
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = env::args().skip(1).filter(|argument| argument != "--bench");
    let spec: GraphSpec = args.next().as_deref().unwrap_or("random(500000,4)").parse()?;
    let runs: usize = args.next().map_or(Ok(21), |runs| runs.parse())?;
    let counter = Counter::default();
    let watches: [&dyn Watch; 3] = [&(), &counter, &()];
    let mut ratios = [Vec::new(), Vec::new()];
    for run in 0..=runs {
        let mut times = [0.0; 3];
        for turn in 0..watches.len() {
            // The order changes from run to run.
            let place = (run + turn) % watches.len();
            let start = Instant::now();
            let _: Csr = spec.generate_watched(1, watches[place])?;
            times[place] = start.elapsed().as_secs_f64();
        }
        // The first run is a warm-up.
        if run > 0 {
            (0..2).for_each(|other| ratios[other].push(times[other + 1] / times[0]));
        }
    }
    println!("{spec}, {} workers, median of {runs} ratios to the time without a watch:", filch::num_workers());
    for (name, ratios) in ["counting", "without, again"].iter().zip(&mut ratios) {
        ratios.sort_by(f64::total_cmp);
        let [low, median, high] = [runs / 4, runs / 2, 3 * runs / 4].map(|place| ratios[place]);
        println!("  {name:16} {median:.3}, quartiles {low:.3} and {high:.3}");
    }
    Ok(())
}
