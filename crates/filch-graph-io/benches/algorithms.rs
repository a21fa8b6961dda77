//! Measures PageRank, triangle counting, coreness and strongly connected components against the serial algorithms, on
//! serialized graphs of the GAP Benchmark Suite (`.sg`) or on generated graphs:
//!
//! ```sh
//! cargo bench -p filch-graph-io --bench algorithms -- [--runs R] [--workers 1,2] [--only NAME] \
//!   [--arcs SHARE] FILE.sg|'kronecker(20)' ...
//! ```
//!
//! Strongly connected components are found in the graph with only that share of its arcs (0.5), drawn with a fixed
//! seed. For each algorithm, the program prints the medians of the times and of the processor times of all threads, in
//! milliseconds, and the median of the ratios of the serial time and this time in the same run, so a ratio above 1
//! says how many times as fast the algorithm is. The entrants take turns, after one round to warm up, and all results
//! are compared.

use filch::Pool;
use filch_graph::pagerank::{self, PageRank, Update};
use filch_graph::scc::{self, Scc};
use filch_graph::triangles::{self, Order, Triangles};
use filch_graph::{Csr, Graph, cores};
use rustix::time::{ClockId, clock_gettime};
use std::error::Error;
use std::time::Instant;

mod graph;
use graph::graph;

/// An algorithm. It returns a number that must be the same for all entrants.
type Solve<'a> = Box<dyn Fn() -> u64 + Send + Sync + 'a>;

/// A name, the serial algorithm, and others by name.
type Problem<'a> = (&'a str, Solve<'a>, Vec<(String, Solve<'a>)>);

struct Entrant<'a> {
    name: String,
    pool: Option<&'a Pool>,
    solve: Solve<'a>,
    seconds: Vec<f64>,
    /// The processor times of all threads.
    busy: Vec<f64>,
}

fn processor_time() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Lets the entrants take turns; the first one is the serial algorithm.
fn measure(mut entrants: Vec<Entrant<'_>>, runs: usize) {
    for round in 0..=runs {
        let mut expected = None;
        for entrant in &mut entrants {
            let (begin, busy) = (Instant::now(), processor_time());
            let found = match entrant.pool {
                Some(pool) => pool.run(|_| (entrant.solve)()),
                None => (entrant.solve)(),
            };
            let time = begin.elapsed().as_secs_f64();
            assert_eq!(*expected.get_or_insert(found), found, "{}", entrant.name);
            if round > 0 {
                entrant.seconds.push(time);
                entrant.busy.push(processor_time() - busy);
            }
        }
    }
    for entrant in &entrants {
        let ratios = entrants[0].seconds.iter().zip(&entrant.seconds).map(|(serial, own)| serial / own).collect();
        let [time, busy] = [&entrant.seconds, &entrant.busy].map(|times| median(times.clone()) * 1e3);
        println!("  {:34} {time:10.2} {busy:10.2} {:7.2}", entrant.name, median(ratios));
    }
}

fn measure_all(graph: &Csr, pools: &[Pool], runs: usize, only: Option<&str>, share: f64) -> Result<(), Box<dyn Error>> {
    let mut rng = fastrand::Rng::with_seed(27_491_095);
    let n = graph.num_vertices();
    let vertices = 0..n as u32;
    let arcs = vertices.flat_map(|u| graph.row(u).iter().map(move |&v| (u, v))).filter(|_| rng.f64() < share);
    let directed: Csr = Csr::builder(n).build(arcs)?;

    let ranks = |update| move || PageRank::new().update(update).run(graph).iterations as u64 / 20;
    let count = |order| move || Triangles::new().order(order).run(graph).expect("the graph is undirected").count;
    let sum = |coreness: &[u32]| coreness.iter().map(|&value| u64::from(value)).sum();
    let peeled = || sum(&cores::cores(graph).expect("the graph is undirected").coreness);
    let checksum = |labels: &[u32]| labels.iter().map(|&label| u64::from(label)).sum();
    let directed = &directed;
    let strong = |algorithm| move || checksum(Scc::new().algorithm(algorithm).run(directed).labels());
    let problems: Vec<Problem<'_>> = vec![
        (
            "pagerank",
            Box::new(|| pagerank::serial(graph, PageRank::new()).iterations as u64 / 20),
            Update::ALL.map(|update| (update.to_string(), Box::new(ranks(update)) as Solve<'_>)).into(),
        ),
        (
            "triangles",
            Box::new(|| triangles::serial(graph)),
            Order::ALL.map(|order| (order.to_string(), Box::new(count(order)) as Solve<'_>)).into(),
        ),
        ("cores", Box::new(|| sum(&cores::serial(graph))), vec![("peeling".into(), Box::new(peeled))]),
        (
            "scc",
            Box::new(|| checksum(&scc::serial(directed))),
            scc::Algorithm::ALL
                .map(|algorithm| (algorithm.to_string(), Box::new(strong(algorithm)) as Solve<'_>))
                .into(),
        ),
    ];
    for (problem, serial, methods) in &problems {
        let is_wanted = |name: &str| only.is_none_or(|only| name.starts_with(only));
        let mut entrants = vec![Entrant {
            name: format!("{problem}, serial"),
            pool: None,
            solve: Box::new(serial),
            seconds: vec![],
            busy: vec![],
        }];
        for (method, solve) in methods {
            for pool in pools {
                let name = format!("{problem}, {method}");
                if is_wanted(&name) {
                    let name = format!("{name}, {} workers", pool.num_workers());
                    entrants.push(Entrant {
                        name,
                        pool: Some(pool),
                        solve: Box::new(solve),
                        seconds: vec![],
                        busy: vec![],
                    });
                }
            }
        }
        if entrants.len() > 1 {
            measure(entrants, runs);
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut runs, mut workers, mut only, mut share) = (5, vec![1, 2], None, 0.5);
    let mut args = std::env::args().skip(1).filter(|argument| argument != "--bench");
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or(format!("{arg} needs a value"));
        match &*arg {
            "--runs" => runs = value()?.parse::<usize>()?.max(1),
            "--workers" => workers = value()?.split(',').map(str::parse).collect::<Result<_, _>>()?,
            "--only" => only = Some(value()?),
            "--arcs" => share = value()?.parse()?,
            name => {
                let graph = graph(name)?;
                println!("{name}: {} vertices, {} arcs", graph.num_vertices(), graph.num_arcs());
                println!("  {:34} {:>10} {:>10} {:>7}", "", "ms", "busy", "ratio");
                let pools = workers.iter().map(|&workers| Pool::builder().workers(workers).build());
                measure_all(&graph, &pools.collect::<Result<Vec<_>, _>>()?, runs, only.as_deref(), share)?;
            }
        }
    }
    Ok(())
}
