//! Measures every algorithm on a graph and on the same arrays borrowed, with offsets and targets of several types:
//!
//! ```sh
//! cargo bench -p filch-graph-io --bench views -- [RUNS [WORKERS [GRAPH...]]]
//! ```
//!
//! For each algorithm and each type of numbers, the program prints the median of the ratios of the processor time of
//! all threads on the view and that on the graph in the same round, with the quartiles. The entrants take turns, after
//! a round to warm up.

use filch::Pool;
use filch_algorithms::tabulate;
use filch_graph::components::components;
use filch_graph::cores::cores;
use filch_graph::forest::forest;
use filch_graph::msf::msf;
use filch_graph::pagerank::pagerank;
use filch_graph::scc::scc;
use filch_graph::sssp::sssp;
use filch_graph::triangles::triangles;
use filch_graph::{Csr, CsrView, Graph, GraphSpec, RowsView, Vertex, WeightedGraph, bfs::bfs};
use rustix::time::{ClockId, clock_gettime};
use std::error::Error;
use std::hint::black_box;

const NAMES: [&str; 9] = ["bfs", "components", "forest", "scc", "cores", "triangles", "pagerank", "sssp", "msf"];

/// The processor time of all threads so far, in seconds.
fn processor_time() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// The times of all algorithms on a graph.
fn times<G: WeightedGraph>(graph: &G, root: usize) -> [f64; 9] {
    let timed = |solve: &dyn Fn()| {
        let begin = processor_time();
        solve();
        processor_time() - begin
    };
    [
        timed(&|| _ = black_box(bfs(graph, G::Vertex::new(root)))),
        timed(&|| _ = black_box(components(graph))),
        timed(&|| _ = black_box(forest(graph)).is_ok()),
        timed(&|| _ = black_box(scc(graph))),
        timed(&|| _ = black_box(cores(graph)).is_ok()),
        timed(&|| _ = black_box(triangles(graph)).is_ok()),
        timed(&|| _ = black_box(pagerank(graph))),
        timed(&|| _ = black_box(sssp(graph, G::Vertex::new(root))).is_ok()),
        timed(&|| _ = black_box(msf(graph))),
    ]
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let runs = arguments.next().map_or(Ok(21), |runs| runs.parse())?;
    let workers = arguments.next().map_or(Ok(1), |workers| workers.parse())?;
    let mut graphs: Vec<String> = arguments.collect();
    if graphs.is_empty() {
        graphs = ["kronecker(18)", "kronecker(20)", "grid(1000,1000)"].map(String::from).into();
    }
    let pool = Pool::builder().workers(workers).build()?;
    for text in graphs {
        let graph: Csr = pool.run(|_| text.parse::<GraphSpec>().map(|spec| spec.generate(1)))??;
        let graph = graph.with_uniform_weights(1..=255, 1);
        // In memory of the same kind of pages as the graph.
        let (offsets, targets, weights) = (graph.offsets(), graph.targets(), graph.out_rows().weights());
        let weights: Vec<f32> = tabulate(weights.len(), |arc| weights[arc]);
        let wide: Vec<i64> = tabulate(offsets.len(), |v| offsets[v] as i64);
        let offsets: Vec<i32> = tabulate(offsets.len(), |v| offsets[v] as i32);
        let wide_targets: Vec<i64> = tabulate(targets.len(), |arc| i64::from(targets[arc]));
        let targets: Vec<i32> = tabulate(targets.len(), |arc| targets[arc] as i32);
        let narrow = CsrView::symmetric(RowsView::new(&offsets, &targets)?.with_weights(&weights)?);
        let mixed = CsrView::symmetric(RowsView::new(&wide, &targets)?.with_weights(&weights)?);
        let wide = CsrView::symmetric(RowsView::new(&wide, &wide_targets)?.with_weights(&weights)?);
        let root = (0..graph.num_vertices()).max_by_key(|&v| graph.degree(v as u32)).unwrap_or(0);
        let mut rounds = Vec::new();
        for round in 0..=runs {
            let found = pool.run(|_| {
                [
                    times(&graph, root),
                    times(&narrow, root),
                    times(&mixed, root),
                    times(&wide, root),
                    times(&graph, root),
                ]
            });
            if round > 0 {
                rounds.push(found);
            }
        }
        println!("{text}, {workers} workers, {runs} runs; the last column is the graph once more");
        for (at, name) in NAMES.into_iter().enumerate() {
            let sorted = |value: &dyn Fn(&[[f64; 9]; 5]) -> f64| {
                let mut values: Vec<f64> = rounds.iter().map(value).collect();
                values.sort_by(f64::total_cmp);
                values
            };
            print!("  {name:12} {:8.2} ms", sorted(&|round| round[0][at])[runs / 2] * 1e3);
            for (view, types) in ["i32, i32", "i64, i32", "i64, i64", "again"].into_iter().enumerate() {
                let ratios = sorted(&|round| round[view + 1][at] / round[0][at]);
                print!("   {types} {:.3} [{:.2}, {:.2}]", ratios[runs / 2], ratios[runs / 4], ratios[runs * 3 / 4]);
            }
            println!();
        }
    }
    Ok(())
}
