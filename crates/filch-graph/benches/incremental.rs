//! Measures batches of edges against components from scratch. Both take turns.
//!
//! ```text
//! cargo bench --profile measured -p filch-graph --bench incremental -- [RUNS [WORKERS [GRAPH...]]]
//! ```
//!
//! Of the edges of a graph, in a random order, all but one in a hundred have been added before. For that last one, the
//! program prints the median of the ratios of the time for the batch and the time for the components of the whole graph
//! in the same round, between its quartiles; and the medians of both times.

mod timing;

use filch_graph::components::{IncrementalComponents, components};
use filch_graph::{Csr, Graph, GraphSpec};
use std::error::Error;
use timing::{quartiles, timed};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let runs = args.next().map_or(Ok(21), |text| text.parse())?;
    let workers = args.next().map_or(Ok(1), |text| text.parse())?;
    let mut graphs: Vec<String> = args.collect();
    if graphs.is_empty() {
        graphs = ["kronecker(18)", "kronecker(20)", "uniform(18)", "uniform(20)"].map(String::from).into();
    }
    let pool = filch::Pool::builder().workers(workers).build()?;
    for text in graphs {
        let graph: Csr = text.parse::<GraphSpec>()?.generate(1)?;
        let mut edges: Vec<_> = graph.edges().map(|(u, v, ())| (u, v)).collect();
        let mut rng = fastrand::Rng::with_seed(1);
        rng.shuffle(&mut edges);
        let (old, new) = edges.split_at(edges.len() - edges.len() / 100);
        let mut times = Vec::new();
        for round in 0..=runs {
            let mut found = IncrementalComponents::<u32>::new(graph.num_vertices());
            let measured = pool.run(|_| -> Result<_, Box<dyn Error + Send + Sync>> {
                found.add_edges(old)?;
                found.labels();
                let (joined, batch) = timed(|| found.add_edges(new));
                let (all, scratch) = timed(|| components(&graph));
                assert_eq!(found.labels(), all.labels(), "the results differ");
                Ok((joined?, batch, scratch))
            });
            let (joined, batch, scratch) = measured.map_err(|error| error.to_string())?;
            if round == 0 {
                println!("{text}, {workers} workers: {} edges in the batch, {joined} join components", new.len());
            } else {
                times.push([batch / scratch, batch * 1e3, scratch * 1e3]);
            }
        }
        let [ratios, batch, scratch] = [0, 1, 2].map(|at| quartiles(times.iter().map(|time| time[at]).collect()));
        println!("  {:.3} [{:.3}, {:.3}]  {:.3} ms, {:.3} ms", ratios[1], ratios[0], ratios[2], batch[1], scratch[1]);
    }
    Ok(())
}
