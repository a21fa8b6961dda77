//! Builds a package of Debian 12 and all that it depends on, each after what it depends on: a task graph.
//!
//! ```text
//! cargo run --release -p filch-lab --example packages -- [PACKAGE]
//! ```
//!
//! To build a package is, here, to count for a while. Some packages of Debian depend on each other; the graph refuses
//! them by name. They are then built as if one of them were there already.

use filch::{GraphTask, TaskGraph};
use filch_bench::debian::DEBIAN;
use filch_graph::Csr;
use filch_graph::scc::scc;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Tasks that build the packages of `order`, whose dependencies are those for which `counts` is true.
fn graph_of<'a>(
    order: &[u32],
    names: &[&str],
    graph: &Csr,
    built: &'a [AtomicU64],
    counts: impl Fn(u32, u32) -> bool,
) -> Result<TaskGraph<'a>, filch::CycleError> {
    let builder = TaskGraph::builder();
    let mut tasks: HashMap<u32, GraphTask<'_, '_>> = HashMap::new();
    for &package in order {
        let place = &built[package as usize];
        let build = move |_: filch::Strand<'_>| {
            let seconds = (0..20_000 + u64::from(package) % 20_000).fold(1, |hash: u64, n| hash.rotate_left(5) ^ n);
            place.fetch_add(seconds | 1, Ordering::Relaxed);
        };
        tasks.insert(package, builder.task(build).name(names[package as usize]));
    }
    for (&package, task) in &tasks {
        let before: Vec<_> =
            graph.row(package).iter().filter(|&&other| counts(package, other)).map(|other| tasks[other]).collect();
        task.after(&before);
    }
    drop(tasks);
    builder.build()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wanted = std::env::args().nth(1).unwrap_or_else(|| "gimp".to_owned());
    let names = &DEBIAN.names;
    let graph: Csr = Csr::builder(names.len()).remove_self_loops(true).build(DEBIAN.dependencies.clone())?;
    let root = DEBIAN.find(&wanted)?;
    let mut order = vec![root];
    let mut is_needed = vec![false; names.len()];
    is_needed[root as usize] = true;
    let mut next = 0;
    while next < order.len() {
        for &other in graph.row(order[next]) {
            if !std::mem::replace(&mut is_needed[other as usize], true) {
                order.push(other);
            }
        }
        next += 1;
    }

    let built: Vec<AtomicU64> = names.iter().map(|_| AtomicU64::new(0)).collect();
    let mut tasks = match graph_of(&order, names, &graph, &built, |_, _| true) {
        Ok(tasks) => tasks,
        Err(error) => {
            println!("{error}");
            let components = scc(&graph);
            graph_of(&order, names, &graph, &built, |package, other| !components.are_connected(package, other))?
        }
    };
    let begin = Instant::now();
    tasks.run();
    println!("{wanted}: {} packages, {:.1?} with {} workers", tasks.len(), begin.elapsed(), filch::num_workers());
    drop(tasks);
    assert!(order.iter().all(|&package| built[package as usize].load(Ordering::Relaxed) > 0));
    Ok(())
}
