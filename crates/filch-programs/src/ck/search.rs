//! The search: every step of every position, in a balanced tree of joins.

use filch_kernels::runtime::{Runtime, Token};

use super::position::{Position, Step};

/// What a search finds below a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The number of games that last all plies.
    pub games: u64,
    /// The best that the side to move can reach: the value of the position at the end, from its view.
    pub best: i32,
}

/// The value of having no step: the game is lost.
pub const LOST: i32 = -1000;

impl Found {
    /// The better of two choices.
    fn or(self, other: Self) -> Self {
        Self { games: self.games + other.games, best: self.best.max(other.best) }
    }

    /// The same from the view of the other side.
    fn for_the_other_side(self) -> Self {
        Self { games: self.games, best: -self.best }
    }
}

/// The program: what is to be found in this many plies from a position.
#[inline(never)]
pub fn search<R: Runtime>(t: Token<R>, position: &Position, plies: u8) -> Found {
    if plies == 0 {
        return Found { games: 1, best: position.value() };
    }
    let steps = position.steps();
    if steps.is_empty() {
        return Found { games: 0, best: LOST };
    }
    choose(t, position, steps.as_slice(), plies)
}

/// What is to be found after these steps, of which there is at least one.
#[inline(never)]
fn choose<R: Runtime>(mut t: Token<R>, position: &Position, steps: &[Step], plies: u8) -> Found {
    if let &[step] = steps {
        let (next, jumps_on) = position.after(step);
        return match jumps_on {
            Some(jumps) => choose(t, &next, jumps.as_slice(), plies),
            None => search(t, &next.turned(), plies - 1).for_the_other_side(),
        };
    }
    let (left, right) = steps.split_at(steps.len() / 2);
    let (a, b) = t.join(|t| choose(t, position, left, plies), |t| choose(t, position, right, plies));
    a.or(b)
}
