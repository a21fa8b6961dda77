//! What a check has found: two results, and the moves between them.

use super::player::{Outcome, Player, differs};
use super::shrink::shrink;
use super::variables::SCHEDULE;
use crate::constructs::Strand;
use crate::engine::meters::schedule::{MoveKind, Moved};
use std::error::Error;
use std::fmt::{self, Debug, Display};

/// A result that depends on the schedule: the error of a [`Check`](crate::Check).
///
/// Its text has both results, the moves of work between workers that suffice for the other one, in order, where they
/// happen in the program, and how to run that schedule again.
#[derive(Debug)]
pub struct Difference<T> {
    seed: u64,
    expected: T,
    found: Outcome<T>,
    /// Those that suffice, and how many the seed has made.
    moves: Vec<Moved>,
    all: usize,
    is_repeatable: bool,
}

impl<T> Difference<T> {
    /// The seed of the schedule.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The result in the order of the serial program.
    pub fn expected(&self) -> &T {
        &self.expected
    }

    /// The result under the schedule.
    ///
    /// # Errors
    ///
    /// The text of a panic, if the program has panicked under the schedule.
    pub fn found(&self) -> Result<&T, &str> {
        self.found.as_ref().map_err(String::as_str)
    }

    /// How many moves of work from one worker to another suffice, as far as that was found.
    pub fn num_moves(&self) -> usize {
        self.moves.len()
    }

    /// Whether the same schedule has the same result each time. If not, the program depends on something else, such as
    /// a clock.
    pub fn is_repeatable(&self) -> bool {
        self.is_repeatable
    }

    /// The value of `FILCH_CHECK` that runs this schedule again.
    pub fn schedule(&self) -> String {
        let seed = format!("seed={}", self.seed);
        if !self.is_repeatable || self.moves.is_empty() {
            return seed;
        }
        let places: Vec<String> = self.moves.iter().map(|moved| moved.place.to_string()).collect();
        format!("{seed},moves={}", places.join("+"))
    }
}

/// The fewest moves that suffice for a result that differs. `found` is that of all `moves`.
pub(super) fn shrunk<T, F>(
    player: &Player<'_, F>,
    seed: u64,
    expected: T,
    found: Outcome<T>,
    moves: Vec<Moved>,
) -> Difference<T>
where
    T: PartialEq + Send,
    F: Fn(Strand<'_>) -> T + Sync,
{
    let places = |moves: &[Moved]| moves.iter().map(|moved| moved.place).collect::<Vec<_>>();
    let all = moves.len();
    // The same moves must have the same result, and no move the expected one.
    let (again, made) = player.play(seed, Some(places(&moves)), false);
    let serial = player.play(seed, Some(Vec::new()), false).0;
    if again != found || places(&made) != places(&moves) || differs(&expected, &serial) {
        return Difference { seed, expected, found, moves, all, is_repeatable: false };
    }
    let moves = shrink(moves, |kept| {
        let (found, made) = player.play(seed, Some(kept.to_vec()), false);
        differs(&expected, &found).then_some(made)
    });
    let (found, moves) = player.play(seed, Some(places(&moves)), true);
    let is_repeatable = differs(&expected, &found);
    Difference { seed, expected, found, moves, all, is_repeatable }
}

impl<T: Debug> Display for Difference<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { seed, expected, found, moves, all, is_repeatable } = self;
        writeln!(f, "the result depends on the schedule")?;
        writeln!(f, "  in the order of the serial program: {expected:?}")?;
        match found {
            Ok(found) => writeln!(f, "  under the schedule of seed {seed}: {found:?}")?,
            Err(text) => writeln!(f, "  under the schedule of seed {seed}: a panic: {text}")?,
        }
        if !is_repeatable {
            return write!(
                f,
                "The same schedule had another result the next time. So the program depends on something else, such as \
                 a clock, an address, a thread or a generator of random numbers."
            );
        }
        let (number, suffice) = (moves.len(), if moves.len() == 1 { "suffices" } else { "suffice" });
        writeln!(f, "Of {all} moves of work to other workers {number} {suffice}:")?;
        for Moved { place, kind, location, .. } in moves {
            writeln!(f, "  at place {place}, {}", what(*kind))?;
            if let Some(location) = location {
                writeln!(f, "    {location}")?;
            }
        }
        write!(f, "To run this schedule alone, set {SCHEDULE}={}", self.schedule())
    }
}

impl<T: Debug> Error for Difference<T> {}

fn what(kind: MoveKind) -> &'static str {
    match kind {
        MoveKind::AtFork => "before a fork: the oldest second branch or loop further out ran first",
        MoveKind::AfterBranch => "after a first branch: the oldest second branch or loop further out ran first",
        MoveKind::SecondBranch => "after a first branch: its second branch ran as another worker",
        MoveKind::BetweenBlocks => {
            "between two blocks of a loop: the oldest second branch or loop further out ran first"
        }
        MoveKind::RestOfLoop => "between two blocks of a loop: later items of this loop ran first, as another worker",
        MoveKind::AtItem => "before an item of an iterator: later items, or a branch further out, ran first",
        MoveKind::AfterSpawn => "after a spawn: a task ran at once, as another worker",
        MoveKind::AtEndOfScope => "at the end of a scope: a task ran out of turn, as another worker",
    }
}
