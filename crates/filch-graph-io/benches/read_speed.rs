//! Measures how fast an edge list is read, and how much memory it takes to build a graph from it.
//!
//! ```sh
//! cargo bench -p filch-graph-io --bench read_speed -- FILE.el [RUNS]
//! ```
//!
//! If the file does not exist, it is created with 10^7 random edges.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;
use std::{env, fs};

use filch_graph::Graph;
use filch_graph_io::read::{Progress, ReadOptions, read_edge_list, read_graph};
use filch_graph_io::write::write_edges;

const EDGES: usize = 10_000_000;
const VERTICES: u32 = 4_000_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = env::args().skip(1).filter(|argument| argument != "--bench");
    let path = args.next().ok_or("expected a file name")?;
    let runs: usize = args.next().map_or(Ok(11), |runs| runs.parse())?;
    let path = Path::new(&path);
    let on = &mut |_: Progress| ControlFlow::Continue(());
    let options = ReadOptions::default();
    if !path.exists() {
        let mut random = fastrand::Rng::with_seed(1);
        let edges: Vec<(u32, u32)> = (0..EDGES).map(|_| (random.u32(..VERTICES), random.u32(..VERTICES))).collect();
        let start = Instant::now();
        write_edges(path, &edges, on)?;
        println!("{} written in {:.3} s; now run again", path.display(), start.elapsed().as_secs_f64());
        return Ok(());
    }
    let loaded = read_graph::<u32>(path, &options, on)?;
    let graph = loaded.graph;
    let bytes = (graph.num_vertices() + 1) * size_of::<usize>() + graph.num_arcs() * size_of::<u32>();
    println!("{} vertices, {} arcs, {:.0} MB as a graph", graph.num_vertices(), graph.num_arcs(), bytes as f64 / 1e6);
    println!("reading {:.3} s, building {:.3} s", loaded.reading.as_secs_f64(), loaded.building.as_secs_f64());
    if let Some(peak) = peak() {
        println!("peak {:.0} MB, {:.2} times the graph", peak as f64 / 1e6, peak as f64 / bytes as f64);
    }
    drop(graph);

    let mut rates = Vec::new();
    for _ in 0..runs {
        let start = Instant::now();
        let list = read_edge_list::<u32>(path, &options, on)?;
        rates.push(list.num_bytes as f64 / start.elapsed().as_secs_f64() / 1e6);
    }
    rates.sort_by(f64::total_cmp);
    let [low, median, high] = [0, runs / 2, runs - 1].map(|place| rates[place]);
    println!("{} workers: median {median:.0} MB/s of text, lowest {low:.0}, highest {high:.0}", filch::num_workers());
    Ok(())
}

/// The peak resident set size in bytes, if the system provides it.
fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok().map(|kib: u64| kib << 10)
}
