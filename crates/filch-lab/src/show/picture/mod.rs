//! Parts of pictures, which are drawn as SVG.
//!
//! - [`canvas`]: what all of them are drawn on
//! - [`text`]: the width of text
//! - [`axis`]: the range and the tick marks of an axis
//! - [`legend`]: legends of charts
//! - [`markers`]: markers and colours
//! - [`normalised`]: speed-up against the number of workers, both normalised

pub mod axis;
pub mod canvas;
pub mod legend;
pub mod markers;
pub mod normalised;
pub mod text;
