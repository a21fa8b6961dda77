//! Run time and promotions against the period, as in figure 7 of (Acar, Charguéraud, Guatto, Rainey and Sieczkowski
//! 2018).

use plotters::prelude::*;

use super::point::Point;
use filch_lab::show::numbers::{scaled, seconds};
use filch_lab::show::picture::canvas::{Area, Drawn, svg};
use filch_lab::show::picture::legend;
use filch_lab::show::picture::markers::colour;

/// Width and height in pixels.
const SIZE: (u32, u32) = (800, 640);

/// The height of the panel of times.
const TIMES: u32 = 360;

/// Draws both as SVG, with the sweet spot shaded.
pub fn draw(points: &[Point], title: &str) -> String {
    svg(SIZE, |area| draw_on(area, points, title))
}

/// A mark: the period N, the value, and its interval.
type Mark = (f64, [f64; 3]);

fn draw_on(area: &Area<'_>, points: &[Point], title: &str) -> Drawn {
    area.fill(&WHITE)?;
    let (above, below) = area.split_vertically(TIMES);
    let period = |point: &Point| point.period_s.unwrap_or_default();
    let swept = || points.iter().filter(|point| point.is_swept());
    let times: Vec<Mark> =
        swept().map(|point| (period(point), [point.time.low, point.time.value, point.time.high])).collect();
    let promotions: Vec<Mark> = swept().map(|point| (period(point), [point.promotions.unwrap_or(0.0); 3])).collect();
    let periods: Vec<f64> = times.iter().map(|&(period, _)| period).collect();
    let own = points.iter().find(|point| point.is_own()).map(period);
    let ends = |values: &[f64]| {
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        (low, values.iter().copied().fold(low, f64::max))
    };
    let all: Vec<f64> = periods.iter().copied().chain(own).collect();
    let (low, high) = ends(&all);
    let axis = low / 1.5..high * 1.5;
    let spot: Vec<f64> = swept().filter(|point| point.is_sweet).map(period).collect();
    let spot = (!spot.is_empty()).then(|| ends(&spot));

    let (_, longest) = ends(&times.iter().map(|(_, [_, _, high])| *high).collect::<Vec<_>>());
    let mut chart = ChartBuilder::on(&above)
        .caption(title, ("sans-serif", 20))
        .margin(16)
        .x_label_area_size(8)
        .y_label_area_size(80)
        .build_cartesian_2d(axis.clone().log_scale(), 0.0..longest * 1.1)?;
    chart
        .configure_mesh()
        .y_desc("run time")
        .light_line_style(TRANSPARENT)
        .x_label_formatter(&|_| String::new())
        .y_label_formatter(&|&time| legend::time(time))
        .label_style(("sans-serif", 14))
        .draw()?;
    if let Some((from, to)) = spot {
        let shade = Rectangle::new([(from / 1.2, 0.0), (to * 1.2, longest * 1.1)], colour(2).mix(0.15).filled());
        chart
            .draw_series([shade])?
            .label("sweet spot: may be as fast as the fastest")
            .legend(|(x, y)| Rectangle::new([(x, y - 5), (x + legend::SAMPLE, y + 5)], colour(2).mix(0.3).filled()));
    }
    if let Some(own) = own {
        chart
            .draw_series([PathElement::new([(own, 0.0), (own, longest * 1.1)], BLACK.mix(0.5))])?
            .label("the period that Filch uses here")
            .legend(legend::line(BLACK.mix(0.5)));
    }
    chart.draw_series(LineSeries::new(times.iter().map(|&(n, [_, value, _])| (n, value)), colour(0)))?;
    chart.draw_series(
        times.iter().map(|&(n, [low, value, high])| ErrorBar::new_vertical(n, low, value, high, colour(0).filled(), 6)),
    )?;
    legend::draw(&mut chart, SeriesLabelPosition::UpperMiddle)?;

    // A period without promotions is drawn at the lower end of the logarithmic axis.
    let (_, most) = ends(&promotions.iter().map(|(_, [_, value, _])| *value).collect::<Vec<_>>());
    let mut chart = ChartBuilder::on(&below)
        .margin(16)
        .x_label_area_size(48)
        .y_label_area_size(80)
        .build_cartesian_2d(axis.log_scale(), (0.5..most.max(1.0) * 2.0).log_scale())?;
    chart
        .configure_mesh()
        .x_desc("period N")
        .y_desc("promotions")
        .light_line_style(TRANSPARENT)
        .x_label_formatter(&|&time| seconds(time))
        .y_label_formatter(&|&number| scaled(number))
        .label_style(("sans-serif", 14))
        .draw()?;
    let marks = || promotions.iter().map(|&(n, [_, value, _])| (n, value.max(0.5)));
    chart.draw_series(LineSeries::new(marks(), colour(1)))?;
    chart.draw_series(marks().map(|at| Circle::new(at, 4, colour(1).filled())))?;
    area.present()?;
    Ok(())
}
