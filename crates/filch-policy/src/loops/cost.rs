//! What an iteration of a kind of loop is believed to cost, from what one has turned out to.
//!
//! Decided as a branch predictor does: from the last outcome, which holds for some loops to come. A wrong guess costs
//! a little time, or parallelism once: whoever acts on one looks after the first iteration whether it was right. One
//! in so many loops is timed all the same.

/// Bits of a guess that say for how many more loops it holds; the cost is above.
const TIMES_BITS: u32 = 6;

/// Loops that are believed to be what one was.
const TIMES: u8 = (1 << TIMES_BITS) - 1;

/// What an iteration costs, as far as it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Cost {
    /// Nothing is known, or it is long.
    Unknown = 0,
    /// Some of them may well be run before anybody may share the loop.
    Short = 1,
    /// A look at the clock costs as much as many.
    Cheap = 2,
    /// A look at the bound of the ladder does: it is straight-line code that is run several at a time.
    Trivial = 3,
}

/// What iterations are believed to cost, and for how many more loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guess(u8);

impl Guess {
    /// After iterations that cost so much.
    pub fn after(cost: Cost) -> Self {
        Guess(if cost == Cost::Unknown { 0 } else { (cost as u8) << TIMES_BITS | TIMES })
    }

    /// That of these [bits](Self::bits).
    #[inline(always)]
    pub fn of_bits(bits: u8) -> Self {
        Guess(bits)
    }

    /// To be kept in a table. Those of a guess of nothing are 0.
    #[inline(always)]
    pub fn bits(self) -> u8 {
        self.0
    }

    /// The guess for one loop, and what is left of it; `None` if there is none.
    #[inline(always)]
    pub fn spend(self) -> Option<(Cost, Guess)> {
        if self.0 & TIMES == 0 {
            return None;
        }
        let cost = match self.0 >> TIMES_BITS {
            1 => Cost::Short,
            2 => Cost::Cheap,
            3 => Cost::Trivial,
            _ => Cost::Unknown,
        };
        Some((cost, Guess(self.0 - 1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guess_holds_for_63_loops_and_then_one_is_timed() {
        for cost in [Cost::Short, Cost::Cheap, Cost::Trivial] {
            let first = Some((cost, Guess::after(cost)));
            let spent = std::iter::successors(first, |(_, guess)| Guess::of_bits(guess.bits()).spend()).skip(1);
            let costs: Vec<Cost> = spent.map(|(cost, _)| cost).collect();
            assert_eq!(costs, [cost; 63]);
        }
        assert_eq!((Guess::after(Cost::Unknown).spend(), Guess::after(Cost::Unknown).bits()), (None, 0));
    }
}
