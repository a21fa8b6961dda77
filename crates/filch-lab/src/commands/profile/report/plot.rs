//! The picture of the speed-up: what was simulated and measured, beside what is possible. As the plot of Cilkscale
//! (Schardl, Kuszmaul, Lee, Leiserson and Leiserson 2015), with the simulation in addition.

use filch_bench::measure::median::Median;
use plotters::coord::combinators::LogCoord;
use plotters::prelude::*;

use super::Report;
use super::rows::Row;
use crate::show::picture::canvas::{Area, Drawn, TEXT, WIDTH, svg};
use crate::show::picture::legend;
use crate::show::picture::markers::colour;

/// The height in pixels.
const HEIGHT: u32 = 360;

/// Where the axis of workers begins.
const FIRST: f64 = 0.8;

/// How far the axes go beyond what is shown.
const MARGIN: f64 = 1.3;

/// The steps of a curve.
const STEPS: u32 = 100;

type Chart<'a> = ChartContext<'a, SVGBackend<'a>, Cartesian2d<LogCoord<f64>, LogCoord<f64>>>;

/// Draws the report, as SVG.
pub(in super::super) fn draw(report: &Report) -> String {
    svg((WIDTH, HEIGHT), |area| draw_on(area, report))
}

fn draw_on(area: &Area<'_>, report: &Report) -> Drawn {
    let most = report.rows.iter().map(|row| row.workers).max().unwrap_or(1).max(2) as f64 * MARGIN;
    let of_rows = |of: &dyn Fn(&Row) -> Option<Median>| -> Vec<(f64, Median)> {
        report.rows.iter().filter_map(|row| Some((row.workers as f64, of(row)?))).collect()
    };
    let (predicted, measured) = (of_rows(&Row::speed_up), of_rows(&Row::measured_speed_up));
    let shown = || predicted.iter().chain(&measured).map(|(_, it)| it);
    let lowest = shown().map(|it| it.low).fold(bound(report, FIRST), f64::min) / 1.1;
    let highest = shown().map(|it| it.high).fold(report.profile.parallelism.min(most), f64::max).max(2.0);
    area.fill(&WHITE)?;
    let mut chart: Chart<'_> = ChartBuilder::on(area)
        .margin(6)
        .margin_right(18)
        .x_label_area_size(44)
        .y_label_area_size(52)
        .build_cartesian_2d((FIRST..most).log_scale().base(2.0), (lowest..highest * MARGIN).log_scale().base(2.0))?;
    let label = |value: &f64| if *value < 1.0 { format!("{value}") } else { format!("{value:.0}") };
    chart
        .configure_mesh()
        .x_desc("workers P")
        .y_desc("speed-up T1 / T_P")
        .x_label_formatter(&label)
        .y_label_formatter(&label)
        .light_line_style(TRANSPARENT)
        .label_style(("sans-serif", TEXT))
        .draw()?;
    bounds(&mut chart, report, most)?;
    simulated(&mut chart, &predicted)?;
    points(&mut chart, &measured)?;
    legend::draw(&mut chart, SeriesLabelPosition::LowerRight)?;
    area.present()?;
    Ok(())
}

/// What is possible.
fn bounds(chart: &mut Chart<'_>, report: &Report, most: f64) -> Drawn {
    let parallelism = report.profile.parallelism;
    let sizes = || (0..=STEPS).map(|step| FIRST * (most / FIRST).powf(f64::from(step) / f64::from(STEPS)));
    let thin = BLACK.mix(0.35);
    chart
        .draw_series(LineSeries::new(sizes().map(|p| (p, p.min(parallelism))), thin))?
        .label("at most P and T1/T∞")
        .legend(legend::line(thin));
    let style = colour(1).stroke_width(2);
    chart
        .draw_series(LineSeries::new(sizes().map(|p| (p, bound(report, p))), style))?
        .label("T1/P + burdened T∞")
        .legend(legend::line(style));
    Ok(())
}

/// The speed-up if the bound is the time.
fn bound(report: &Report, workers: f64) -> f64 {
    1.0 / (1.0 / workers + 1.0 / report.profile.burdened_parallelism.max(1.0))
}

/// The simulated speed-up: a line, and a band from the slowest to the fastest.
fn simulated(chart: &mut Chart<'_>, points: &[(f64, Median)]) -> Drawn {
    if points.is_empty() {
        return Ok(());
    }
    let there = points.iter().map(|&(p, it)| (p, it.high));
    let back = points.iter().rev().map(|&(p, it)| (p, it.low));
    chart.draw_series([Polygon::new(there.chain(back).collect::<Vec<_>>(), colour(0).mix(0.25))])?;
    let line = colour(0).stroke_width(2);
    chart
        .draw_series(LineSeries::new(points.iter().map(|&(p, it)| (p, it.value)), line))?
        .label("simulated, with its range")
        .legend(legend::line(line));
    chart.draw_series(points.iter().map(|&(p, it)| Circle::new((p, it.value), 3, colour(0).filled())))?;
    Ok(())
}

/// The measured speed-up.
fn points(chart: &mut Chart<'_>, measured: &[(f64, Median)]) -> Drawn {
    if measured.is_empty() {
        return Ok(());
    }
    let style = colour(2).filled();
    let bars =
        measured.iter().map(|&(p, Median { value, low, high })| ErrorBar::new_vertical(p, low, value, high, style, 10));
    chart.draw_series(bars)?.label("measured").legend(move |(x, y)| Circle::new((x + legend::SAMPLE / 2, y), 4, style));
    Ok(())
}
