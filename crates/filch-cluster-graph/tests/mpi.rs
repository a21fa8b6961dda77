//! Graphs on ranks that `mpirun` starts: this program starts itself so. Needs MPICH or Open MPI.
//!
//! With the argument `memory` it measures the peak memory of ranks against one process, on a graph that takes a while.

use filch::Pool;
use filch_cluster::{Cluster, Outlet};
use filch_cluster_graph::{ClusterGraph, PageRankOptions, bfs, components, gather, pagerank};
use filch_graph::verify::{verify_bfs, verify_components, verify_pagerank};
use filch_graph::{Csr, GraphSpec};
use std::error::Error;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

/// What a rank does: the argument behind this one.
const AS_RANK: &str = "--as-rank";

/// A graph whose arcs are much larger than what a process needs anyway.
const LARGE: &str = "kronecker(19)";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = std::env::args().collect::<Vec<_>>();
    match arguments.iter().position(|argument| argument == AS_RANK) {
        Some(place) => rank(arguments.get(place + 1).map(String::as_str).unwrap_or_default()),
        None => {
            results_pass_the_verifiers_on_1_to_8_ranks();
            no_rank_of_4_has_more_than_two_fifths_of_the_memory_of_one_process();
            println!("mpi: ok");
            Ok(())
        }
    }
}

fn start(ranks: usize, what: &str) -> Output {
    let this = std::env::current_exe().expect("the path of this program");
    let mut mpirun = Command::new(std::env::var("MPIRUN").unwrap_or_else(|_| "mpirun".into()));
    // Open MPI starts neither for root nor more ranks than there are processors, unless it is told to.
    mpirun.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    mpirun.env("OMPI_MCA_rmaps_base_oversubscribe", "1").env("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe");
    mpirun.args(["-n", &ranks.to_string()]).arg(this).args([AS_RANK, what]).stdin(Stdio::null());
    mpirun.output().expect("mpirun of MPICH or Open MPI")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned()
}

fn results_pass_the_verifiers_on_1_to_8_ranks() {
    for ranks in 1..=8 {
        let output = start(ranks, "results");
        assert!(output.status.success(), "{ranks} ranks: {}", text(&output));
        assert_eq!(text(&output).matches("all is right").count(), ranks, "{}", text(&output));
    }
}

/// The peaks that processes have printed, in kB.
fn peaks(output: &Output) -> Vec<f64> {
    assert!(output.status.success(), "{}", text(output));
    let text = text(output);
    text.split("VmHWM ").skip(1).filter_map(|rest| rest.split(' ').next()?.parse().ok()).collect()
}

fn no_rank_of_4_has_more_than_two_fifths_of_the_memory_of_one_process() {
    if peak_kb().is_none() {
        return;
    }
    let one = peaks(&start(1, "one process"))[0];
    let four = peaks(&start(4, "memory"));
    let most = four.iter().copied().fold(0.0, f64::max);
    println!("components of {LARGE}: one process {one} kB, 4 ranks {four:?} kB: {:.3} of it", most / one);
    assert!(four.len() == 4 && most <= 0.4 * one, "{four:?} of {one}");
}

fn peak_kb() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

/// What each rank does.
fn rank(what: &str) -> Result<(), Box<dyn Error>> {
    let pool = Pool::builder().workers(2).own_threads(true).build().expect("a pool");
    if what == "one process" {
        let graph: Csr = LARGE.parse::<GraphSpec>()?.generate(1)?;
        assert!(pool.run(|_| filch_graph::components::components(&graph).count()) > 1);
        println!("VmHWM {} kB", peak_kb().unwrap_or_default());
        return Ok(());
    }
    let cluster = Cluster::from_env_with(pool)?;
    cluster.run(|c| if what == "memory" { memory(c) } else { results(c) })?;
    Ok(())
}

fn memory(c: &Cluster) -> Result<(), Box<dyn Error>> {
    let graph = ClusterGraph::<u32>::generate(c, &LARGE.parse()?, 1)?;
    assert!(components(c, &graph)?.count() > 1);
    print!("{}", format_args!("VmHWM {} kB\n", peak_kb().unwrap_or_default()));
    Ok(())
}

fn results(c: &Cluster) -> Result<(), Box<dyn Error>> {
    for spec in ["kronecker(12)", "roads(60,60,35)", "path(2000),shuffled", "galaxy(1,3000)"] {
        let spec = spec.parse::<GraphSpec>()?;
        let whole: Csr = spec.generate(3)?;
        let graph = ClusterGraph::<u32>::generate(c, &spec, 3)?;
        let labels = gather(c, &components(c, &graph)?.labels)?;
        let found = bfs(c, &graph, 7)?;
        let (depths, parents) = (gather(c, &found.depths)?, gather(c, &found.parents)?);
        let options = PageRankOptions { tolerance: 1e-5, max_iterations: 200, ..PageRankOptions::default() };
        let scores = gather(c, &pagerank(c, &graph, &options)?.scores)?;
        assert_eq!(reached_by_traversal(c, &graph, 7)?, found.num_reached());
        if c.rank() == 0 {
            verify_components(&whole, &labels)?;
            verify_bfs(&whole, 7, &depths, &parents)?;
            verify_pagerank(&whole, &scores, 0.85, 1e-4)?;
        }
    }
    println!("rank {}: all is right", c.rank());
    Ok(())
}

/// How many vertices a traversal reaches whose items go to the ranks that own them.
fn reached_by_traversal(c: &Cluster, graph: &ClusterGraph<u32>, root: u32) -> Result<u64, Box<dyn Error>> {
    let here = graph.here();
    let seen = here.clone().map(|_| AtomicBool::new(false)).collect::<Vec<_>>();
    let visit = |outlet: &mut Outlet<'_, '_, u32>, v: u32| {
        if !seen[v as usize - here.start].swap(true, Ordering::Relaxed) {
            graph.row(v as usize).iter().for_each(|&to| outlet.push(to));
        }
    };
    c.traverse((c.rank() == 0).then_some(root), |v| graph.owner(*v as usize), visit)?;
    let count = seen.iter().filter(|seen| seen.load(Ordering::Relaxed)).count() as u64;
    Ok(c.all_reduce(&count, |a, b| a + b)?)
}
