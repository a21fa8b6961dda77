//! Measures betweenness, also of edges and by weights, and closeness against the serial algorithms. All take turns.
//!
//! ```text
//! cargo bench --profile measured -p filch-graph --bench centrality -- [GRAPH [SOURCES [RUNS]]]
//! ```
//!
//! With 0 runs, only betweenness runs, three times from other sources, and the mean of the last two times is printed:
//! to take turns with `bc -i SOURCES -n 3` of the GAP Benchmark Suite (Beamer, Asanović and Patterson 2015).
//!
//! For each entrant, the median of the ratios of the serial time to its own in the same round, between its quartiles,
//! so more than 1 is faster; and the medians of both times. All results are compared.

mod timing;

use filch_graph::betweenness::{self, Betweenness, Share};
use filch_graph::closeness::{self, Closeness};
use filch_graph::{Csr, Graph, GraphSpec};
use std::error::Error;
use timing::{quartiles, timed};

/// An algorithm, which returns numbers that must be nearly the same for all entrants.
type Solve<'a> = Box<dyn Fn() -> Vec<f64> + Send + Sync + 'a>;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let spec: GraphSpec = args.next().as_deref().unwrap_or("kronecker(16)").parse()?;
    let mut number = |usual: usize| args.next().map_or(Ok(usual), |text| text.parse());
    let (count, runs) = (number(64)?, number(21)?);
    let graph: &Csr = &spec.generate(1)?;
    println!("{spec}: {} vertices, {} arcs, {count} sources", graph.num_vertices(), graph.num_arcs());
    if runs == 0 {
        return alone(graph, count);
    }
    let options = Betweenness::new().sample(count, 1);
    let sources = &options.sources(graph);
    let (factor, of_edges) = (options.factor(graph, sources.len()), options.edge_factor(graph, sources.len()));
    let scaled = |sums: Vec<f64>, factor: f64| sums.into_iter().map(|sum| sum * factor).collect::<Vec<f64>>();
    let between = |share| {
        let solve = move || options.share(share).run(graph).expect("few paths").scores;
        (share.to_string(), Box::new(solve) as Solve<'_>)
    };
    let serially = || scaled(betweenness::serial(graph, sources), factor);
    measure("betweenness", &serially, vec![between(Share::Sources), between(Share::Levels)], runs)?;
    let edges = Box::new(|| options.edges(graph).expect("few paths").scores);
    let serially = || scaled(betweenness::serial_edges(graph, sources), of_edges);
    measure("of edges", &serially, vec![("levels".into(), edges)], runs)?;
    let roads = &graph.clone().with_uniform_weights(1..=255, 1);
    let vertices = Box::new(|| options.weighted(roads).expect("few paths").scores);
    let serially = || scaled(betweenness::serial_weighted(roads, sources), factor);
    measure("weighted", &serially, vec![("sources".into(), vertices)], runs)?;
    let edges = Box::new(|| options.weighted_edges(roads).expect("few paths").scores);
    let serially = || scaled(betweenness::serial_weighted_edges(roads, sources), of_edges);
    measure("weighted, of edges", &serially, vec![("sources".into(), edges)], runs)?;
    let near = Box::new(|| Closeness::new().run_from(graph, sources).harmonic());
    let serially = || closeness::serial(graph, sources).into_iter().map(|sums| sums.harmonic).collect();
    measure("closeness", &serially, vec![("batches".into(), near)], runs)
}

/// Measures betweenness without a rival, from vertices that have arcs.
fn alone(graph: &Csr, count: usize) -> Result<(), Box<dyn Error>> {
    let mut rng = fastrand::Rng::with_seed(1);
    let vertices = std::iter::repeat_with(|| rng.u32(0..graph.num_vertices() as u32));
    let sources: Vec<u32> = vertices.filter(|&v| graph.degree(v) > 0).take(3 * count).collect();
    for workers in [1, 2] {
        let pool = filch::Pool::builder().workers(workers).build()?;
        let time = |sources: &[u32]| timed(|| pool.run(|_| Betweenness::new().run_from(graph, sources).is_ok())).1;
        let times: Vec<f64> = sources.chunks(count).map(time).collect();
        println!("  betweenness, {workers} workers {:.2} ms", (times[1] + times[2]) / 2.0 * 1e3);
    }
    Ok(())
}

fn measure(
    name: &str,
    serial: &dyn Fn() -> Vec<f64>,
    entrants: Vec<(String, Solve<'_>)>,
    runs: usize,
) -> Result<(), Box<dyn Error>> {
    let pools = [1, 2].map(|workers| filch::Pool::builder().workers(workers).build());
    let [one, two] = pools;
    let pools = [one?, two?];
    let (mut rivals, mut times) = (Vec::new(), vec![Vec::new(); entrants.len() * pools.len()]);
    for run in 0..=runs {
        let (expected, rival) = timed(serial);
        let each = entrants.iter().flat_map(|(_, solve)| pools.iter().map(move |pool| (solve, pool)));
        for ((solve, pool), times) in each.zip(&mut times) {
            let (found, time) = timed(|| pool.run(|_| solve()));
            let is_near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-9 * a.abs();
            assert!(expected.iter().zip(&found).all(is_near), "the results differ");
            // The first run is a warm-up.
            if run > 0 {
                times.push(time);
            }
        }
        if run > 0 {
            rivals.push(rival);
        }
    }
    let each = entrants.iter().flat_map(|(how, _)| pools.iter().map(move |pool| (how, pool.num_workers())));
    for ((how, workers), times) in each.zip(&times) {
        let ratios = rivals.iter().zip(times).map(|(rival, time)| rival / time).collect();
        let [low, median, high] = quartiles(ratios);
        let [time, rival] = [times, &rivals].map(|times| quartiles(times.clone())[1] * 1e3);
        println!("  {name}, {how:8} {workers} workers {median:6.2} [{low:.2}, {high:.2}]  {time:8.1} ms, {rival:8.1}");
    }
    Ok(())
}
