//! A search by all ranks that `mpirun` has started.

use std::time::Instant;

use filch::{Choices, Search};
use filch_bench::failure::Failure;
use filch_bench::measure::pools::Pools;
use filch_bench::ranks;
use filch_bench::show::progress::tree::Tree;
use filch_cluster::{Cluster, Portable};

use super::args::{Asked, RunArgs};
use super::puzzle::{Ask, Found, Puzzle, Searched};
use super::watched::{Sight, Walk, Watched};

/// A problem that ranks can send each other parts of.
pub trait Sent: Search<Workspace: Portable, Choices: Portable + Choices<Item: Portable>> {}

impl<P: Search<Workspace: Portable, Choices: Portable + Choices<Item: Portable>>> Sent for P {}

/// The ranks that search, if there are several.
pub fn begin(args: &RunArgs, pools: &Pools) -> Result<Option<Cluster>, Failure> {
    if ranks::several().is_none() {
        return Ok(None);
    }
    Failure::of_ranks(args.workers.len() > 1, "numbers of workers are compared", "one number of --workers")?;
    let other = "that of mpirun (mpirun --timeout, or MPIEXEC_TIMEOUT in seconds)";
    Failure::of_ranks(args.timeout.timeout.is_some(), "--timeout works", other)?;
    let scheduler = pools.scheduler(args.scheduler.as_ref())?;
    let pool = pools.pool_of_rank(&scheduler, args.workers.first().copied())?;
    Ok(Some(Cluster::from_env_with(pool)?))
}

/// Searches, by all ranks. What has been found is that of all of them at rank 0.
pub fn search<P: Sent>(cluster: &Cluster, puzzle: &Puzzle<'_, P>) -> Result<Searched, Failure> {
    let &Puzzle { program, ref instance, problem, ref start, ref ask, keep, .. } = puzzle;
    let progress = Tree::begin(&format!("{program} {instance} on {} ranks", cluster.size()));
    let bound = if let Ask::Best { bound, .. } = ask { Some(*bound) } else { None };
    let sight = Sight::new(&progress, bound);
    let watched = Watched { problem, sight: &sight };
    let begun = Instant::now();
    let search = cluster.search(&watched, Walk::new(start.clone())).tally(&sight);
    let (solutions, found) = match ask {
        Ask::Solutions(Asked::Count) => (search.count()?, None),
        Ask::Solutions(_) => {
            let kept = search.find_any(|walk| keep(&walk.workspace))?;
            (kept.is_some().into(), kept.map(|kept| Found { kept, value: None }))
        }
        Ask::Best { bound, value } => {
            let best = search.find_best(bound, |walk| value(&walk.workspace), |walk| keep(&walk.workspace))?;
            (best.is_some().into(), best.map(|(value, kept)| Found { kept, value: Some(value) }))
        }
    };
    Ok(Searched { solutions, found, nodes: sight.nodes(), seconds: begun.elapsed().as_secs_f64() })
}
