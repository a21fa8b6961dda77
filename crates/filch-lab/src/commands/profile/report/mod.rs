//! The report: all figures in one value, which is the JSON file, and what shows them.
//!
//! - `rows`: what is predicted and measured for a number of workers
//! - `places`: the sites, and the way along the span
//! - `limit`: what keeps the program from being faster, in a sentence
//! - [`text`], [`plot`], [`html`]: the report as people read it

pub(super) mod html;
mod limit;
mod places;
pub(super) mod plot;
mod rows;
pub(super) mod text;

use filch::Profile;
use filch_bench::failure::Failure;
use filch_bench::measure::counts::as_map;
use filch_sim::Costs;
use serde::Serialize;

use super::measured::Measured;
use super::recorded::Recordings;
use places::{Place, Site};
use rows::Row;

/// All figures.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    /// The program as it was started, or the file.
    pub(super) program: String,
    /// How it was recorded.
    recording: String,
    /// What else the user should know.
    notes: Vec<String>,
    profile: Figures,
    /// The time of the whole process while it was recorded, if it was run.
    recorded_wall_s: Option<f64>,
    /// The times of the whole process as it is.
    measured: Measured,
    /// The serial time outside of runs, if it is known.
    outside_s: Option<f64>,
    #[serde(serialize_with = "costs_as_map")]
    costs_ns: Costs,
    rows: Vec<Row>,
    /// Why the program is not faster on the largest number of workers, if it is not.
    limits: Vec<String>,
    sites: Vec<Site>,
    way: Vec<Place>,
}

fn costs_as_map<S: serde::Serializer>(costs: &Costs, serializer: S) -> Result<S::Ok, S::Error> {
    as_map(&costs.all().collect::<Vec<_>>(), serializer)
}

/// The figures of a profile.
#[derive(Clone, Copy, Debug, Serialize)]
struct Figures {
    /// For how many workers it was recorded.
    workers: usize,
    runs: u64,
    work_ns: u64,
    span_ns: u64,
    burdened_span_ns: u64,
    burden_ns: u64,
    parallelism: f64,
    burdened_parallelism: f64,
    forks: u64,
    timed_forks: u64,
    leaf_ns: u64,
    largest_leaf_ns: u64,
    lost_ns: u64,
}

impl Figures {
    fn of(profile: &Profile) -> Self {
        let ns = |time: std::time::Duration| time.as_nanos() as u64;
        Figures {
            workers: profile.workers(),
            runs: profile.runs(),
            work_ns: ns(profile.work()),
            span_ns: ns(profile.span()),
            burdened_span_ns: ns(profile.burdened_span()),
            burden_ns: ns(profile.burden()),
            parallelism: profile.parallelism(),
            burdened_parallelism: profile.burdened_parallelism(),
            forks: profile.forks(),
            timed_forks: profile.timed_forks(),
            leaf_ns: ns(profile.leaf()),
            largest_leaf_ns: ns(profile.largest_leaf()),
            lost_ns: ns(profile.lost()),
        }
    }
}

impl Report {
    /// Predicts what is to be predicted, and puts all together.
    pub(super) fn new(
        program: String,
        recordings: &Recordings,
        measured: Measured,
        workers: &[usize],
        costs: Costs,
        most_events: u64,
    ) -> Result<Self, Failure> {
        let shown = recordings.shown();
        let profile = &shown.profile;
        let outside_s = measured.outside_s(profile.work().as_secs_f64());
        let (rows, mut notes) = rows::all(recordings, &measured, workers, costs, most_events)?;
        if profile.runs() == 0 {
            notes.push("the program has built a pool and run nothing on it".into());
        }
        if shown.wall_s.is_some() && profile.workers() != shown.workers {
            let (own, asked) = (profile.workers(), shown.workers);
            notes.push(format!("the program sets its number of workers to {own} itself, whatever is asked ({asked})"));
        }
        if let Some(failed) = &measured.serial_failed {
            notes.push(format!("no serial time: {failed}"));
        }
        if measured.serial_s.or(measured.on(1).map(|on| on.wall_s.value)).is_some_and(|time| {
            // What is outside of runs cannot be negative.
            profile.work().as_secs_f64() > time * (1.0 + NOTABLE)
        }) {
            notes.push(
                "the recorded work is more than the program takes in serial: forks are so short that recording \
                        them makes them longer, or the machine was busy; a larger --leaf may help"
                    .into(),
            );
        }
        let most_workers = workers.last().copied().unwrap_or(1);
        Ok(Report {
            program,
            recording: recordings.note.clone(),
            notes,
            profile: Figures::of(profile),
            recorded_wall_s: shown.wall_s,
            measured,
            outside_s,
            costs_ns: costs,
            rows,
            limits: limit::limits(profile, most_workers),
            sites: places::sites(profile),
            way: places::way(profile),
        })
    }
}

/// How far the recorded work may be above the serial time before the user is warned.
const NOTABLE: f64 = 0.1;
