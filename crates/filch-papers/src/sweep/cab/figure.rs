//! Run time against the boundary level and against the leaf size, as in figures 8 and 7 of (Chen, Huang, Guo and Zhou
//! 2011).

use plotters::prelude::*;

use super::point::{Point, Role};
use super::program::Figures;
use filch_lab::show::picture::canvas::{Area, Drawn, svg};
use filch_lab::show::picture::legend;
use filch_lab::show::picture::markers::colour;

/// The width of the picture and the height of a program, in pixels.
const SIZE: (u32, u32) = (960, 280);

/// The width of the panel of boundary levels.
const LEVELS: u32 = 520;

/// Draws a row for each program as SVG.
pub fn draw(programs: &[Figures], topology: &str) -> String {
    let rows = u32::try_from(programs.len()).expect("programs are few");
    svg((SIZE.0, SIZE.1 * rows), |area| {
        area.fill(&WHITE)?;
        area.split_evenly((programs.len(), 1)).iter().zip(programs).try_for_each(|(row, figures)| {
            let (levels, grains) = row.split_horizontally(LEVELS);
            draw_levels(&levels, figures, &format!("{} {}, cab on {topology}", figures.program, figures.n))?;
            draw_grains(&grains, figures)
        })
    })
}

/// A value on an axis, and the time of a call with its interval.
type Mark = (f64, [f64; 3]);

fn mark(at: f64, point: &Point) -> Mark {
    (at, [point.time.low, point.time.value, point.time.high])
}

/// The longest time, and room for the legend above it.
fn top<'a>(points: impl Iterator<Item = &'a Point>) -> f64 {
    points.map(|point| point.time.high).fold(0.0, f64::max) * 1.5
}

/// Figure 8: boundary levels at the first leaf size, with the default scheduler as a line.
fn draw_levels(area: &Area<'_>, figures: &Figures, title: &str) -> Drawn {
    let points = || figures.points.iter().filter(|point| point.grain == figures.own_grain);
    let swept: Vec<Mark> = points().filter_map(|point| Some(mark(f64::from(point.boundary?), point))).collect();
    let (first, last) = (swept.first().map_or(0.0, |mark| mark.0), swept.last().map_or(1.0, |mark| mark.0));
    let (left, right, top) = (first - 0.5, last + 0.5, top(points()));
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(76)
        .build_cartesian_2d(left..right, 0.0..top)?;
    chart
        .configure_mesh()
        .x_desc("boundary level")
        .y_desc("run time")
        .light_line_style(TRANSPARENT)
        .x_labels(swept.len() + 1)
        .x_label_formatter(&|level| format!("{level:.0}"))
        .y_label_formatter(&|&time| legend::time(time))
        .label_style(("sans-serif", 13))
        .draw()?;
    if let Some(default) = points().find(|point| point.role == Role::Default) {
        let at = default.time.value;
        chart
            .draw_series([PathElement::new([(left, at), (right, at)], BLACK.mix(0.6))])?
            .label("default")
            .legend(legend::line(BLACK.mix(0.6)));
    }
    let chosen = f64::from(figures.by_equation);
    if (left..right).contains(&chosen) {
        chart
            .draw_series([PathElement::new([(chosen, 0.0), (chosen, top)], colour(2).mix(0.6))])?
            .label("equation 4")
            .legend(legend::line(colour(2)));
    }
    chart.draw_series(
        swept
            .iter()
            .map(|&(at, [low, value, high])| ErrorBar::new_vertical(at, low, value, high, colour(0).filled(), 8)),
    )?;
    legend::draw(&mut chart, SeriesLabelPosition::UpperRight)
}

/// Figure 7: the level of equation 4 and the default scheduler at each leaf size. Empty for a program without leaf
/// sizes.
fn draw_grains(area: &Area<'_>, figures: &Figures) -> Drawn {
    let kinds = [("default", Role::Default), ("cab", Role::Boundary(figures.by_equation))];
    let of = |role: Role| figures.points.iter().filter(move |point| point.role == role);
    let lines = kinds.map(|(name, role)| {
        let marks: Vec<Mark> = of(role).filter_map(|point| Some(mark(point.grain? as f64, point))).collect();
        (name, marks)
    });
    let grains: Vec<f64> = lines.iter().flat_map(|(_, marks)| marks.iter().map(|mark| mark.0)).collect();
    if grains.is_empty() {
        return Ok(());
    }
    let low = grains.iter().copied().fold(f64::INFINITY, f64::min);
    let high = grains.iter().copied().fold(low, f64::max);
    let top = top(kinds.iter().flat_map(|(_, role)| of(*role)));
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .margin_top(40)
        .x_label_area_size(40)
        .y_label_area_size(76)
        .build_cartesian_2d((low / 1.5..high * 1.5).log_scale(), 0.0..top)?;
    chart
        .configure_mesh()
        .x_desc("leaf size")
        .light_line_style(TRANSPARENT)
        .x_label_formatter(&|grain| format!("{grain:.0}"))
        .y_label_formatter(&|&time| legend::time(time))
        .label_style(("sans-serif", 13))
        .draw()?;
    for (place, (name, marks)) in lines.iter().enumerate() {
        // The colour of boundary levels is that of cab.
        let style = if place == 0 { BLACK.mix(0.6) } else { colour(0).mix(1.0) };
        chart
            .draw_series(LineSeries::new(marks.iter().map(|&(at, [_, value, _])| (at, value)), style))?
            .label(*name)
            .legend(legend::line(style));
        let bar = |&(at, [low, value, high]): &Mark| ErrorBar::new_vertical(at, low, value, high, style.filled(), 8);
        chart.draw_series(marks.iter().map(bar))?;
    }
    legend::draw(&mut chart, SeriesLabelPosition::UpperRight)
}
