//! The layout of the picture. All sizes are in pixels.

pub(super) const WIDTH: i32 = 1000;
pub(super) const MARGIN: i32 = 20;
/// The gap between the panels. Labels of vertical lines may stand in it.
pub(super) const GAP: i32 = 56;
pub(super) const TITLE: i32 = 24;
pub(super) const TEXT: i32 = 16;
pub(super) const SMALL: i32 = 14;
/// The distance between two lines of text.
pub(super) const LEADING: i32 = 20;
/// The height of the strip that shows one runner.
pub(super) const TRACK: i32 = 14;
/// The smallest height of a program's band: room for its name and, below it, its size.
pub(super) const LEAST_BAND: i32 = 42;
pub(super) const BAND_MARGIN: i32 = 12;
/// Half the height of the cap at either end of an interval.
pub(super) const CAP: i32 = 3;
