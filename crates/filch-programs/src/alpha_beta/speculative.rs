//! The form with speculations: the search of Cilk's chess programs, with an inlet and an abort.

use filch::{Aborted, SpeculativeStrand, State};

use super::bounds::{Bounds, SERIAL_PLIES};
use super::serial;
use crate::ck::{Position, Step};

/// The best that the side to move can reach, or a bound of it where it is not between the bounds.
pub(super) fn best(s: SpeculativeStrand<'_>, position: &Position, plies: u8, bounds: Bounds) -> Result<i32, Aborted> {
    if plies <= SERIAL_PLIES {
        return Ok(serial::best(position, plies, bounds));
    }
    choose(s, position, position.steps().as_slice(), plies, bounds)
}

/// The same with the choice of these steps.
fn choose(
    mut s: SpeculativeStrand<'_>,
    position: &Position,
    steps: &[Step],
    plies: u8,
    Bounds { mut low, high }: Bounds,
) -> Result<i32, Aborted> {
    let Some((&first, others)) = steps.split_first() else { return Ok(low) };
    low = low.max(follow(s.reborrow(), position, first, plies, Bounds { low, high })?);
    if low >= high || others.is_empty() {
        return Ok(low);
    }
    let (low, ()) = s.speculate(low, |p, node| {
        let child = |s: SpeculativeStrand<'_>, found: State<'_, i32>, &step: &Step| {
            let low = found.with(|low| *low)?;
            follow(s, position, step, plies, Bounds { low, high })
        };
        let inlet = |low: &mut i32, value: i32| {
            *low = value.max(*low);
            if *low >= high {
                node.abort();
            }
        };
        p.spawn_each(others, child, inlet);
    })?;
    Ok(low)
}

/// The same after this step.
fn follow(
    s: SpeculativeStrand<'_>,
    position: &Position,
    step: Step,
    plies: u8,
    bounds: Bounds,
) -> Result<i32, Aborted> {
    match position.after(step) {
        (next, Some(jumps)) => choose(s, &next, jumps.as_slice(), plies, bounds),
        (next, None) => Ok(-best(s, &next.turned(), plies - 1, bounds.turned())?),
    }
}
