//! Compares the algorithms for spanning forests with the serial traversal with a stack. Both are run repeatedly in
//! turns. The table shows the median of the ratios of their times, with a 95 % confidence interval.
//!
//! ```text
//! cargo bench -p filch-graph --bench forest -- [--workers 1,2] [--runs 21] [--algorithms auto,pull,...] \
//!     [--root V] [--against ALGORITHM] [GRAPH...]
//! ```
//!
//! The default graphs are those of the table in `docs/graphs.md`. A ratio above 1 means that the algorithm is faster by
//! this factor than the serial traversal, or than the algorithm given by `--against` on the same number of workers. The
//! times include the allocation of the result.

use filch_graph::forest::{Algorithm, Forest, serial};
use filch_graph::{Csr, Graph, GraphSpec};
use std::hint::black_box;
use std::time::Instant;

const GRAPHS: [&str; 5] =
    ["random(4000000,2)", "kronecker(21)", "hypercube(21)", "torus(2000),shuffled", "meshes(600,1900)"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut workers, mut runs, mut algorithms) = (vec![1, 2], 21, Algorithm::ALL[..6].to_vec());
    let (mut root, mut against, mut graphs) = (None, None, Vec::new());
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--workers" => workers = value()?.split(',').map(str::parse).collect::<Result<_, _>>()?,
            "--runs" => runs = value()?.parse()?,
            "--algorithms" => algorithms = value()?.split(',').map(str::parse).collect::<Result<_, _>>()?,
            "--root" => root = Some(value()?.parse()?),
            "--against" => against = Some(value()?.parse::<Algorithm>()?),
            _ => graphs.push(argument),
        }
    }
    if graphs.is_empty() {
        graphs = GRAPHS.map(String::from).to_vec();
    }
    for spec in &graphs {
        let graph: Csr = spec.parse::<GraphSpec>()?.generate(1)?;
        println!("{spec}: {} vertices, {} arcs", graph.num_vertices(), graph.num_arcs());
        for &workers in &workers {
            let pool = filch::Pool::builder().workers(workers).build()?;
            for &algorithm in &algorithms {
                let any = root.map_or(Forest::new(), |root| Forest::new().root(root));
                let once = |algorithm| pool.run(|_| any.algorithm(algorithm).run(&graph));
                let forest = once(algorithm)?;
                let (mut ratios, mut rivals, mut times) = (Vec::new(), Vec::new(), Vec::new());
                for _ in 0..runs {
                    let rival = match against {
                        None => seconds(|| drop(black_box(serial(&graph)))),
                        Some(other) => seconds(|| drop(black_box(once(other)))),
                    };
                    let time = seconds(|| drop(black_box(once(algorithm))));
                    ratios.push(rival / time);
                    rivals.push(rival * 1e3);
                    times.push(time * 1e3);
                }
                let (low, median, high) = interval(&mut ratios);
                let (time, rival) = (interval(&mut times).1, interval(&mut rivals).1);
                println!(
                    "  {workers} workers  {algorithm:20} {median:6.2} [{low:.2}, {high:.2}]  \
                     {time:8.1} ms against {rival:8.1}  {} {:?}",
                    forest.algorithm, forest.counts,
                );
            }
        }
    }
    Ok(())
}

fn seconds(body: impl FnOnce()) -> f64 {
    let start = Instant::now();
    body();
    start.elapsed().as_secs_f64()
}

/// The median of `values` between the ends of its 95 % confidence interval (order statistics with a normal
/// approximation).
fn interval(values: &mut [f64]) -> (f64, f64, f64) {
    values.sort_by(f64::total_cmp);
    let n = values.len() as f64;
    let half = 0.98 * n.sqrt();
    let at = |rank: f64| values[(rank.round().max(0.0) as usize).min(values.len() - 1)];
    (at((n - 1.0) / 2.0 - half), at((n - 1.0) / 2.0), at((n - 1.0) / 2.0 + half))
}
