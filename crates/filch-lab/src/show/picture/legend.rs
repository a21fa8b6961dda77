//! The legend of a chart, and the label of a time on its axis.

use filch_bench::show::numbers::seconds;
use plotters::chart::ChartContext;
use plotters::coord::CoordTranslate;
use plotters::element::PathElement;
use plotters::prelude::*;

use super::canvas::{Drawn, TEXT};

/// The width of a sample in a legend.
pub const SAMPLE: i32 = 18;

/// Draws the legend of what has been drawn with a label.
pub fn draw<'a, C: CoordTranslate>(
    chart: &mut ChartContext<'a, SVGBackend<'a>, C>,
    position: SeriesLabelPosition,
) -> Drawn {
    chart
        .configure_series_labels()
        .position(position)
        .background_style(WHITE)
        .border_style(BLACK.mix(0.4))
        .label_font(("sans-serif", TEXT))
        .draw()?;
    Ok(())
}

/// The sample of a line of this style.
pub fn line(style: impl Into<ShapeStyle>) -> impl Fn((i32, i32)) -> PathElement<(i32, i32)> {
    let style = style.into();
    move |(x, y)| PathElement::new([(x, y), (x + SAMPLE, y)], style)
}

/// A time on an axis that begins at 0.
pub fn time(time: f64) -> String {
    if time > 0.0 { seconds(time) } else { "0".into() }
}
