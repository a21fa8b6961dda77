//! The colours and markers of the runners, and the layout of the legend.

use plotters::prelude::*;

use super::text::width;
use super::{Area, Drawn, MARGIN, TEXT, WIDTH};

/// Half the size of a marker.
pub(super) const MARKER: i32 = 4;
/// The width of a marker in the legend, including the gap between it and the name.
pub(super) const LEGEND_MARKER: i32 = 16;
const LEGEND_GAP: i32 = 24;

/// Distinguishable with colour blindness: M. Okabe and K. Ito, "Color Universal Design", 2008, without yellow, which is
/// hard to see on white.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
];

/// The number of marker shapes. It and the number of colours have no common divisor, so the first `COLOURS.len() *
/// SHAPES` runners all look different.
const SHAPES: usize = 5;

/// The entries of the legend by line: the index of each runner and the column of its marker.
pub(super) fn legend(runners: &[String]) -> Vec<Vec<(usize, i32)>> {
    let mut lines = vec![Vec::new()];
    let mut x = MARGIN;
    for (runner, name) in runners.iter().enumerate() {
        let room = LEGEND_MARKER + width(name, TEXT);
        if x > MARGIN && x + room > WIDTH - MARGIN {
            lines.push(Vec::new());
            x = MARGIN;
        }
        lines.last_mut().expect("there is a first line").push((runner, x));
        x += room + LEGEND_GAP;
    }
    lines
}

pub(super) fn colour(runner: usize) -> RGBColor {
    COLOURS[runner % COLOURS.len()]
}

/// Draws the marker of a runner.
pub(super) fn mark(area: &Area<'_>, runner: usize, (x, y): (i32, i32)) -> Drawn {
    let style = colour(runner).filled();
    let half = MARKER;
    match runner % SHAPES {
        0 => area.draw(&Circle::new((x, y), half, style))?,
        1 => area.draw(&Polygon::new([(x - half, y + half), (x + half, y + half), (x, y - half)], style))?,
        2 => area.draw(&Rectangle::new([(x - half + 1, y - half + 1), (x + half - 1, y + half - 1)], style))?,
        3 => area.draw(&Polygon::new([(x - half, y), (x, y - half), (x + half, y), (x, y + half)], style))?,
        _ => area.draw(&Polygon::new([(x - half, y - half), (x + half, y - half), (x, y + half)], style))?,
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_legend_has_as_many_lines_as_its_names_need() {
        let names = |count: usize| vec!["filch:default,period=50us,wait=any".to_owned(); count];
        assert_eq!(legend(&names(1)).len(), 1);
        let lines = legend(&names(9));
        assert!(lines.len() > 1);
        assert_eq!(lines.concat().len(), 9);
    }

    #[test]
    fn as_many_runners_as_it_takes_to_repeat_a_colour_and_a_shape_look_different() {
        let drawn = |runner: usize| {
            let mut svg = String::new();
            let area = SVGBackend::with_string(&mut svg, (20, 20)).into_drawing_area();
            mark(&area, runner, (10, 10)).unwrap();
            drop(area);
            svg
        };
        let markers: std::collections::HashSet<String> = (0..COLOURS.len() * SHAPES).map(drawn).collect();
        assert_eq!(markers.len(), COLOURS.len() * SHAPES);
    }
}
