//! The normalised speed-up against the normalised number of workers, as in figure 8 of (Frigo, Leiserson and Randall
//! 1998). Both are divided by the average parallelism, so that trees of any kind fit into one picture.

use std::collections::BTreeSet;

use filch::Scheduler;
use plotters::prelude::*;

use super::fit::Point;
use crate::measure::median::Median;
use crate::show::picture::canvas::{Area, Drawn};
use crate::show::picture::legend;

/// Width and height in pixels.
const SIZE: (u32, u32) = (800, 600);

/// Draws the points and the curve of T_P = T1/P + T∞, as SVG.
pub fn draw(points: &[Point], scheduler: &Scheduler) -> String {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        draw_on(&area, points, scheduler).expect("drawing into a string does not fail");
    }
    svg
}

/// P / (T1/T∞): the normalised number of workers.
fn machine_size(point: &Point) -> f64 {
    point.workers as f64 / point.average_parallelism()
}

/// T∞/T_P: the normalised speed-up.
fn speed_up(point: &Point) -> Median {
    let Median { value, low, high } = point.speed_up();
    let average = point.average_parallelism();
    Median { value: value / average, low: low / average, high: high / average }
}

fn draw_on(area: &Area<'_>, points: &[Point], scheduler: &Scheduler) -> Drawn {
    // A margin on all sides; 1 is always in the picture.
    let low = points.iter().map(machine_size).fold(1.0, f64::min) / 2.0;
    let high = points.iter().map(machine_size).fold(1.0, f64::max) * 2.0;
    let lowest = points.iter().map(|point| speed_up(point).low).fold(low, f64::min) / 2.0;
    let highest = points.iter().map(|point| speed_up(point).high).fold(1.0, f64::max) * 2.0;
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(area)
        .caption(format!("Normalised speed-up, {scheduler}"), ("sans-serif", 20))
        .margin(16)
        .x_label_area_size(48)
        .y_label_area_size(64)
        .build_cartesian_2d((low..high).log_scale(), (lowest..highest).log_scale())?;
    chart
        .configure_mesh()
        .x_desc("number of workers / average parallelism: P / (T1/T∞)")
        .y_desc("speed-up / average parallelism: T∞ / T_P")
        .light_line_style(TRANSPARENT)
        .label_style(("sans-serif", 14))
        .draw()?;

    let steps = 200;
    let sizes = move || (0..=steps).map(move |step| low * (high / low).powf(f64::from(step) / f64::from(steps)));
    chart
        .draw_series(LineSeries::new(sizes().map(|x| (x, 1.0 / (1.0 / x + 1.0))), BLACK.stroke_width(2)))?
        .label("T_P = T1/P + T∞")
        .legend(legend::line(BLACK.stroke_width(2)));
    let bounds = sizes().map(|x| (x, x.min(1.0)));
    chart
        .draw_series(LineSeries::new(bounds, BLACK.mix(0.4)))?
        .label("T_P = max(T1/P, T∞)")
        .legend(legend::line(BLACK.mix(0.4)));

    let workers: BTreeSet<usize> = points.iter().map(|point| point.workers).collect();
    for (place, workers) in workers.into_iter().enumerate() {
        let colour = Palette99::pick(place).to_rgba();
        let own = || points.iter().filter(move |point| point.workers == workers);
        let is_oversubscribed = own().any(Point::is_oversubscribed);
        // Filled markers where every worker has a core.
        let style = if is_oversubscribed { colour.stroke_width(1) } else { colour.filled() };
        let note = if is_oversubscribed { " (more than cores)" } else { "" };
        let bars = own().map(|point| {
            let Median { value, low, high } = speed_up(point);
            ErrorBar::new_vertical(machine_size(point), low, value, high, style, 6)
        });
        chart
            .draw_series(bars)?
            .label(format!("P = {workers}{note}"))
            .legend(move |(x, y)| Circle::new((x + legend::SAMPLE / 2, y), 4, style));
    }
    legend::draw(&mut chart, SeriesLabelPosition::LowerRight)?;
    area.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use filch_programs::knary::Knary;

    /// Points outside of the axes would be drawn at their ends.
    #[test]
    fn every_point_has_its_own_place_however_far_from_the_bound() {
        let tree = Knary { height: 8, degree: 2, serial: 0 };
        let point = |speed_up: f64| Point::new(tree, 16, vec![speed_up; 6], vec![1.0; 6]);
        let heights = |speed_ups: &[f64]| {
            let points: Vec<Point> = speed_ups.iter().map(|&speed_up| point(speed_up)).collect();
            let svg = draw(&points, &Scheduler::default());
            // The last circle is in the legend.
            let circles = svg.split("<circle").skip(1).take(points.len());
            circles.map(|circle| circle.split('"').nth(3).unwrap().parse().unwrap()).collect::<Vec<i32>>()
        };
        let heights = heights(&[1e-3, 1e-2, 1.0, 100.0, 1000.0]);
        assert!(heights.is_sorted_by(|one, next| one > next), "{heights:?}");
    }
}
