//! The figures of one scheduler at one boundary level and leaf size.

use filch::Counters;
use filch_bench::measure::median::Median;
use filch_bench::measure::series::Track;
use serde::Serialize;

/// What a runner is in the sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The default scheduler, with which the others are compared.
    Default,
    /// The same once more, to show the noise.
    DefaultAgain,
    /// CAB with this boundary level.
    Boundary(u32),
}

/// The figures of one runner. Times and counts are those of a call; counts are medians over the runs.
#[derive(Debug, Serialize)]
pub struct Point {
    #[serde(skip)]
    pub(super) role: Role,
    /// The leaf size; `None` if the program has no cut-off.
    pub grain: Option<u64>,
    /// BL; `None` for the default scheduler.
    pub boundary: Option<u32>,
    /// The time of a call.
    pub time: Median,
    /// The own time divided by that of the default scheduler.
    pub against_default: Option<Median>,
    /// Inter-socket tasks.
    pub inter_tasks: f64,
    /// Of these, leaves of the inter-socket tier.
    pub leaf_tasks: f64,
    /// Inter-socket tasks that the head of a squad got from a pool.
    pub tasks_across: f64,
    /// Forks that were given: to the pool of a squad, or to a worker that had asked.
    pub forks_given: f64,
    /// Forks that were taken.
    pub forks_taken: f64,
    /// The share of the workers' time without work.
    pub idle: Option<Median>,
}

impl Point {
    /// The figures of the runner `track`, in samples of `calls` calls; `default` is the default scheduler.
    pub fn of(role: Role, grain: Option<u64>, track: &Track, default: &Track, workers: usize, calls: u64) -> Self {
        let per_call = |count: fn(&Counters) -> u64| {
            let counted = track.counts.by_sample.iter();
            Median::of(counted.map(|counters| count(counters) as f64 / calls as f64).collect()).value
        };
        Self {
            role,
            grain,
            boundary: match role {
                Role::Boundary(level) => Some(level),
                Role::Default | Role::DefaultAgain => None,
            },
            time: Median::of(track.seconds.clone()),
            against_default: (role != Role::Default)
                .then(|| Median::of_paired_ratios(&track.seconds, &default.seconds)),
            inter_tasks: per_call(|counters| counters.inter_tasks),
            leaf_tasks: per_call(|counters| counters.leaf_tasks),
            tasks_across: per_call(|counters| counters.tasks_across),
            forks_given: per_call(|counters| counters.forks_given),
            forks_taken: per_call(|counters| counters.forks_taken),
            idle: track.idle_share(workers, calls),
        }
    }

    /// What stands in the column of boundary levels.
    pub fn name(&self) -> String {
        match self.role {
            Role::Default => "default".into(),
            Role::DefaultAgain => "again".into(),
            Role::Boundary(level) => level.to_string(),
        }
    }
}
