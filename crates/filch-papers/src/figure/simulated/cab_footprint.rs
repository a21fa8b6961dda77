//! Figure 2 of Chen, Huang, Guo and Zhou (2011): what two sockets read from memory when tasks that share rows are on
//! the same socket, and when they are not.

use filch::Scheduler;
use filch_bench::failure::Failure;
use filch_sim::program::{BLOCK, Extent, Node, Program, Shape, Touch, Touches};
use filch_sim::{Costs, Outcome, Simulation, Sockets, rules};
use serde::Serialize;

use super::{Found, Setting};
use crate::figure::report::Report;

/// The bytes of a row: ten numbers.
const ROW: u64 = 80;

/// Longer than it takes to wake all workers, so that each gets a task, as in the figure.
const TASK_NS: u64 = 1_000_000;

/// The heat program of figure 1: eight rows between two borders, in four tasks. Each reads its two rows and those
/// around them. A row here is a block, since that is the unit of simulated caches.
struct Plate;

impl Program for Plate {
    fn name(&self) -> String {
        "heat, 10 × 10".into()
    }

    fn root(&self) -> Node {
        Node { size: 4, ..Node::default() }
    }

    fn open(&self, Node { id, size, part }: Node) -> Shape {
        let half = size / 2;
        match size {
            1 => Shape::Leaf { work_ns: TASK_NS },
            _ => Shape::Fork {
                work_ns: 0,
                first: Node { id, size: half, part },
                second: Node { id: id + half, size: half, part },
            },
        }
    }

    fn extent(&self, _: Node) -> Option<Extent> {
        None
    }

    fn memory_bytes(&self) -> u64 {
        10 * BLOCK
    }

    fn touches(&self, Node { id, size, .. }: Node) -> Touches<'_> {
        match size {
            1 => Touches::Drawn([Touch::read(2 * id * BLOCK, (2 * id + 4) * BLOCK), Touch::NOTHING]),
            _ => Touches::NOTHING,
        }
    }
}

/// What was read under a scheduler.
#[derive(Clone, Debug, Serialize)]
pub struct Read {
    /// The scheduler.
    pub scheduler: String,
    /// Bytes from memory, by seed.
    pub bytes: Vec<u64>,
}

impl Read {
    /// On two sockets of two cores, with a shared cache of six rows each.
    fn under(scheduler: &Scheduler, costs: &Costs, seeds: u64) -> Result<Self, Failure> {
        let sockets = Sockets::even(4, 2).map_err(Failure::usage)?;
        let topology = sockets.topology(6 * ROW).expect("two sockets");
        let boundary = scheduler.clone().for_data_bytes(10 * ROW).boundary_level(&topology).map_err(Failure::usage)?;
        let rules = rules(scheduler, costs, 4).map_err(|error| Failure::Usage(format!("--scheduler: {error}")))?;
        let run = |seed| {
            let simulation = Simulation::new(&Plate, rules, *costs, 4, seed).on(&sockets).with_boundary(boundary);
            let Outcome { counts, .. } = simulation.with_caches(6 * BLOCK).run();
            (counts.misses_near + counts.misses_far) * 64 / BLOCK * ROW
        };
        Ok(Read { scheduler: scheduler.to_string(), bytes: (0..seeds).map(run).collect() })
    }

    fn cells(&self) -> Vec<String> {
        let (runs, sum) = (self.bytes.len() as u64, self.bytes.iter().sum::<u64>());
        let runs_with = |bytes| self.bytes.iter().filter(|&&read| read == bytes).count().to_string();
        let mut cells = vec![self.scheduler.clone()];
        cells.extend([960, 1120, 1280].map(runs_with));
        cells.push((sum / runs).to_string());
        cells
    }
}

/// The figure, for `cab` and the setting's scheduler.
pub fn figure(setting: &Setting) -> Result<Found<Read>, Failure> {
    if !setting.workers.is_empty() {
        return Err(Failure::Usage("--workers: this figure has the 4 of the paper's example".into()));
    }
    let schedulers = [&setting.scheduler, &Scheduler::cab()];
    let reads = schedulers.map(|scheduler| Read::under(scheduler, &setting.costs, setting.seeds as u64));
    let reads = reads.into_iter().collect::<Result<Vec<_>, _>>()?;

    let mut report = Report::new("Heat on 10 × 10 points: 2 sockets, 2 cores and 480 bytes of cache each".into());
    report.note("960 bytes: tasks that share two rows are on one socket, as in figure 2 (a)");
    report.note("1,280: none of them are, as in (b); 1,120: two of them");
    report.note("mean: bytes from memory; both caches together have room for 960");
    let header = ["runs under", "960 bytes", "1,120", "1,280", "mean"].map(str::to_owned);
    report.table(header.to_vec(), reads.iter().map(Read::cells).collect());
    Ok(Found { report, rows: reads, svg: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn under_cab_tasks_that_share_rows_are_on_one_socket_and_under_cilk_often_not() {
        let [cilk, cab] = [Scheduler::cilk5(), Scheduler::cab()]
            .map(|scheduler| Read::under(&scheduler, &Costs::ASSUMED, 20).expect("it can be simulated").bytes);
        assert!(cab.iter().all(|&bytes| bytes == 960), "{cab:?}");
        assert!(cilk.iter().any(|&bytes| bytes > 960) && cilk.iter().all(|&bytes| bytes >= 960), "{cilk:?}");
    }
}
