//! Measures the structural problems against their serial rivals. All take turns.
//!
//! ```text
//! cargo bench --profile measured -p filch-graph --bench structure -- [GRAPH [RUNS [PROBLEM,…]]]
//! ```
//!
//! For each problem and number of workers, the median of the ratios of the serial time to its own in the same round,
//! between its quartiles, so more than 1 is faster; and the medians of both times. All results are compared.
//! Topological order is that of the graph with its edges from smaller to larger vertices.

mod timing;

use filch_graph::biconnected::{self, biconnected};
use filch_graph::bipartite::{self, bipartite};
use filch_graph::clustering::{self, clustering};
use filch_graph::colouring::{self, Order, colouring};
use filch_graph::maximal_independent_set::{self, maximal_independent_set};
use filch_graph::maximal_matching::{self, maximal_matching};
use filch_graph::topological_order::{self, topological_order};
use filch_graph::truss::{self, truss};
use filch_graph::{Csr, Graph, GraphSpec, Rules};
use std::error::Error;
use timing::{quartiles, timed};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let spec: GraphSpec = args.next().as_deref().unwrap_or("kronecker(18)").parse()?;
    let runs = args.next().map_or(Ok(21), |text| text.parse())?;
    let only = args.next();
    let rules = Rules { symmetrize: true, remove_duplicates: true, remove_self_loops: true };
    let graph: Csr = spec.generate::<u32>(1)?.by_rules(rules, &())?;
    let n = graph.num_vertices();
    let up = (0..n as u32).flat_map(|u| graph.row(u).iter().filter(move |&&v| u < v).map(move |&v| (u, v)));
    let dag: Csr = Csr::builder(n).build(up.collect::<Vec<_>>())?;
    println!("{spec}: {n} vertices, {} edges", graph.num_arcs() / 2);
    let pools = [filch::Pool::builder().workers(1).build()?, filch::Pool::builder().workers(2).build()?];
    let measures = |name: &str| only.as_ref().is_none_or(|only| only.split(',').any(|one| one == name));
    macro_rules! measure {
        ($name:literal, $solve:expr, $serial:expr) => {
            if measures($name) {
                measure($name, &pools, runs, &|| $solve, &|| $serial);
            }
        };
    }
    let g = &graph;
    measure!("order", topological_order(&dag).ok().map(|found| found.order.len()), {
        topological_order::serial(&dag).map(|order| order.len())
    });
    measure!("set", maximal_independent_set(g).ok().map(|found| found.vertices), {
        Some(maximal_independent_set::serial(g, 1))
    });
    measure!("matching", maximal_matching(g).ok().map(|found| found.mates), Some(maximal_matching::serial(g, 1)));
    measure!("colouring", colouring(g).ok().map(|found| found.colours), {
        Some(colouring::serial(g, Order::LargestLogDegree, 1))
    });
    measure!("bipartite", bipartite(g).ok().map(|found| found.sides), bipartite::serial(g));
    measure!("biconnected", biconnected(g).ok(), Some(biconnected::serial(g)));
    measure!("clustering", clustering(g).ok().map(|found| found.triangles), Some(clustering::serial(g)));
    measure!("truss", truss(g).ok().map(|found| found.trussness), Some(truss::serial(g)));
    Ok(())
}

fn measure<R: PartialEq + Send>(
    name: &str,
    pools: &[filch::Pool],
    runs: usize,
    solve: &(dyn Fn() -> R + Sync),
    serial: &dyn Fn() -> R,
) {
    let (mut rivals, mut times) = (Vec::new(), vec![Vec::new(); pools.len()]);
    // The first round is a warm-up.
    for round in 0..=runs {
        let (expected, rival) = timed(serial);
        for (pool, times) in pools.iter().zip(&mut times) {
            let (found, time) = timed(|| pool.run(|_| solve()));
            assert!(found == expected, "the results of {name} differ");
            if round > 0 {
                times.push(time);
            }
        }
        if round > 0 {
            rivals.push(rival);
        }
    }
    for (pool, times) in pools.iter().zip(&times) {
        let [low, median, high] = quartiles(rivals.iter().zip(times).map(|(rival, time)| rival / time).collect());
        let [time, rival] = [times, &rivals].map(|times| quartiles(times.clone())[1] * 1e3);
        let workers = pool.num_workers();
        println!("  {name:11} {workers} workers {median:6.2} [{low:.2}, {high:.2}]  {time:8.1} ms, {rival:8.1}");
    }
}
