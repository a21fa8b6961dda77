//! The values that matter, and the depth in which searching for them in parallel pays.

use crate::ck::LOST;

/// In so many plies or fewer, all forms search serially. That takes a few microseconds: less than it takes to share
/// work, so to speculate there finds nobody to help.
pub(super) const SERIAL_PLIES: u8 = 4;

/// All values lie between these bounds.
pub(super) const ALL: Bounds = Bounds { low: LOST, high: -LOST };

/// The values that matter to the side to move: it can reach `low` elsewhere, and the other side avoids `high` or more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) low: i32,
    pub(super) high: i32,
}

impl Bounds {
    /// The same from the view of the other side.
    pub(super) fn turned(self) -> Self {
        Self { low: -self.high, high: -self.low }
    }
}
