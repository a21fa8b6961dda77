//! c∞, the overhead on the span: of one tree, and fitted to several by least squares.

use std::thread;

use filch_bench::measure::median::Median;
use filch_programs::knary::Knary;
use filch_sim::{Timed, fitted_overhead};
use serde::Serialize;

/// The measurements of a tree on some number of workers.
#[derive(Clone, Debug)]
pub struct Point {
    /// The tree.
    pub tree: Knary,
    /// P.
    pub workers: usize,
    /// T1 in seconds, by run.
    work: Vec<f64>,
    /// T_P in seconds, by run, in the same rounds.
    times: Vec<f64>,
}

/// The figures of a tree on some number of workers.
#[derive(Debug, Serialize)]
pub struct Row {
    height: u32,
    degree: u64,
    serial: u64,
    workers: usize,
    average_parallelism: f64,
    t1_s: f64,
    tp_s: f64,
    speed_up: Median,
    overhead: Median,
    /// Whether it counts for the fit.
    fitted: bool,
}

impl Point {
    /// The measurements on one worker and on `workers`, taken in the same rounds.
    pub fn new(tree: Knary, workers: usize, work: Vec<f64>, times: Vec<f64>) -> Self {
        Self { tree, workers, work, times }
    }

    /// T1/T∞, which is a property of the tree.
    pub fn average_parallelism(&self) -> f64 {
        self.tree.work() as f64 / self.tree.span() as f64
    }

    /// Whether there are more workers than cores, so that the formula cannot hold.
    pub fn is_oversubscribed(&self) -> bool {
        thread::available_parallelism().is_ok_and(|cores| self.workers > cores.get())
    }

    /// The median of T_P in seconds.
    pub fn time(&self) -> f64 {
        Median::of(self.times.clone()).value
    }

    /// The median of T1 in seconds.
    pub fn time_on_one(&self) -> f64 {
        Median::of(self.work.clone()).value
    }

    /// T1/T_P.
    pub fn speed_up(&self) -> Median {
        Median::of_paired_ratios(&self.work, &self.times)
    }

    /// c∞ of this tree alone.
    pub fn overhead(&self) -> Median {
        Median::of((0..self.times.len()).map(|run| self.timed(run).overhead()).collect())
    }

    /// The figures, as `--format` writes them.
    pub fn row(&self) -> Row {
        let Knary { height, degree, serial } = self.tree;
        Row {
            height,
            degree,
            serial,
            workers: self.workers,
            average_parallelism: self.average_parallelism(),
            t1_s: self.time_on_one(),
            tp_s: self.time(),
            speed_up: self.speed_up(),
            overhead: self.overhead(),
            fitted: !self.is_oversubscribed(),
        }
    }

    /// A run, with the share of T1 that follows from the tree as T∞.
    fn timed(&self, run: usize) -> Timed {
        Timed {
            time: self.times[run],
            share: self.work[run] / self.workers as f64,
            span: self.work[run] / self.average_parallelism(),
        }
    }
}

/// c∞ [fitted](fitted_overhead) to all these points in each round; the median over all rounds. `None` without points.
pub fn overhead(points: &[&Point]) -> Option<Median> {
    let rounds = points.iter().map(|point| point.times.len()).min()?;
    let in_round = |run: usize| fitted_overhead(points.iter().map(|point| point.timed(run)));
    Some(Median::of((0..rounds).filter_map(in_round).collect()))
}

/// The number of runs within T1/P + c∞·T∞, and the number of all runs.
pub fn within(points: &[&Point], overhead: f64) -> (usize, usize) {
    let stays = |point: &Point, run: usize| point.timed(run).overhead() <= overhead;
    let all = points.iter().map(|point| point.times.len()).sum();
    (points.iter().map(|point| (0..point.times.len()).filter(|&run| stays(point, run)).count()).sum(), all)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points that follow the formula exactly.
    fn points(overhead: f64) -> Vec<Point> {
        let trees = [(9, 4, 1), (8, 5, 3), (6, 8, 6)];
        let point = |(height, degree, serial), workers| {
            let tree = Knary { height, degree, serial };
            let work: Vec<f64> = (1..=6).map(|run| 1.0 + f64::from(run) / 10.0).collect();
            let span = tree.span() as f64 / tree.work() as f64;
            let times = work.iter().map(|work| work / workers as f64 + overhead * span * work).collect();
            Point::new(tree, workers, work, times)
        };
        trees.into_iter().flat_map(|tree| [2, 4].map(|workers| point(tree, workers))).collect()
    }

    #[test]
    fn what_follows_the_formula_is_fitted_exactly() {
        for expected in [0.0, 0.7, 1.5] {
            let points = points(expected);
            let all: Vec<&Point> = points.iter().collect();
            let close = |median: Median| (median.value - expected).abs() < 1e-9 && median.high - median.low < 1e-9;
            assert!(close(overhead(&all).unwrap()), "{expected}");
            assert!(points.iter().all(|point| close(point.overhead())), "{expected}");
        }
    }

    #[test]
    fn a_run_is_within_the_bound_if_its_overhead_is() {
        let points = points(0.9);
        let all: Vec<&Point> = points.iter().collect();
        assert_eq!(within(&all, 1.0), (36, 36));
        assert_eq!(within(&all, 0.8), (0, 36));
    }

    #[test]
    fn nothing_is_fitted_to_no_points() {
        assert_eq!(overhead(&[]), None);
    }
}
