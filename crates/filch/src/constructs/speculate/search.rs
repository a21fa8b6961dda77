//! Searches inside of speculations.

use super::strand::{Aborted, SpeculativeStrand};
use crate::constructs::search::{Search, Searching, sealed};
use crate::constructs::strand::Strand;
use crate::engine::team::stop::Stops;

impl SpeculativeStrand<'_> {
    /// As [`Strand::search`], inside of a speculation. What is asked of the search returns a `Result`.
    ///
    /// The search looks at each node. So after an abort, each worker that has a part of it visits at most one more
    /// node. Nothing is made of the results of parts then, and a function that receives all solutions has received the
    /// first ones of them.
    ///
    /// Work: as for [`Strand::search`], and a [look](SpeculativeStrand::check) at each node.
    ///
    /// ```
    /// use filch::{Aborted, Node, SpeculativeStrand, Steps};
    ///
    /// // Which of these sums can be paid with three coins? Any one will do.
    /// let coins = [2, 5, 11];
    /// let payments = Steps::new(
    ///     |paid: &mut Vec<u32>| if paid.len() == 3 { Node::Solution } else { Node::Choices(0..coins.len()) },
    ///     |paid: &mut Vec<u32>, coin| paid.push(coins[coin]),
    ///     |paid: &mut Vec<u32>, _| _ = paid.pop(),
    /// );
    /// let pays = |mut s: SpeculativeStrand<'_>, sum: u32| {
    ///     let count = s.search(&payments, Vec::new()).fold(
    ///         || 0,
    ///         |count, paid| count + u32::from(paid.iter().sum::<u32>() == sum),
    ///         |former, latter| former + latter,
    ///     )?;
    ///     Ok((count > 0).then_some(sum))
    /// };
    /// assert_eq!(filch::first_of([3, 13, 18, 34], pays), Some(18));
    /// ```
    ///
    /// # Errors
    ///
    /// [`Aborted`] if a speculation around this strand has been aborted. If this is known at the beginning, the search
    /// does not begin.
    ///
    /// # Panics
    ///
    /// As [`Strand::search`]. If a part panics, the search does, whether it has been aborted or not.
    pub fn search<'s, 'p, P: Search>(
        &'s mut self,
        problem: &'p P,
        workspace: P::Workspace,
    ) -> Searching<SpeculativeStrand<'s>, &'p P> {
        Searching::new(self.reborrow(), problem, workspace)
    }
}

impl sealed::Enter for SpeculativeStrand<'_> {
    type Abort = Stops;

    fn abort(&self, _: sealed::Private) -> Stops {
        self.stops()
    }

    #[inline(always)]
    fn enter<T: Send>(self, f: impl FnOnce(Strand<'_>) -> T + Send) -> T {
        f(self.into_plain())
    }
}

impl sealed::Outcomes for Stops {
    type Outcome<T> = Result<T, Aborted>;

    fn outcome<O, T>(self, run: impl FnOnce() -> O, finish: impl FnOnce(O) -> T) -> Result<T, Aborted> {
        if self.acquire() {
            return Err(Aborted);
        }
        let out = run();
        if self.acquire() { Err(Aborted) } else { Ok(finish(out)) }
    }
}
