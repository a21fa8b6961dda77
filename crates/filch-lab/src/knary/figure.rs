//! The paper's figure 8: speed-up against workers, both normalised by the average parallelism, so that trees of any kind
//! lie in one picture.

use std::collections::BTreeSet;

use filch::Scheduler;
use plotters::coord::Shift;
use plotters::prelude::*;

use super::fit::Point;

/// Width and height in pixels.
const SIZE: (u32, u32) = (800, 600);

type Drawn = Result<(), Box<dyn std::error::Error>>;

/// Draws the points and the curve of T_P = T1/P + T∞, as SVG.
pub fn draw(points: &[Point], scheduler: &Scheduler) -> String {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        draw_on(&area, points, scheduler).expect("drawing into a string does not fail");
    }
    svg
}

fn draw_on(area: &DrawingArea<SVGBackend<'_>, Shift>, points: &[Point], scheduler: &Scheduler) -> Drawn {
    let machine_size = |point: &Point| point.workers as f64 / point.average_parallelism();
    // A decade's share to spare on both sides; 1 is always in the picture.
    let low = points.iter().map(machine_size).fold(1.0, f64::min) / 2.0;
    let high = points.iter().map(machine_size).fold(1.0, f64::max) * 2.0;
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(area)
        .caption(format!("Normalised speed-up, {scheduler}"), ("sans-serif", 20))
        .margin(16)
        .x_label_area_size(48)
        .y_label_area_size(64)
        .build_cartesian_2d((low..high).log_scale(), (low / 2.0..2.0).log_scale())?;
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
        .legend(|(x, y)| PathElement::new([(x, y), (x + 18, y)], BLACK.stroke_width(2)));
    let bounds = sizes().map(|x| (x, x.min(1.0)));
    chart
        .draw_series(LineSeries::new(bounds, BLACK.mix(0.4)))?
        .label("T_P = max(T1/P, T∞)")
        .legend(|(x, y)| PathElement::new([(x, y), (x + 18, y)], BLACK.mix(0.4)));

    let workers: BTreeSet<usize> = points.iter().map(|point| point.workers).collect();
    for (place, workers) in workers.into_iter().enumerate() {
        let colour = Palette99::pick(place).to_rgba();
        let own = || points.iter().filter(move |point| point.workers == workers);
        let is_oversubscribed = own().any(Point::is_oversubscribed);
        // Filled where every worker has a core.
        let style = if is_oversubscribed { colour.stroke_width(1) } else { colour.filled() };
        let note = if is_oversubscribed { " (more than cores)" } else { "" };
        let bars = own().map(|point| {
            let speed_up = point.speed_up();
            let y = |speed_up: f64| speed_up / point.average_parallelism();
            let x = machine_size(point);
            ErrorBar::new_vertical(x, y(speed_up.low), y(speed_up.value), y(speed_up.high), style, 6)
        });
        chart
            .draw_series(bars)?
            .label(format!("P = {workers}{note}"))
            .legend(move |(x, y)| Circle::new((x + 9, y), 4, style));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::LowerRight)
        .background_style(WHITE)
        .border_style(BLACK.mix(0.4))
        .label_font(("sans-serif", 14))
        .draw()?;
    area.present()?;
    Ok(())
}
