//! What is predicted and measured for a number of workers.

use filch_bench::failure::Failure;
use filch_bench::measure::median::Median;
use filch_bench::show::progress::samples::Samples;
use filch_sim::Costs;
use serde::Serialize;

use super::super::measured::Measured;
use super::super::recorded::{Recording, Recordings};
use crate::recordings::profiled;
use crate::simulation::predicted::{Predicted, predict};

/// A number of workers.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Row {
    pub(super) workers: usize,
    /// For how many workers the program was recorded.
    pub(super) recorded_for: usize,
    pub(super) work_ns: f64,
    pub(super) span_ns: f64,
    /// T1/P.
    pub(super) ideal_ns: f64,
    /// T1/P plus the burdened T∞.
    pub(super) bound_ns: f64,
    /// T_P, if it was simulated.
    pub(super) simulated: Option<Predicted>,
    /// The serial time outside of runs, by this recording, in seconds.
    pub(super) outside_s: Option<f64>,
    /// The time of the whole program by that, with what is outside of runs, in seconds.
    pub(super) whole_s: Option<Median>,
    /// The time that the whole program has taken, in seconds.
    pub(super) measured_s: Option<Median>,
}

impl Row {
    /// T1/T_P, from the slowest to the fastest simulation.
    pub(super) fn speed_up(&self) -> Option<Median> {
        let Median { value, low, high } = self.simulated?.time_ns;
        let of = |ns: f64| self.work_ns / ns.max(1.0);
        Some(Median { value: of(value), low: of(high), high: of(low) })
    }

    /// The measured speed-up of what is inside of runs, where that is most of the time: the rest of it would be noise.
    pub(super) fn measured_speed_up(&self) -> Option<Median> {
        let outside_s = self.outside_s?;
        let Median { value, low, high } = self.measured_s?;
        let inside = |wall_s: f64| wall_s - outside_s;
        let of = |wall_s: f64| self.work_ns / 1e9 / inside(wall_s);
        let is_clear = inside(low) > 0.5 * low && inside(low) > 0.0;
        is_clear.then(|| Median { value: of(value), low: of(high), high: of(low) })
    }

    /// The predicted time of the whole program over the measured one.
    pub(super) fn ratio(&self) -> Option<f64> {
        Some(self.whole_s?.value / self.measured_s?.value)
    }
}

/// A row for each number of workers, and what went wrong with the simulations.
pub(super) fn all(
    recordings: &Recordings,
    measured: &Measured,
    workers: &[usize],
    costs: Costs,
    most_events: u64,
) -> Result<(Vec<Row>, Vec<String>), Failure> {
    let (mut rows, mut notes, mut left) = (Vec::new(), Vec::new(), most_events);
    let progress = Samples::new(workers.len(), 0);
    for recordings in of_one(workers, recordings) {
        let (recording, workers) = recordings;
        let program = match profiled::recorded(&recording.profile) {
            Ok(program) => Some(program),
            Err(error) => {
                notes.push(format!("nothing is simulated: {error}; a larger --leaf divides the program less"));
                None
            }
        };
        for workers in workers {
            progress.begin(&format!("a simulation of {workers}"));
            let simulated = match &program {
                Some(program) => predict(program, workers, costs, &mut left)?,
                None => None,
            };
            if program.is_some() && simulated.is_none() && !notes.iter().any(|note| note.contains("--most-events")) {
                notes.push(format!("the events of --most-events do not suffice to simulate {workers} workers"));
            }
            rows.push(row(workers, recording, simulated, measured));
            progress.step();
        }
    }
    Ok((rows, notes))
}

/// The recordings, each with the numbers of workers for which it stands.
fn of_one<'r>(workers: &[usize], recordings: &'r Recordings) -> Vec<(&'r Recording, Vec<usize>)> {
    let mut parts: Vec<(&Recording, Vec<usize>)> = Vec::new();
    for &workers in workers {
        let recording = recordings.of(workers);
        match parts.last_mut() {
            Some((last, of_last)) if std::ptr::eq(*last, recording) => of_last.push(workers),
            _ => parts.push((recording, vec![workers])),
        }
    }
    parts
}

fn row(workers: usize, recording: &Recording, simulated: Option<Predicted>, measured: &Measured) -> Row {
    let profile = &recording.profile;
    let [work_ns, span_ns, burdened_ns] =
        [profile.work(), profile.span(), profile.burdened_span()].map(|time| time.as_nanos() as f64);
    let ideal_ns = work_ns / workers as f64;
    let outside_s = measured.outside_s(work_ns / 1e9);
    let whole_s =
        simulated.zip(outside_s).map(|(Predicted { time_ns: Median { value, low, high }, .. }, outside_s)| {
            let of = |ns: f64| ns / 1e9 + outside_s;
            Median { value: of(value), low: of(low), high: of(high) }
        });
    Row {
        workers,
        recorded_for: recording.workers,
        work_ns,
        span_ns,
        ideal_ns,
        bound_ns: ideal_ns + burdened_ns,
        simulated,
        outside_s,
        whole_s,
        measured_s: measured.on(workers).map(|on| on.wall_s),
    }
}
