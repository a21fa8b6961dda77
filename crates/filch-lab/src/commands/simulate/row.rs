//! The runs with one scheduler on one number of workers, and the bounds on them.

use filch::Scheduler;
use filch_bench::measure::counts::as_map;
use filch_bench::measure::median::Median;
use filch_bench::show::numbers::{number_of, seconds};
use filch_sim::program::tiers::Tiers;
use filch_sim::program::totals::Totals;
use filch_sim::{COUNTS, Costs, Outcome};
use serde::Serialize;

/// The runs with one scheduler on one number of workers.
#[derive(Debug, Serialize)]
pub struct Row {
    /// The scheduler.
    pub scheduler: String,
    /// P.
    pub workers: usize,
    /// Over how many sockets they are spread.
    pub sockets: usize,
    /// BL, the boundary level; 0 if runs have no inter-socket tasks.
    pub boundary_level: u32,
    /// T_P.
    pub time_ns: Median,
    /// The mean share of the workers' time in which they ran no task.
    pub idle_share: f64,
    /// The median of the times at which nine of ten workers had begun a task, if they did in all runs.
    pub ramp_ns: Option<f64>,
    /// The runs, in the order of their seeds.
    runs: Vec<Run>,
    /// The same of each run, in the order of their seeds.
    #[serde(skip)]
    pub idle_shares: Vec<f64>,
    #[serde(skip)]
    totals: Totals,
    #[serde(skip)]
    beat: Option<Beats>,
    /// What the bounds of CAB need, if there is a boundary.
    #[serde(skip)]
    cab: Option<Cab>,
}

/// What the bounds of CAB need.
#[derive(Clone, Copy, Debug)]
pub struct Cab {
    /// BL.
    pub boundary: u32,
    /// The work of both tiers.
    pub tiers: Tiers,
    /// What misses cost.
    pub costs: Costs,
}

/// What the bounds of heartbeat scheduling need.
#[derive(Clone, Copy, Debug)]
pub struct Beats {
    /// N.
    pub period_ns: u64,
    /// τ.
    pub tau_ns: u64,
    /// T∞ if every fork costs τ, as in the fully parallel semantics, to which the bound compares.
    pub span_ns: u64,
}

