//! The layout of the picture. All sizes are in pixels.

use crate::show::picture::canvas;

pub(super) const WIDTH: i32 = canvas::WIDTH.cast_signed();
pub(super) const MARGIN: i32 = 8;
/// The space on either side of an axis, into which the labels of its ends reach.
pub(super) const INSET: i32 = 24;
/// The length of an axis.
pub(super) const AXIS: i32 = WIDTH - 2 * INSET;
pub(super) const TITLE: i32 = 17;
pub(super) const TEXT: i32 = 15;
pub(super) const SMALL: i32 = canvas::TEXT;
/// The distance between two lines of text.
pub(super) const LEADING: i32 = 18;
/// The height of the strip that shows one runner.
pub(super) const TRACK: i32 = 14;
/// The space below the strips of a program.
pub(super) const BAND_MARGIN: i32 = 6;
/// The height of what is above the bands of a panel: its title, and the labels of two lines.
pub(super) const HEAD: i32 = 4 * LEADING;
/// The height of what is below them: the axis, and the space to the next panel.
pub(super) const FOOT: i32 = 3 * LEADING;
/// Half the height of the cap at either end of an interval.
pub(super) const CAP: i32 = 3;
