//! A picture of a comparison. For each program, it shows the speed-up on the largest number of workers and the overhead
//! on one worker.
//!
//! - `points`: the ratios that are drawn
//! - `picture`: how they are drawn
//! - `legend`, `layout`: where things are

mod layout;
mod legend;
mod picture;
mod points;

use filch_bench::comparison::plan::Comparison;
use filch_bench::comparison::row::Row;
use filch_bench::measure::machine::facts;
use filch_bench::measure::median::FEWEST_FOR_CONFIDENCE;
use filch_bench::show::numbers::number_of;
use picture::Picture;
use points::Points;

/// Draws the rows of a comparison as SVG.
pub fn draw(comparison: &Comparison, rows: &[Row]) -> String {
    Picture::new(Points::of(rows), &caption(comparison)).draw()
}

fn caption(&Comparison { runs, busy, .. }: &Comparison) -> String {
    let bars = if runs < FEWEST_FOR_CONFIDENCE { "their range" } else { "its 95 % interval" };
    let mut caption =
        format!("{}.\nMedian of the ratios of {} and {bars}.", facts::in_short(), number_of(runs, "run", "runs"));
    if busy > 0 {
        caption += &format!(" Meanwhile {} competed for the cores.", number_of(busy, "busy process", "busy processes"));
    }
    if cfg!(debug_assertions) {
        caption += " A debug build: its times are meaningless.";
    }
    caption
}
