//! Pictures of lines in panels, one below the other.

use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use filch_lab::show::picture::canvas::{Area, Drawn, TEXT, WIDTH, height_of_title, svg, titled, write};
use filch_lab::show::picture::markers::{COLOURS, colour};

/// The height of a chart, in pixels. The legend is below it, so that it hides nothing.
const CHART: u32 = 300;

/// About the width of a character of a name.
const CHARACTER: usize = 7;

/// The width of the names along the horizontal axis.
const NAMES: usize = 300;

/// The height of a line of the legend.
const LINE: i32 = 18;

/// A panel, whose horizontal axis has names in equal steps.
#[derive(Clone, Debug, Default)]
pub struct Panel {
    /// Its title.
    pub title: String,
    /// The label of the horizontal axis.
    pub across: String,
    /// The names along that axis.
    pub names: Vec<String>,
    /// The label of the vertical axis, which begins at 0 unless it is logarithmic.
    pub up: String,
    /// How values are written on that axis; `None` for plain numbers.
    pub label: Option<fn(f64) -> String>,
    /// Whether that axis is logarithmic. A value below 1 is then drawn at the lower end.
    pub is_logarithmic: bool,
    /// The lines: the name of each, and its value for each name, where there is one.
    pub lines: Vec<(String, Vec<Option<f64>>)>,
    /// An interval for each name, drawn as a bar, if there are any.
    pub intervals: Vec<[f64; 2]>,
}

impl Panel {
    /// The height of the whole panel.
    fn total(&self) -> u32 {
        height_of_title(&self.title) + CHART + LINE.cast_unsigned() * (self.lines.len() as u32 + 1)
    }

    /// The height at which a value is drawn.
    fn height(&self, value: f64) -> f64 {
        if self.is_logarithmic { value.max(1.0).log10() } else { value }
    }
}

/// Draws the panels as SVG.
pub fn draw(title: &str, panels: &[Panel]) -> String {
    let height = height_of_title(title) + panels.iter().map(Panel::total).sum::<u32>();
    svg((WIDTH, height), |area| draw_on(area, title, panels))
}

fn draw_on(area: &Area<'_>, title: &str, panels: &[Panel]) -> Drawn {
    area.fill(&WHITE)?;
    let mut left = titled(area, title)?;
    for panel in panels {
        let (place, below) = left.split_vertically(panel.total());
        draw_panel(&place, panel)?;
        left = below;
    }
    area.present()?;
    Ok(())
}

fn draw_panel(area: &Area<'_>, panel: &Panel) -> Drawn {
    let (above, legend) = titled(area, &panel.title)?.split_vertically(CHART);
    let values = panel.lines.iter().flat_map(|(_, values)| values.iter().flatten());
    let most = values.chain(panel.intervals.iter().flatten()).map(|&value| panel.height(value)).fold(0.0, f64::max);
    // All values may be missing.
    let top = if most > 0.0 { most * 1.35 } else { 1.0 };
    let last = panel.names.len().saturating_sub(1) as f64;
    let mut chart = ChartBuilder::on(&above)
        .margin(8)
        .x_label_area_size(40)
        .y_label_area_size(64)
        .build_cartesian_2d(-0.3..last + 0.3, 0.0..top)?;
    // Where there is no room for all names, every second one or fewer are shown.
    let room: usize = panel.names.iter().map(|name| name.chars().count() * CHARACTER + 2 * CHARACTER).sum();
    let step = room.div_ceil(NAMES).max(1);
    let name = |x: &f64| {
        let is_shown = (x - x.round()).abs() < 0.01 && *x > -0.5 && (x.round() as usize).is_multiple_of(step);
        let name = is_shown.then(|| panel.names.get(x.round() as usize)).flatten();
        name.cloned().unwrap_or_default()
    };
    let number = |value: &f64| {
        let value = if panel.is_logarithmic { 10_f64.powf(*value) } else { *value };
        panel.label.map_or_else(|| value.to_string(), |label| label(value))
    };
    let mut mesh = chart.configure_mesh();
    mesh.x_desc(&panel.across)
        .y_desc(&panel.up)
        .x_labels(2 * panel.names.len() + 1)
        .light_line_style(TRANSPARENT)
        .x_label_formatter(&name)
        .label_style(("sans-serif", TEXT));
    if panel.label.is_some() || panel.is_logarithmic {
        mesh.y_label_formatter(&number);
    }
    mesh.draw()?;
    let bars = panel.intervals.iter().enumerate().map(|(x, interval)| {
        let [low, high] = interval.map(|end| panel.height(end));
        PathElement::new([(x as f64, low), (x as f64, high)], BLACK.mix(0.6))
    });
    chart.draw_series(bars)?;
    for (line, (label, values)) in panel.lines.iter().enumerate() {
        let colour = colour(line);
        let marks: Vec<(f64, f64)> =
            values.iter().enumerate().filter_map(|(x, value)| Some((x as f64, panel.height((*value)?)))).collect();
        chart.draw_series(LineSeries::new(marks.iter().copied(), colour))?;
        let height = LINE / 2 + LINE * line as i32;
        let sample = (LEFT + SAMPLE, height);
        legend.draw(&PathElement::new([(LEFT, height), (LEFT + 2 * SAMPLE, height)], colour))?;
        write(&legend, label, (LEFT + 2 * SAMPLE + 6, height), TEXT, HPos::Left, &BLACK)?;
        let style = colour.filled();
        // If there are more lines than colours, the marks of the later ones have another shape.
        if line < COLOURS {
            chart.draw_series(marks.into_iter().map(|at| Circle::new(at, 3, style)))?;
            legend.draw(&Circle::new(sample, 3, style))?;
        } else {
            chart.draw_series(marks.into_iter().map(|at| TriangleMarker::new(at, 6, style)))?;
            legend.draw(&TriangleMarker::new(sample, 6, style))?;
        }
    }
    Ok(())
}

/// The space to the left of the legend.
const LEFT: i32 = 64;

/// Half the width of a sample in the legend.
const SAMPLE: i32 = 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_and_name_is_in_the_picture_and_values_may_be_missing() {
        let panel = |title: &str, value| Panel {
            title: title.into(),
            across: "workers".into(),
            names: vec!["one".into(), "two".into()],
            up: "speed-up".into(),
            lines: vec![("long-term".into(), vec![value, None]), ("short-term".into(), vec![None, value])],
            ..Panel::default()
        };
        let svg = draw("title of all", &[panel("first", Some(2.0)), panel("second", None), panel("third", Some(0.1))]);
        for word in ["title of all", "first", "second", "third", "long-term", "short-term", "one", "two", "speed-up"] {
            assert!(svg.contains(word), "{word}: {svg}");
        }
        // Four values, and six lines in legends.
        assert_eq!(svg.matches("<circle").count(), 4 + 6);
    }
}
