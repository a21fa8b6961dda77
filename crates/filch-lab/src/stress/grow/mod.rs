//! Grows a random program that is legal: under every schedule it ends, and it never panics during unwinding.
//!
//! These rules keep a program legal:
//! - **Mutexes.** A part that runs while a mutex is held locks only mutexes with higher numbers. A waiting worker runs
//!   only parts of what it waits for, so it never runs an unrelated part that locks a mutex that it holds.
//! - **Awaiting.** A first branch may block until the second one has started if there is a worker for the second (see
//!   `Strand::join`). So there are fewer leaves that wait than workers, one caller, one pool, no mutexes, no panics
//!   (during unwinding no worker helps) and a ladder with room.
//! - **Pools.** A run enters its own pool or one with a higher number, unless pools may enter each other.
//! - **Strands carried into runs.** The parts inside fork through that strand, or in runs of their own.
//! - **Speculations.** Their children are tasks, so they occur where scopes may.
//! - **Scopes.** A task sees the scope in which it is spawned and those around it: its pool, mutexes and reducers are
//!   those of that scope. There are no scopes if branches wait for each other, since a task might occupy the worker
//!   that the second branch needs.
//! - **Callbacks.** They use constructs only if no branches wait for each other, for the same reason.
//! - **Panics.** See [`legal_panics`].
//!
//! - [`powers`]: what the programs of a case may do
//! - `grower`: how a program grows, node by node

mod grower;
pub mod powers;
#[cfg(test)]
mod tests;

use super::dice::Dice;
use super::legal_panics;
use super::program::{Form, Program};
use grower::Grower;
use powers::Powers;

/// Programs have at most two to this power nodes. Small ones are as likely as large ones.
const SIZE_LOG2: usize = 12;
/// The program of a seed, which starts on `pool`.
pub fn grow(seed: u64, powers: Powers, pool: usize) -> Program {
    let mut dice = Dice::new(seed);
    let size = dice.size(SIZE_LOG2);
    let form = *dice.pick(&[None, None, Some(Form::Strand), Some(Form::Free)]);
    // Rare panics occur in the middle of large programs too.
    let panic_one_in = *dice.pick(&[30, 300, 3000]);
    let sleep_one_in = *dice.pick(&[50, 1000]);
    let (nodes, mut dice) = Grower::new(dice, powers, form, panic_one_in, sleep_one_in).grow(size, pool);
    let mut program = Program { nodes, base: 0 };
    if powers.panics {
        legal_panics::settle(&mut program, &mut dice, panic_one_in);
    }
    program
}
