//! Unbalanced trees (UTS) by all ranks, compared with the published numbers of leaves and depths.
//!
//! ```text
//! cargo build --release -p filch-cluster --features mpi --example uts
//! mpirun -n 2 target/release/examples/uts T3
//! ```

use filch_cluster::{Cluster, ClusterError};
use filch_search::uts::{Named, find};
use std::time::Instant;

fn main() -> Result<(), ClusterError> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "T3".into());
    let Some(Named { tree, leaves, depth, .. }) = find(&name) else {
        eprintln!("expected the name of a published tree, such as T3, found {name}");
        std::process::exit(2);
    };
    let cluster = Cluster::from_env()?;
    let begun = Instant::now();
    let (found, deepest) = cluster.run(|c| {
        let deeper =
            |(leaves, depth): (u64, u64), path: &filch_search::uts::Path| (leaves + 1, depth.max(path.depth() as u64));
        let both = |a: (u64, u64), b: (u64, u64)| (a.0 + b.0, a.1.max(b.1));
        c.search(tree, tree.root()).fold(|| (0, 0), deeper, both)
    })?;
    let (rank, seconds) = (cluster.rank(), begun.elapsed().as_secs_f64());
    let agrees = leaves.is_none_or(|leaves| leaves == found) && depth.is_none_or(|depth| depth == deepest);
    if rank == 0 {
        let says = if agrees { "as published" } else { "NOT as published" };
        println!("{name}: {found} leaves, depth {deepest}, {says}, in {seconds:.3} s on {} ranks", cluster.size());
    }
    // In one piece, beside those of the other ranks.
    let line = format!("rank {rank}, {} workers: {}\n", cluster.pool().num_workers(), cluster.counters());
    eprint!("{line}");
    drop(cluster);
    if !agrees {
        std::process::exit(1);
    }
    Ok(())
}
