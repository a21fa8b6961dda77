//! Sets of vertices that workers share.

// Modules, from the bottom up: `bitmap`; `queue`; `trees`, the union-find; `many`, several searches at a time;
// `unvisited` and `reach`, a search that needs nothing but bitmaps. May import: `choose`, `Graph` and what is below
// them.

mod bitmap;
mod many;
mod queue;
mod reach;
mod trees;
mod unvisited;

pub(crate) use bitmap::{Bitmap, WORDS, ones};
pub(crate) use many::{MOST, Many, Visit};
pub(crate) use queue::{Batch, Queue};
pub(crate) use reach::{Reach, start};
pub(crate) use trees::{Trees, unite};
pub(crate) use unvisited::Unvisited;