#[derive(Debug, Serialize)]
struct Run {
    time_ns: u64,
    path_ns: u64,
    busy_ns: u64,
    ramp_ns: Option<u64>,
    leaves: u64,
    events: u64,
    most_promotions: u64,
    most_stacks: usize,
    longest_poll_ns: u64,
    #[serde(serialize_with = "counts_as_map")]
    counts: [(&'static str, u64); COUNTS],
}

fn counts_as_map<S: serde::Serializer>(
    counts: &[(&'static str, u64); COUNTS],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    as_map(counts, serializer)
}

impl From<&Outcome> for Run {
    fn from(outcome: &Outcome) -> Self {
        let &Outcome { time_ns, path_ns, busy_ns, ramp_ns, most_promotions, most_stacks, longest_poll_ns, .. } =
            outcome;
        let (leaves, events, counts) = (outcome.run.leaves, outcome.counts.events, outcome.counts.all());
        Self {
            time_ns,
            path_ns,
            busy_ns,
            ramp_ns,
            leaves,
            events,
            most_promotions,
            most_stacks,
            longest_poll_ns,
            counts,
        }
    }
}

/// Half of the range of the values, relative to their mean; none if all are zero.
fn spread(values: &[f64]) -> Option<f64> {
    let (least, most) = values.iter().fold((f64::MAX, 0.0_f64), |(low, high), &it| (low.min(it), high.max(it)));
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    (most > 0.0).then(|| (most - least) / 2.0 / mean)
}

impl Row {
    /// The row of these outcomes, of which there is at least one.
    pub fn new(
        scheduler: &Scheduler,
        sockets: usize,
        beat: Option<Beats>,
        totals: Totals,
        outcomes: Vec<Outcome>,
    ) -> Self {
        let median = |values: Vec<u64>| Median::of(values.into_iter().map(|value| value as f64).collect());
        let ramps: Option<Vec<u64>> = outcomes.iter().map(|outcome| outcome.ramp_ns).collect();
        let idle_shares: Vec<f64> = outcomes.iter().map(Outcome::idle_share).collect();
        Self {
            scheduler: scheduler.to_string(),
            workers: outcomes[0].workers,
            sockets,
            boundary_level: 0,
            time_ns: median(outcomes.iter().map(|outcome| outcome.time_ns).collect()),
            idle_share: (idle_shares.iter().sum::<f64>() / outcomes.len() as f64).max(0.0),
            ramp_ns: ramps.map(|ramps| median(ramps).value),
            runs: outcomes.iter().map(Run::from).collect(),
            idle_shares,
            totals,
            beat,
            cab: None,
        }
    }

    /// The same for runs with inter-socket tasks.
    #[must_use]
    pub fn with_tiers(self, cab: Cab) -> Self {
        Row { boundary_level: cab.boundary, cab: Some(cab), ..self }
    }

    /// The scheduler, and the sockets if there are several.
    pub fn setting(&self) -> String {
        match self.sockets {
            1 => self.scheduler.clone(),
            sockets => format!("{} on {sockets} sockets", self.scheduler),
        }
    }

    /// T1/T_P.
    pub fn speed_up(&self) -> f64 {
        self.totals.t1_ns() as f64 / self.time_ns.value.max(1.0)
    }

    /// c∞: (T_P − T1/P) / T∞.
    pub fn overhead(&self) -> f64 {
        let share = self.totals.t1_ns() as f64 / self.workers as f64;
        (self.time_ns.value - share) / self.totals.span_ns.max(1) as f64
    }

    /// T1/P + T∞.
    pub fn bound_ns(&self) -> f64 {
        self.totals.t1_ns() as f64 / self.workers as f64 + self.totals.span_ns as f64
    }

    /// T1/T∞.
    pub fn parallelism(&self) -> f64 {
        self.totals.parallelism()
    }

    /// Whether the runs can differ. One worker has no victims to choose from.
    pub fn has_spread(&self) -> bool {
        self.runs.len() > 1 && self.workers > 1
    }

    /// How far the seeds differ in T_P, in the share of idle time, and in the time until most workers have work, if
    /// they do in all runs: see `spread`.
    pub fn spreads(&self) -> [Option<f64>; 3] {
        let idle: Vec<f64> = self.idle_shares.iter().map(|share| share.max(0.0)).collect();
        let ramps: Option<Vec<f64>> = self.runs.iter().map(|run| run.ramp_ns.map(|ns| ns as f64)).collect();
        let times: Vec<f64> = self.runs.iter().map(|run| run.time_ns as f64).collect();
        [spread(&times), spread(&idle), ramps.as_deref().and_then(spread)]
    }

    /// The mean of a count.
    pub fn mean(&self, name: &str) -> f64 {
        self.counts(name).iter().sum::<f64>() / self.runs.len() as f64
    }

    /// How far the seeds differ in a count: see `spread`.
    pub fn spread_of(&self, name: &str) -> Option<f64> {
        spread(&self.counts(name))
    }

    fn counts(&self, name: &str) -> Vec<f64> {
        let of = |run: &Run| run.counts.iter().find(|(known, _)| *known == name).map_or(0, |(_, count)| *count);
        self.runs.iter().map(|run| of(run) as f64).collect()
    }

    /// Attempts to steal divided by P·T∞, where T∞ counts in units of τ. Work stealing makes O(P·T∞) of them (Frigo,
    /// Leiserson and Randall 1998, section 3).
    pub fn attempts_per_span(&self, tau_ns: u64) -> f64 {
        let span = self.totals.span_ns as f64 / tau_ns.max(1) as f64;
        self.mean("attempts") / (self.workers as f64 * span.max(1.0))
    }

    /// The bounds that the scheduler has by its paper, beside the figures.
    pub fn bounds(&self) -> impl Iterator<Item = String> {
        self.bounds_of_beats().into_iter().chain(self.bounds_of_cab())
    }

    /// Under CAB, the time beside equation 13, and stacks in use beside equation 15 (Chen, Huang, Guo and Zhou 2011,
    /// section III-E), in units of S1: a worker runs, besides a task, only parts of what it waits for, so its stack is
    /// no deeper than that of a serial run.
    fn bounds_of_cab(&self) -> Option<String> {
        let Cab { boundary, tiers, costs } = self.cab?;
        let (squads, workers) = (self.sockets as u64, (self.workers / self.sockets) as u64);
        let misses_ns =
            self.mean("misses_near") * costs.line_ns as f64 + self.mean("misses_far") * costs.far_line_ns as f64;
        let bound_ns = tiers.time_ns(squads, workers, misses_ns as u64) as f64;
        let most = self.runs.iter().map(|run| run.most_stacks).max()?;
        // The forks above the boundary, each of which leaves one of two tasks in a pool.
        let inter_ns = tiers.inter_ns as f64 + self.mean("inter_tasks") / 2.0 * costs.give_ns as f64;
        let share = inter_ns / (inter_ns + tiers.intra_ns as f64).max(1.0);
        Some(format!(
            "P = {}: BL {boundary}, K {}; T_P {} = {:.2} × equation 13 ({});\n  \
             stacks in use {most} (equation 15: {}); inter-socket tier {:.2} % of all work",
            self.workers,
            tiers.leaves,
            seconds(self.time_ns.value / 1e9),
            self.time_ns.value / bound_ns.max(1.0),
            seconds(bound_ns / 1e9),
            tiers.leaves.max(squads * workers),
            100.0 * share,
        ))
    }

    /// Under heartbeat scheduling, the largest figures beside their bounds (Acar, Charguéraud, Guatto, Rainey and
    /// Sieczkowski 2018, sections 2 and 3). A frame waits for the beat, for the thread that beats, which looks once per
    /// N, and for the next return.
    fn bounds_of_beats(&self) -> Option<String> {
        let Beats { period_ns, tau_ns, span_ns } = self.beat?;
        let most = self.runs.iter().map(|run| run.most_promotions).max()?;
        let longest_ns = self.runs.iter().map(|run| run.time_ns).max()?;
        let poll_ns = self.runs.iter().map(|run| run.longest_poll_ns).max()?;
        let path_ns = self.runs.iter().map(|run| run.path_ns).max()?;
        // What promotions add to the work.
        let (added, t1_ns) = (self.mean("promotions") * tau_ns as f64, self.totals.t1_ns().max(1) as f64);
        let (span_ns, wait_ns) = (span_ns as f64, 2.0 * period_ns as f64 + poll_ns as f64);
        let [n, tau, path, bound] =
            [period_ns as f64, tau_ns as f64, path_ns as f64, span_ns * (1.0 + wait_ns / tau_ns.max(1) as f64)]
                .map(|ns| seconds(ns / 1e9));
        Some(format!(
            "P = {}: N {n}, τ {tau}; promotions by one worker {most} (at most {});\n  path {path} (at most {bound}); \
             work × {:.3} (1 + τ/N: {:.3})",
            self.workers,
            longest_ns / period_ns.max(1) + 1,
            1.0 + added / t1_ns,
            1.0 + tau_ns as f64 / period_ns.max(1) as f64,
        ))
    }

    /// What is wrong with a run, if anything: every run runs each leaf once and takes no less time than is possible,
    /// and no worker promotes more often than N allows.
    pub fn broken(&self) -> Option<String> {
        let Self { scheduler, workers, totals, .. } = self;
        let least_ns = totals.t1_ns().div_ceil(*workers as u64).max(totals.span_ns);
        let too_many = |run: &Run| {
            self.beat.is_some_and(|Beats { period_ns, .. }| {
                period_ns > 0 && run.most_promotions > run.time_ns / period_ns + 1
            })
        };
        self.runs.iter().enumerate().find_map(|(seed, run)| {
            let of = format!("{scheduler} on {} with seed {seed}", number_of(*workers, "worker", "workers"));
            if run.leaves != totals.leaves {
                Some(format!("{of}: ran {} leaves, expected {}", run.leaves, totals.leaves))
            } else if run.time_ns < least_ns {
                Some(format!("{of}: took {} ns, expected at least {least_ns}", run.time_ns))
            } else if too_many(run) {
                Some(format!("{of}: a worker promoted {} times", run.most_promotions))
            } else {
                None
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use filch_sim::program::text::parse;
    use filch_sim::{Costs, Simulation, rules};

    fn row(totals: impl FnOnce(Totals) -> Totals) -> Row {
        let program = parse("fib:15,leaf=5us").unwrap();
        let (scheduler, costs) = (Scheduler::heartbeat(), Costs::ASSUMED);
        let rules = rules(&scheduler, &costs, 8).unwrap();
        let run = |seed| Simulation::new(&*program, rules, costs, 8, seed).run();
        let totals = totals(Totals::of(&*program, costs.fork_ns));
        let beat = rules.beat().map(|beat| Beats { period_ns: beat.period_ns(), tau_ns: 1, span_ns: 1 });
        Row::new(&scheduler, 1, beat, totals, (0..3).map(run).collect())
    }

    #[test]
    fn the_spread_is_half_of_the_range_in_parts_of_the_mean() {
        assert_eq!(spread(&[90.0, 100.0, 110.0]), Some(0.1));
        assert_eq!((spread(&[5.0, 5.0]), spread(&[0.0, 0.0])), (Some(0.0), None));
    }

    #[test]
    fn a_run_that_cannot_be_is_reported() {
        assert_eq!(row(|totals| totals).broken(), None);
        let fewer = row(|totals| Totals { leaves: totals.leaves + 1, ..totals }).broken().unwrap();
        assert!(fewer.contains("heartbeat on 8 workers with seed 0: ran 987 leaves, expected 988"), "{fewer}");
        let faster = row(|totals| Totals { span_ns: 1 << 40, ..totals }).broken().unwrap();
        assert!(faster.contains("expected at least 1099511627776"), "{faster}");
        let often = Row { beat: Some(Beats { period_ns: 1 << 40, tau_ns: 1, span_ns: 1 }), ..row(|totals| totals) }
            .broken()
            .unwrap();
        assert!(often.contains("promoted"), "{often}");
    }
}
