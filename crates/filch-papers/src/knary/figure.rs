//! The picture: figure 8 of (Frigo, Leiserson and Randall 1998).

use std::collections::BTreeSet;

use filch::Scheduler;
use filch_bench::measure::median::Median;

use super::fit::Point;
use filch_lab::show::picture::normalised::{self, Mark};

/// Draws the points and the curve of T_P = T1/P + T∞, as SVG.
pub fn draw(points: &[Point], scheduler: &Scheduler) -> String {
    let workers: BTreeSet<usize> = points.iter().map(|point| point.workers).collect();
    let of = |workers: usize| points.iter().filter(move |point| point.workers == workers);
    let marks: Vec<Mark> = workers.into_iter().flat_map(of).map(mark).collect();
    normalised::draw(&format!("Normalised speed-up, {scheduler}"), &marks)
}

/// Filled where every worker has a core.
fn mark(point: &Point) -> Mark {
    let is_filled = !point.is_oversubscribed();
    let note = if is_filled { "" } else { " (more than cores)" };
    let Median { value, low, high } = point.speed_up();
    Mark {
        series: format!("P = {}{note}", point.workers),
        is_filled,
        workers: point.workers as f64,
        parallelism: point.average_parallelism(),
        speed_up: [low, value, high],
    }
}
