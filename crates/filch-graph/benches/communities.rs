//! Measures the search for communities against the serial Louvain method. All take turns.
//!
//! ```text
//! cargo bench --profile measured -p filch-graph --bench communities -- [GRAPH [RUNS [WORKERS...]]]
//! ```
//!
//! `GRAPH` is a specification, or the name of a file with the two ends of an edge in each line. For each entrant, the
//! program prints the median of its times, and the modularity with as many seeds. With 0 runs there is no rival, and
//! one run.

use filch_graph::communities::{Communities, Method, modularity, serial};
use filch_graph::verify::verify_communities;
use filch_graph::{Csr, Graph, GraphSpec};
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let name = args.next().unwrap_or_else(|| "kronecker(16)".into());
    let runs: usize = args.next().map_or(Ok(21), |text| text.parse())?;
    let mut workers: Vec<usize> = args.map(|text| text.parse()).collect::<Result<_, _>>()?;
    if workers.is_empty() {
        workers = vec![1, 2];
    }
    let graph = graph(&name)?;
    println!("{name}: {} vertices, {} arcs", graph.num_vertices(), graph.num_arcs());
    let pools = workers.iter().map(|&workers| filch::Pool::builder().workers(workers).build());
    let pools: Vec<_> = pools.collect::<Result<_, _>>()?;
    for method in Method::ALL {
        let mut times = vec![Vec::new(); pools.len() + 1];
        let (mut found, mut least, mut most) = (Vec::new(), f64::MAX, f64::MIN);
        for seed in 0..runs.max(1) {
            found.clear();
            for (pool, times) in pools.iter().zip(&mut times) {
                let begin = Instant::now();
                let partition = pool.run(|_| Communities::new().method(method).seed(seed as u64).run(&graph))?;
                times.push(begin.elapsed().as_secs_f64());
                (least, most) = (partition.modularity.min(least), partition.modularity.max(most));
                found.push(partition);
            }
            if runs > 0 {
                let begin = Instant::now();
                let labels = serial(&graph, 1.0);
                times[pools.len()].push(begin.elapsed().as_secs_f64());
                found[0].levels = vec![labels];
            }
        }
        assert!(found.iter().all(|partition| partition.labels == found[0].labels), "the results differ");
        let summary = verify_communities(&graph, &found[0].labels, 1.0, found[0].modularity, 1e-9)?;
        for (pool, times) in pools.iter().zip(&mut times) {
            let time = median(times) * 1e3;
            println!(
                "  {method:8} {} workers {time:9.2} ms  modularity {least:.5} to {most:.5}, {} communities, {} split",
                pool.num_workers(),
                summary.communities,
                summary.disconnected,
            );
        }
        if let Some(labels) = found[0].levels.first() {
            let time = median(&mut times[pools.len()]) * 1e3;
            println!("  serial             {time:9.2} ms  modularity {:.5}", modularity(&graph, labels, 1.0));
        }
    }
    Ok(())
}

fn graph(name: &str) -> Result<Csr, Box<dyn Error>> {
    if let Ok(spec) = name.parse::<GraphSpec>() {
        return Ok(spec.generate(1)?);
    }
    let text = std::fs::read_to_string(name)?;
    let mut numbers = text.split_ascii_whitespace().map(str::parse::<u32>);
    let mut edges = Vec::new();
    while let (Some(u), Some(v)) = (numbers.next(), numbers.next()) {
        edges.push((u?, v?));
    }
    let n = edges.iter().map(|edge| edge.0.max(edge.1) as usize + 1).max().unwrap_or(0);
    Ok(Csr::builder(n).symmetrize(true).remove_duplicates(true).build(edges)?)
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
