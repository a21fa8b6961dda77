//! What an iteration of a kind of loop is believed to cost, judged by what iterations of the last such loop have cost.
//!
//! This works like a branch predictor: the last outcome counts for the next loops. A wrong guess costs a little time,
//! or loses some parallelism once. A loop that relies on a guess checks after its first stride whether the guess
//! was wrong. After a certain number of loops, one is timed in any case.

/// How many bits of a guess say for how many more loops it holds. The cost is in the bits above.
const TIMES_BITS: u32 = 6;

/// How many loops are believed to be like the one that was timed.
const TIMES: u8 = (1 << TIMES_BITS) - 1;

/// The cost of an iteration, in the classes that matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Cost {
    /// The cost is not known, or is high.
    Unknown = 0,
    /// A few iterations may well run before other workers can share the loop.
    Short = 1,
    /// A look at the clock costs as much as many iterations.
    Cheap = 2,
    /// A look at E, the bound of the ladder, costs as much as several iterations. They are straight-line code, of
    /// which several run at a time.
    Trivial = 3,
}

/// What iterations are believed to cost, and for how many more loops that holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guess(u8);

impl Guess {
    /// The guess after a loop whose iterations had this cost.
    pub fn after(cost: Cost) -> Self {
        Guess(if cost == Cost::Unknown { 0 } else { (cost as u8) << TIMES_BITS | TIMES })
    }

    /// The guess with these [bits](Self::bits).
    #[inline(always)]
    pub fn of_bits(bits: u8) -> Self {
        Guess(bits)
    }

    /// The guess as bits, for a table. If nothing is known, they are 0.
    #[inline(always)]
    pub fn bits(self) -> u8 {
        self.0
    }

    /// Uses the guess for one loop. Returns it with what is left of it, or `None` if it no longer holds.
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
