//! Searches on several ranks.

use std::io::Write;

use filch_bench::failure::Failure;
use filch_bench::measure::median::Median;
use filch_bench::show::numbers::{bytes, grouped, number_of, seconds};
use filch_sim::clusters::{Cluster, ClusterOutcome};
use serde::Serialize;

use super::SimulateArgs;

/// All figures.
#[derive(Serialize)]
struct Report<'r> {
    program: &'r str,
    ranks: usize,
    workers: usize,
    nodes: u64,
    node_ns: u64,
    runs: Vec<Run>,
}

#[derive(Serialize)]
struct Run {
    seed: u64,
    time_ns: u64,
    efficiency: f64,
    ramp_ns: u64,
    asks: u64,
    parked: u64,
    refusals: u64,
    gives: u64,
    pieces: u64,
    bytes: u64,
    local: u64,
    looks: u64,
}

impl Run {
    fn new(seed: u64, cluster: &Cluster, outcome: &ClusterOutcome) -> Self {
        let &ClusterOutcome { time_ns, ramp_ns, asks, parked, refusals, gives, pieces, bytes, local, looks, .. } =
            outcome;
        let efficiency = outcome.efficiency(cluster);
        Run { seed, time_ns, efficiency, ramp_ns, asks, parked, refusals, gives, pieces, bytes, local, looks }
    }
}

/// Runs `filch simulate cluster:…`. Of the arguments, it has `--seeds` and `--format`.
pub(super) fn run(text: &str, args: &SimulateArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let SimulateArgs { svg, normalised, timeline, trace, .. } = args;
    let others = [("--svg", svg), ("--normalised", normalised), ("--timeline", timeline), ("--trace", trace)];
    if let Some((option, _)) = others.into_iter().find(|(_, path)| path.is_some()) {
        return Err(Failure::Usage(format!("{option}: a cluster has --seeds and --format only")));
    }
    let cluster: Cluster = text.parse().map_err(Failure::usage)?;
    let (ranks, workers) = (number_of(cluster.ranks, "rank", "ranks"), cluster.workers);
    let each = number_of(workers, "worker", "workers");
    writeln!(out, "{text}: a simulation with {}", number_of(args.seeds, "seed", "seeds"))?;
    let time = |ns: u64| seconds(ns as f64 / 1e9);
    let (nodes, work) = (grouped(cluster.nodes), time(cluster.work_ns()));
    writeln!(out, "{nodes} nodes, T1 = {work}, on {ranks} of {each}\n")?;
    let runs: Vec<Run> = (0..args.seeds as u64).map(|seed| Run::new(seed, &cluster, &cluster.run(seed))).collect();
    let median = |of: fn(&Run) -> f64| Median::of(runs.iter().map(of).collect()).value;
    let mean = |of: fn(&Run) -> u64| runs.iter().map(of).sum::<u64>() / runs.len() as u64;
    let mut line = |name: &str, value: &str| writeln!(out, "{name:<14}{value}");
    line("T_P", &time(median(|run| run.time_ns as f64) as u64))?;
    line("efficiency", &format!("{:.3}, which is T1/(P·T_P)", median(|run| run.efficiency)))?;
    line("90 %", &format!("of the workers had begun after {}", time(median(|run| run.ramp_ns as f64) as u64)))?;
    let [asks, parked, refusals] =
        [mean(|run| run.asks), mean(|run| run.parked), mean(|run| run.refusals)].map(grouped);
    line("asks", &format!("{asks}, of which {parked} at lifelines; {refusals} refused"))?;
    let [gives, pieces, local] = [mean(|run| run.gives), mean(|run| run.pieces), mean(|run| run.local)].map(grouped);
    line("gifts", &format!("{gives} with {pieces} pieces, {}", bytes(mean(|run| run.bytes))))?;
    line("within ranks", &format!("{local} pieces"))?;
    line("looks", &format!("{} for messages", grouped(mean(|run| run.looks))))?;
    let Cluster { nodes, ranks, workers, .. } = cluster;
    args.figures.write(&Report { program: text, ranks, workers, nodes, node_ns: cluster.costs.node_ns, runs })
}
