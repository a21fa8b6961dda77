//! The figures of the machine: what other programs, such as a simulator, need to know about it.

use filch::topology::Kind;
use filch::{Measured, Pool, Topology};
use filch_bench::measure::machine::facts::{cpu, system};
use serde::Serialize;

/// What `--format` writes.
#[derive(Debug, Serialize)]
pub(super) struct Figures {
    #[serde(skip_serializing_if = "Option::is_none")]
    processor: Option<String>,
    system: String,
    topology: Shape,
    pool: Default,
    /// What has been measured of the costs of sharing; `null` for what has not.
    costs: Costs,
}

#[derive(Debug, Serialize)]
struct Shape {
    /// The squads in text.
    text: String,
    workers: usize,
    /// M, the number of squads.
    m: usize,
    /// S_c, the size of the smallest cache that a squad shares; `null` if it is unknown.
    s_c_bytes: Option<u64>,
    squads: Vec<Squad>,
    /// Each comes before those inside of it.
    groups: Vec<Shared>,
}

#[derive(Debug, Serialize)]
struct Squad {
    workers: Vec<usize>,
    /// `null` for those that are unknown.
    processors: Vec<Option<usize>>,
    cache_bytes: Option<u64>,
}

#[derive(Debug, Serialize)]
struct Shared {
    kind: String,
    depth: usize,
    cache_bytes: Option<u64>,
    workers: Vec<usize>,
    squad: Option<usize>,
}

/// The default pool.
#[derive(Debug, Serialize)]
struct Default {
    workers: usize,
    scheduler: String,
    give_cost_s: f64,
    take_cost_s: f64,
    period_s: f64,
}

#[derive(Debug, Serialize)]
struct Costs {
    give: Option<Cost>,
    take: Option<Cost>,
    promotion: Option<Cost>,
    beat: Option<Cost>,
}

#[derive(Debug, Serialize)]
struct Cost {
    cost_s: f64,
    least_s: f64,
    most_s: f64,
}

impl Cost {
    fn of(measured: Measured) -> Self {
        let [cost_s, least_s, most_s] = [measured.cost, measured.least, measured.most].map(|time| time.as_secs_f64());
        Self { cost_s, least_s, most_s }
    }
}

impl Figures {
    pub(super) fn of(topology: &Topology, pool: &Pool) -> Self {
        let (squads, costs) = (topology.squads(), Pool::measured_costs());
        let squad = |squad| Squad {
            workers: squads.workers(squad).to_vec(),
            processors: squads.workers(squad).iter().map(|&worker| topology.processor(worker)).collect(),
            cache_bytes: squads.cache_bytes(squad),
        };
        let groups = topology.groups().iter().map(|group| Shared {
            kind: match group.kind {
                Kind::Core => "core".into(),
                Kind::Cache(level) => format!("L{level}"),
                Kind::Socket => "socket".into(),
                _ => "squad".into(),
            },
            depth: group.depth,
            cache_bytes: group.cache_bytes,
            workers: group.workers.clone(),
            squad: group.squad,
        });
        Self {
            processor: cpu(),
            system: system(),
            topology: Shape {
                text: topology.to_string(),
                workers: topology.workers(),
                m: squads.count(),
                s_c_bytes: squads.smallest_cache_bytes(),
                squads: (0..squads.count()).map(squad).collect(),
                groups: groups.collect(),
            },
            pool: Default {
                workers: pool.num_workers(),
                scheduler: pool.scheduler().to_string(),
                give_cost_s: pool.give_cost().as_secs_f64(),
                take_cost_s: pool.take_cost().as_secs_f64(),
                period_s: pool.period().as_secs_f64(),
            },
            costs: Costs {
                give: costs.give.map(Cost::of),
                take: costs.take.map(Cost::of),
                promotion: costs.promotion.map(Cost::of),
                beat: costs.beat.map(Cost::of),
            },
        }
    }
}
