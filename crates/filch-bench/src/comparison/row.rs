//! The figures of one runner for one program, as written to the JSON file.

use filch_kernels::Extent;
use serde::Serialize;

use super::plan::Task;
use crate::failure::Failure;
use crate::measure::counts::as_map;
use crate::measure::machine::facts;
use crate::measure::median::Median;
use crate::measure::ratio::Ratio;
use crate::measure::runner::{CHILI, RAYON, RAYON_TUNED, Runner, SERIAL, SERIAL_WITH_CUT_OFF};
use crate::measure::series::{Series, Track};

/// One object of the JSON array. Times are seconds per call.
#[derive(Debug, Serialize)]
pub struct Row {
    /// The program's name.
    pub program: &'static str,
    /// "small", "default", "paper" or "custom".
    pub size: &'static str,
    /// The size, or the number of rows.
    pub n: u64,
    /// The number of columns, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub columns: Option<u64>,
    /// The cut-off, if one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grain: Option<u64>,
    /// The runner: "serial", "serial-again", "serial-cut-off", "filch:SCHEDULER", "rayon", "rayon-tuned" or "chili".
    pub runner: String,
    /// The tuning of its loops; only for "rayon-tuned".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tuning: Option<String>,
    /// The number of workers.
    pub workers: usize,
    /// The number of other processes kept busy during the measurement.
    pub busy: usize,
    /// How many cores other programs kept busy during the measurement, if that was more than on a machine at rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub others_cores: Option<f64>,
    /// The number of samples.
    pub runs: usize,
    /// The number of samples in a block, of which only the blocks count for the intervals of ratios.
    pub runs_per_block: usize,
    /// The median time.
    pub median_s: f64,
    /// The shortest time.
    pub min_s: f64,
    /// The longest time.
    pub max_s: f64,
    /// T1/Ts: the time on one worker divided by that of the serial elision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overhead: Option<f64>,
    /// Ts/Tp: the time of the serial elision divided by this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speedup: Option<f64>,
    /// The own time divided by that of other runners.
    pub ratios: Vec<Ratio>,
    /// Whether every result passed its check.
    pub verified: bool,
    /// The runtime's counters over all runs; empty for runners other than Filch.
    #[serde(serialize_with = "as_map")]
    pub counters: Vec<(&'static str, u64)>,
    /// The share of the workers' time in which they had no work; only for Filch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idle: Option<f64>,
    /// Instructions per fork beyond those of the serial elision, if they were asked for and can be counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions_per_fork: Option<f64>,
    /// The machine.
    pub machine: String,
    /// Whether the runner is Filch. Not in the file, since the name says it.
    #[serde(skip)]
    pub is_filch: bool,
    /// The number of calls per sample. Not in the file, since times are per call.
    #[serde(skip)]
    pub calls: u64,
}

/// The results for one task, or for several.
#[derive(Debug)]
pub struct Measured {
    /// The figures.
    pub rows: Vec<Row>,
    /// What the checks found wrong, in words.
    pub wrong: Vec<String>,
}

impl Measured {
    /// Fails if a result was wrong.
    pub fn verified(self) -> Result<(), Failure> {
        if self.wrong.is_empty() { Ok(()) } else { Err(Failure::Failed(self.wrong.join("\nerror: "))) }
    }
}

/// What else ran while a task was measured, and what was done about it.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// The number of processes that the lab kept busy.
    pub busy: usize,
    /// The number of cores that other programs kept busy, if it is worth reporting.
    pub others_cores: Option<f64>,
    /// The number of samples that are one for the intervals of ratios.
    pub runs_per_block: usize,
}

impl Load {
    /// Nothing else ran.
    pub const NONE: Self = Self { busy: 0, others_cores: None, runs_per_block: 1 };
}

impl Row {
    /// The name in front of a row of a table: with a mark if the machine was loaded.
    pub fn marked(&self, name: &str) -> String {
        if self.others_cores.is_some() { format!("{name} *") } else { name.to_owned() }
    }

    /// The size.
    pub fn extent(&self) -> Extent {
        self.columns.map_or(Extent::Number(self.n), |columns| Extent::Grid { rows: self.n, columns })
    }

    /// The ratio against the runner with this name.
    pub fn ratio(&self, against: &str) -> Option<&Ratio> {
        self.ratios.iter().find(|ratio| ratio.against == against)
    }
}

