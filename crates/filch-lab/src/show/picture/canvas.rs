//! The area on which pictures are drawn.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::text::wrapped;

/// An area of an SVG picture, in pixels.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// The result of drawing. Drawing into a string does not fail.
pub type Drawn = Result<(), Box<dyn std::error::Error>>;

/// The width of pictures: that of a telephone, on which they are not made smaller, so that their text can be read.
pub const WIDTH: u32 = 400;

/// The size of the text of pictures, of which 14 are 11 pixels of a font.
pub const TEXT: i32 = 14;

/// The size of titles.
const TITLE: i32 = 17;

/// The space around a title.
const MARGIN: i32 = 8;

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

/// The height of a title, in as many lines as it needs.
pub fn height_of_title(title: &str) -> u32 {
    let lines = wrapped(title, WIDTH.cast_signed() - 2 * MARGIN, TITLE).len() as u32;
    lines * TITLE.cast_unsigned() * 5 / 4 + MARGIN.cast_unsigned()
}

/// Writes a title, and returns the area below it.
pub fn titled<'a>(area: &Area<'a>, title: &str) -> Result<Area<'a>, Box<dyn std::error::Error>> {
    let (above, below) = area.split_vertically(height_of_title(title));
    for (line, words) in (0..).zip(wrapped(title, WIDTH.cast_signed() - 2 * MARGIN, TITLE)) {
        write(&above, &words, (MARGIN, MARGIN + TITLE / 2 + line * TITLE * 5 / 4), TITLE, HPos::Left, &BLACK)?;
    }
    Ok(below)
}
