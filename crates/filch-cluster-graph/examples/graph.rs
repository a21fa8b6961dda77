//! A graph that is spread over all ranks: components, a breadth-first search, PageRank.
//!
//! ```text
//! cargo build --release -p filch-cluster-graph --features mpi --example graph
//! mpirun -n 4 target/release/examples/graph components 'kronecker(22)'
//! mpirun -n 4 target/release/examples/graph bfs edges.el
//! target/release/examples/graph one-process 'kronecker(22)'
//! ```
//!
//! The second word is a generated graph, or the name of a file. A third one is the root of a breadth-first search; by
//! default that is a vertex of the highest degree. `one-process` finds the components of a generated graph
//! without a cluster, to compare with.

use filch_cluster::Cluster;
use filch_cluster_graph::{ClusterGraph, PageRankOptions, bfs, components, pagerank};
use filch_graph::{Csr, Graph, GraphSpec};
use filch_graph_io::read::ReadOptions;
use std::error::Error;
use std::path::Path;
use std::time::Instant;

/// The most memory that this process has had, in MB, where the system says so.
fn peak_mb() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<f64>().ok()? * 1024.0 / 1e6)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let what = arguments.next().unwrap_or_else(|| "components".into());
    let name = arguments.next().unwrap_or_else(|| "kronecker(16)".into());
    let root = arguments.next();
    let begun = Instant::now();
    if what == "one-process" {
        let graph: Csr = name.parse::<GraphSpec>()?.generate(1)?;
        let built = begun.elapsed();
        let count = filch_graph::components::components(&graph).count();
        println!("{} vertices, {} arcs: {count} components", graph.num_vertices(), graph.num_arcs());
        println!("{:.3} s, of which building {:.3} s", begun.elapsed().as_secs_f64(), built.as_secs_f64());
        println!("one process: {:.1} MB", peak_mb().unwrap_or_default());
        return Ok(());
    }
    let cluster = Cluster::from_env()?;
    let told = cluster.run(|c| {
        let graph = if Path::new(&name).exists() {
            let options = ReadOptions { remove_duplicates: true, remove_self_loops: true, ..ReadOptions::default() };
            ClusterGraph::<u32>::read(c, Path::new(&name), &options)?
        } else {
            ClusterGraph::<u32>::generate(c, &name.parse()?, 1)?
        };
        let built = begun.elapsed();
        let found = match &*what {
            "components" => format!("{} components", components(c, &graph)?.count()),
            "bfs" => {
                let hub = graph.here().map(|v| (graph.row(v).len(), v)).max();
                let hub = c.all_reduce(&hub, |a, b| a.max(b))?.map_or(0, |hub| hub.1);
                let root = root.as_ref().map_or(Ok(hub), |root| root.parse())?;
                let begun = Instant::now();
                let found = bfs(c, &graph, root)?;
                let (reached, levels) = (found.num_reached(), found.levels.len());
                let seconds = begun.elapsed().as_secs_f64();
                format!("{reached} vertices reached from {root} in {levels} levels and {seconds:.3} s")
            }
            "pagerank" => {
                let found = pagerank(c, &graph, &PageRankOptions::default())?;
                format!("{} iterations, the last of which changed {:.2e}", found.iterations, found.change)
            }
            other => return Err(format!("{other}: expected components, bfs, pagerank or one-process").into()),
        };
        let times = format!("{:.3} s, of which building {:.3} s", begun.elapsed().as_secs_f64(), built.as_secs_f64());
        let sizes = format!("{} vertices, {} arcs", graph.num_vertices(), graph.num_arcs());
        Ok::<_, Box<dyn Error>>(format!("{sizes}: {found}\n{times} on {} ranks", c.size()))
    })?;
    if cluster.rank() == 0 {
        println!("{told}");
    }
    // In one piece, beside those of the other ranks.
    let line = format!("rank {}: {:.1} MB\n", cluster.rank(), peak_mb().unwrap_or_default());
    eprint!("{line}");
    Ok(())
}
