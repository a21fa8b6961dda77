//! Measures betweenness against the serial algorithm. Both take turns.
//!
//! ```text
//! cargo run --profile measured -p filch-graph --example betweenness -- [GRAPH [SOURCES [RUNS]]]
//! ```
//!
//! For each way to share the work, the median of the ratios of the serial time to this one in the same round, between
//! its quartiles, so more than 1 is faster; and the medians of both times.

use filch_graph::betweenness::{Betweenness, Share, serial};
use filch_graph::{Csr, Graph, GraphSpec};
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let spec: GraphSpec = args.next().as_deref().unwrap_or("kronecker(16)").parse()?;
    let mut number = |usual: usize| args.next().map_or(Ok(usual), |text| text.parse());
    let (count, runs) = (number(16)?, number(21)?);
    let graph: Csr = spec.generate(1)?;
    println!("{spec}: {} vertices, {} arcs, {count} sources", graph.num_vertices(), graph.num_arcs());
    let options = Betweenness::new().sample(count, 1).normalized(false);
    let sources = options.run(&graph)?.sources;

    let mut entrants = Vec::new();
    for workers in [1, 2] {
        for share in [Share::Sources, Share::Levels] {
            let pool = filch::Pool::builder().workers(workers).build()?;
            entrants.push((workers, share, pool, Vec::new()));
        }
    }
    let mut rivals = Vec::new();
    for run in 0..=runs {
        let (expected, rival) = timed(|| serial(&graph, &sources));
        for (.., share, pool, times) in &mut entrants {
            let solve = || options.share(*share).run_from(&graph, &sources);
            let (found, time) = timed(|| pool.run(|_| solve()));
            let found = found?;
            let is_near = |(a, b): (&f64, &f64)| (a * found.factor - b).abs() <= 1e-9 * b.abs();
            assert!(expected.iter().zip(&found.scores).all(is_near), "the scores differ");
            // The first run is a warm-up.
            if run > 0 {
                times.push(time);
            }
        }
        if run > 0 {
            rivals.push(rival);
        }
    }
    for (workers, share, _, times) in &entrants {
        let mut ratios: Vec<f64> = rivals.iter().zip(times).map(|(rival, time)| rival / time).collect();
        let [low, median, high] = quartiles(&mut ratios);
        let [time, rival] = [times, &rivals].map(|times| quartiles(&mut times.clone())[1] * 1e3);
        println!(
            "  {workers} workers, {share:8} {median:6.2} [{low:.2}, {high:.2}]  {time:8.1} ms against {rival:8.1}"
        );
    }
    Ok(())
}

fn timed<R>(solve: impl FnOnce() -> R) -> (R, f64) {
    let begin = Instant::now();
    let result = solve();
    (result, begin.elapsed().as_secs_f64())
}

fn quartiles(values: &mut [f64]) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    [1, 2, 3].map(|quarter| values[quarter * (values.len() - 1) / 4])
}
