//! The serial form.

use super::bounds::Bounds;
use crate::ck::{Position, Step};

/// The best that the side to move can reach, or a bound of it where it is not between the bounds.
pub(super) fn best(position: &Position, plies: u8, bounds: Bounds) -> i32 {
    if plies == 0 {
        return position.value();
    }
    choose(position, position.steps().as_slice(), plies, bounds)
}

/// The same with the choice of these steps. A side without a step has lost.
pub(super) fn choose(position: &Position, steps: &[Step], plies: u8, mut bounds: Bounds) -> i32 {
    for &step in steps {
        bounds.low = bounds.low.max(follow(position, step, plies, bounds));
        if bounds.low >= bounds.high {
            break;
        }
    }
    bounds.low
}

/// The same after this step.
fn follow(position: &Position, step: Step, plies: u8, bounds: Bounds) -> i32 {
    match position.after(step) {
        (next, Some(jumps)) => choose(&next, jumps.as_slice(), plies, bounds),
        (next, None) => -best(&next.turned(), plies - 1, bounds.turned()),
    }
}
