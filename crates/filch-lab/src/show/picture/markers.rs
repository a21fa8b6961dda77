//! Markers and colours that are easy to tell apart.

use plotters::prelude::*;

use super::canvas::{Area, Drawn};

/// Half the size of a marker.
pub const MARKER: i32 = 4;

/// Distinguishable with colour blindness: M. Okabe and K. Ito, "Color Universal Design", 2008, without yellow, which is
/// hard to see on white.
const PALETTE: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
];

/// The number of colours.
pub const COLOURS: usize = PALETTE.len();

/// The number of marker shapes. It and the number of colours have no common divisor, so the first `COLOURS *
/// SHAPES` runners all look different.
const SHAPES: usize = 5;

/// The colour of runner number `runner`.
pub fn colour(runner: usize) -> RGBColor {
    PALETTE[runner % COLOURS]
}

/// Draws the marker of a runner.
pub fn mark(area: &Area<'_>, runner: usize, (x, y): (i32, i32)) -> Drawn {
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
    use super::super::canvas::svg;
    use super::*;

    #[test]
    fn as_many_runners_as_it_takes_to_repeat_a_colour_and_a_shape_look_different() {
        let drawn = |runner: usize| svg((20, 20), |area| mark(area, runner, (10, 10)));
        let markers: std::collections::HashSet<String> = (0..COLOURS * SHAPES).map(drawn).collect();
        assert_eq!(markers.len(), COLOURS * SHAPES);
    }
}