/// The rows of a task, one per runner.
pub fn rows(task: &Task, runners: &[&Runner], series: &Series, load: Load) -> Vec<Row> {
    let Load { busy, others_cores, runs_per_block } = load;
    let entrants: Vec<_> = runners.iter().copied().zip(&series.tracks).collect();
    let ratio = |own: (&Runner, &Track), against: &str| {
        let (_, theirs) = entrants.iter().find(|(them, _)| them.is_peer_of(own.0, against))?;
        // Being faster than a wrong result means nothing.
        if theirs.mismatch.is_some() {
            return None;
        }
        Some(Ratio::of_blocks(against, &own.1.seconds, &theirs.seconds, runs_per_block))
    };
    let peers: Vec<&str> =
        [SERIAL, SERIAL_WITH_CUT_OFF, RAYON, RAYON_TUNED, CHILI].into_iter().chain(last_scheduler(runners)).collect();
    let machine = facts::in_short();
    let row = |&(runner, track): &(&Runner, &Track)| {
        let ratios: Vec<Ratio> = peers.iter().filter_map(|against| ratio((runner, track), against)).collect();
        let to_serial = ratios
            .iter()
            .find(|ratio| ratio.against == SERIAL)
            .filter(|_| runner.is_parallel())
            .map(|ratio| ratio.median);
        let extreme = |pick: fn(f64, f64) -> f64| track.seconds.iter().copied().reduce(pick).unwrap_or(f64::NAN);
        Row {
            program: task.program.name,
            size: task.size,
            n: task.n.n(),
            columns: task.n.columns(),
            grain: task.grains.map(|grains| runner.grain(grains)),
            runner: runner.name.clone(),
            tuning: runner.is_tuned().then(|| track.tunings.to_string()),
            workers: runner.workers,
            busy,
            others_cores,
            runs: track.seconds.len(),
            runs_per_block,
            median_s: Median::of(track.seconds.clone()).value,
            min_s: extreme(f64::min),
            max_s: extreme(f64::max),
            overhead: to_serial.filter(|_| runner.workers == 1),
            speedup: to_serial.map(f64::recip),
            ratios,
            verified: track.mismatch.is_none(),
            counters: track.counters.clone(),
            idle: track.idle_share(runner.workers, series.calls).map(|idle| idle.value),
            instructions_per_fork: None,
            machine: machine.clone(),
            is_filch: runner.scheduler.is_some(),
            calls: series.calls,
        }
    };
    entrants.iter().map(row).collect()
}

/// The name of the last Filch runner. Runners with other schedulers are compared with it.
fn last_scheduler<'a>(runners: &[&'a Runner]) -> Option<&'a str> {
    runners.iter().rev().find(|runner| runner.scheduler.is_some()).map(|runner| runner.name.as_str())
}

impl Runner {
    /// Whether it runs the parallel form of a program, on a pool.
    fn is_parallel(&self) -> bool {
        self.scheduler.is_some() || [RAYON, RAYON_TUNED, CHILI].contains(&self.name.as_str())
    }

    /// Whether this is the runner called `name` and `other` is compared with it. Every runner is compared with the
    /// serial elision. Filch is also compared with its peers and with another scheduler, on the same number of workers.
    fn is_peer_of(&self, other: &Self, name: &str) -> bool {
        if self.name != name || other.name == name {
            return false;
        }
        name == SERIAL || name == SERIAL_WITH_CUT_OFF || (other.scheduler.is_some() && other.workers == self.workers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::counts::Counts;
    use crate::measure::runner::SERIAL_AGAIN;
    use filch_kernels::runtime::Tunings;
    use filch_kernels::{Mismatch, fib};

    #[test]
    fn no_runner_is_compared_with_a_wrong_result() {
        let track = |name: &str, mismatch| Track {
            runner: name.into(),
            tunings: Tunings::NONE,
            seconds: vec![1.0],
            mismatch,
            counters: Vec::new(),
            counts: Counts::default(),
        };
        let against_serial = |mismatch: Option<Mismatch>| {
            let tracks = vec![track(SERIAL, mismatch), track(SERIAL_AGAIN, None)];
            let runners = [Runner::serial(SERIAL), Runner::serial(SERIAL_AGAIN)];
            let task = Task { program: &fib::PROGRAM, size: "custom", n: 1.into(), grains: None, input: None };
            rows(&task, &runners.each_ref(), &Series { calls: 1, tracks }, Load::NONE)[1].ratios.len()
        };
        assert_eq!(against_serial(None), 1);
        assert_eq!(against_serial(Some(Mismatch::Nothing)), 0);
    }
}
