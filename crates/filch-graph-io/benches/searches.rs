//! Measures breadth-first search and connected components, on a serialized graph of the GAP Benchmark Suite (`.sg`) or
//! on a generated graph:
//!
//! ```sh
//! cargo bench -p filch-graph-io --bench searches -- FILE.sg|'kronecker(21)' [WORKERS [RUNS [NAME]]]
//! ```
//!
//! A name (`parents`, `auto`, ...) restricts the measurement to one algorithm.
//!
//! The roots are random vertices with arcs, drawn with a fixed seed. For each algorithm, the program prints the median
//! and the minimum of the wall times and the median of the processor times, in milliseconds. Runs of different
//! algorithms take turns.

use filch::Pool;
use filch_graph::Graph;
use filch_graph::bfs::{self, Bfs, Direction, Output};
use filch_graph::components::{self, Algorithm, Components};
use rustix::time::{ClockId, clock_gettime};
use std::error::Error;
use std::time::Instant;

mod graph;
use graph::graph;

/// The wall times and processor times of runs, in seconds.
#[derive(Default)]
struct Times(Vec<f64>, Vec<f64>);

impl Times {
    fn time<T>(&mut self, f: impl FnOnce() -> T) -> T {
        let processor = || {
            let time = clock_gettime(ClockId::ProcessCPUTime);
            time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
        };
        let (start, busy) = (Instant::now(), processor());
        let result = f();
        self.0.push(start.elapsed().as_secs_f64());
        self.1.push(processor() - busy);
        result
    }

    fn print(mut self, name: &str) {
        self.0.sort_by(f64::total_cmp);
        self.1.sort_by(f64::total_cmp);
        let ms = |times: &[f64], index: usize| times[index] * 1e3;
        let half = self.0.len() / 2;
        println!("{name:34} {:8.2} {:8.2} {:8.2}", ms(&self.0, half), ms(&self.0, 0), ms(&self.1, half));
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<_> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let name = args.first().ok_or("expected a graph")?;
    let workers = args.get(1).map_or(Ok(1), |text| text.parse())?;
    let runs = args.get(2).map_or(Ok(16), |text| text.parse())?;
    let only = args.get(3);
    let graph = graph(name)?;
    println!("{} vertices, {} arcs, {workers} workers", graph.num_vertices(), graph.num_arcs());
    println!("{:34} {:>8} {:>8} {:>8}", "ms", "median", "least", "cpu");
    let mut rng = fastrand::Rng::with_seed(27_491_095);
    let mut roots = std::iter::repeat_with(|| rng.u32(0..graph.num_vertices() as u32));
    let pool = Pool::builder().workers(workers).build()?;
    let mut searches = Vec::new();
    for (name, output) in [("parents", Output::Parents), ("both", Output::Both)] {
        searches.push((name, Bfs::new().output(output), Times::default()));
    }
    let top_down = Bfs::new().output(Output::Parents).direction(Direction::TopDown);
    searches.push(("parents, top-down", top_down, Times::default()));
    let mut unions: Vec<_> = Algorithm::ALL.into_iter().map(|algorithm| (algorithm, Times::default())).collect();
    let (mut serial_bfs, mut serial_components) = (Times::default(), Times::default());
    for run in 0..runs {
        let root = roots.by_ref().find(|&root| graph.degree(root) > 0).expect("the graph has arcs");
        for (name, options, times) in &mut searches {
            if only.is_some_and(|only| only != name) {
                continue;
            }
            let found = times.time(|| pool.run(|_| options.run(&graph, root)));
            if run == 0 && found.depths.is_empty() {
                println!("{:?}", found.levels);
            }
        }
        for (algorithm, times) in &mut unions {
            if only.is_some_and(|only| *only != algorithm.to_string()) {
                continue;
            }
            let found = times.time(|| pool.run(|_| Components::new().algorithm(*algorithm).run(&graph)));
            if run == 0 {
                println!("{algorithm}: {}, {} components", found.algorithm(), found.count());
            }
        }
        if only.is_none() && run % 4 == 0 {
            serial_bfs.time(|| bfs::serial(&graph, root));
            serial_components.time(|| components::serial(&graph));
        }
    }
    for (name, _, times) in searches.into_iter().filter(|(.., times)| !times.0.is_empty()) {
        times.print(&format!("bfs, {name}"));
    }
    for (algorithm, times) in unions.into_iter().filter(|(_, times)| !times.0.is_empty()) {
        times.print(&format!("components, {algorithm}"));
    }
    if only.is_none() {
        serial_bfs.print("bfs, serial queue");
        serial_components.print("components, serial traversal");
    }
    Ok(())
}
