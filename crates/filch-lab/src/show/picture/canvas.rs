//! The area on which pictures are drawn.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// An area of an SVG picture, in pixels.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// The result of drawing. Drawing into a string does not fail.
pub type Drawn = Result<(), Box<dyn std::error::Error>>;

/// The colour of text that matters less.
pub const GREY: RGBColor = RGBColor(96, 96, 96);

/// A picture of this width and height in pixels, as SVG.
pub fn svg(size: (u32, u32), draw: impl FnOnce(&Area<'_>) -> Drawn) -> String {
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
    draw(&area).expect("drawing into a string does not fail");
    drop(area);
    svg
}

/// Writes a line of text, vertically centred at `at`.
pub fn write(area: &Area<'_>, text: &str, at: (i32, i32), size: i32, side: HPos, colour: &RGBColor) -> Drawn {
    let style = ("sans-serif", size).into_font().color(colour).pos(Pos::new(side, VPos::Center));
    area.draw(&Text::new(text.to_owned(), at, style))?;
    Ok(())
}
