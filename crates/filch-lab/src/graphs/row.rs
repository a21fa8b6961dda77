//! The figures of one entrant, as written to the JSON file.

use filch_bench::failure::Failure;
use filch_bench::measure::counts::as_map;
use filch_bench::measure::ratio::Ratio;
use serde::Serialize;

use super::trials::{Counted, Entrant, Track};

/// What all entrants of a command have in common.
#[derive(Clone, Debug, Serialize)]
pub struct Problem {
    /// The command: "forest", "components", "bfs" or another problem on graphs.
    pub program: &'static str,
    /// The graph, as the user named it.
    pub graph: String,
    /// The number of vertices.
    pub vertices: usize,
    /// The number of arcs, which is two for each undirected edge.
    pub arcs: usize,
    /// Whether every arc has its reverse.
    pub symmetric: bool,
    /// The time to read the file, if the graph came from one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_s: Option<f64>,
    /// The time to build or generate the graph, if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub build_s: Option<f64>,
    /// What was found, by name, such as the number of components.
    #[serde(flatten, serialize_with = "as_map")]
    pub found: Counted,
}

/// One object of the JSON array.
#[derive(Debug, Serialize)]
pub struct Row {
    /// What is the same in all rows.
    #[serde(flatten)]
    pub problem: Problem,
    /// What solved it: "serial" or "filch:SCHEDULER".
    pub runner: String,
    /// The algorithm that was asked for.
    pub algorithm: String,
    /// The algorithm that was used, in its own words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// The number of workers that took part: 1 if the algorithm used is a serial one.
    pub workers: usize,
    /// The depth at which the algorithm gave up before its stack overflowed. It has no time then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exhausted_at_depth: Option<usize>,
    /// The number of timed runs.
    pub runs: usize,
    /// The median time.
    pub median_s: f64,
    /// The shortest time.
    pub min_s: f64,
    /// The longest time.
    pub max_s: f64,
    /// The number of edges divided by the median time: undirected edges of the graph; for a breadth-first search, arcs
    /// that leave the vertices reached.
    pub edges_per_s: f64,
    /// T1/Ts: the time on one worker divided by that of the serial algorithm.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overhead: Option<f64>,
    /// Ts/Tp: the time of the serial algorithm divided by this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speedup: Option<f64>,
    /// The own time divided by that of other entrants.
    pub ratios: Vec<Ratio>,
    /// Whether every result passed its check; absent if there was no check.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified: Option<bool>,
    /// The counts of the last run.
    #[serde(serialize_with = "as_map")]
    pub counters: Counted,
}

impl Row {
    /// The ratio against the entrant with this name.
    pub fn ratio(&self, against: &str) -> Option<&Ratio> {
        self.ratios.iter().find(|ratio| ratio.against == against)
    }
}

/// The name of the serial algorithm.
pub const SERIAL: &str = "serial";

/// The rows, one for each entrant. Each entrant is compared with the serial algorithm, if it takes part, and with the
/// first entrant that did not give up.
pub fn rows<A>(
    problem: &Problem,
    edges: usize,
    verify: bool,
    entrants: &[Entrant<'_, A>],
    tracks: &[Result<Track<A>, Failure>],
) -> Vec<Row> {
    let ratio = |own: usize, theirs: usize, against: &str| {
        let (Ok(ours), Ok(other)) = (&tracks[own], &tracks[theirs]) else { return None };
        // Being faster than a wrong result means nothing.
        (own != theirs && other.wrong.is_none()).then(|| Ratio::of(against, &ours.seconds, &other.seconds))
    };
    let first = tracks.iter().position(Result::is_ok).unwrap_or(0);
    let serial = entrants.iter().position(|entrant| entrant.runner == SERIAL);
    let row = |place: usize, entrant: &Entrant<'_, A>, track: &Result<Track<A>, Failure>| {
        let is_serial = serial == Some(place);
        let to_serial = serial.and_then(|serial| ratio(place, serial, SERIAL));
        let serial_ratio = to_serial.as_ref().map(|ratio| ratio.median);
        let to_first = (!is_serial).then(|| ratio(place, first, FIRST)).flatten();
        let seconds: &[f64] = track.as_ref().map_or(&[], |track| &track.seconds);
        let extreme = |pick: fn(f64, f64) -> f64| seconds.iter().copied().reduce(pick).unwrap_or(f64::NAN);
        let median_s = track.as_ref().map_or(f64::NAN, Track::median);
        let last = track.as_ref().ok().map(|track| &track.last);
        Row {
            problem: problem.clone(),
            runner: entrant.runner.clone(),
            algorithm: entrant.algorithm.clone(),
            method: last.and_then(|last| last.method.clone()),
            workers: if last.is_some_and(|last| last.serial) { 1 } else { entrant.workers },
            exhausted_at_depth: match track {
                Err(Failure::OutOfStack { depth, .. }) => Some(*depth),
                _ => None,
            },
            runs: seconds.len(),
            median_s,
            min_s: extreme(f64::min),
            max_s: extreme(f64::max),
            edges_per_s: edges as f64 / median_s,
            overhead: serial_ratio.filter(|_| entrant.workers == 1),
            speedup: serial_ratio.map(f64::recip),
            ratios: to_serial.into_iter().chain(to_first).collect(),
            verified: track.as_ref().ok().filter(|_| verify).map(|track| track.wrong.is_none()),
            counters: last.map_or_else(Counted::new, |last| last.counted.clone()),
        }
    };
    entrants.iter().zip(tracks).enumerate().map(|(place, (entrant, track))| row(place, entrant, track)).collect()
}

/// The name of the first entrant in ratios.
pub const FIRST: &str = "first";
