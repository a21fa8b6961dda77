//! A search on several ranks.
//!
//! - [`goal`]: what is made of the solutions
//! - [`local`]: what the workers of this rank and its communication thread share
//! - [`driver`]: what the communication thread does
//! - [`tally`]: what ranks count meanwhile

mod driver;
mod goal;
mod local;
mod tally;

use crate::error::{ClusterError, Failure};
use crate::portable::{Corrupt, Portable, decoded};
use crate::ranks::Ranks;
use filch::{Bound, CancelToken, Choices, Search, Strand};
use goal::{Any, Best, Fold, Goal};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
pub use tally::Tally;

/// A search by all ranks that has not begun. Each method says what is made of the solutions, and runs the search to its
/// end. Every rank must call the same method, and gets the same result.
///
/// With one rank this is [`filch::Searching`], on the pool of the rank.
///
/// # Errors
///
/// All methods fail on all ranks if on any of them a function of the user panics, what is around the search is
/// [cancelled](filch::CancelToken::run_here), a message is corrupt, or a value cannot be encoded, and if a rank is
/// lost, unless the search can [survive](crate::Cluster::survive) that. After that the cluster cannot be used any more.
#[must_use = "a search begins when it is asked for something"]
pub struct Searching<'c, P: Search> {
    ranks: &'c Ranks,
    problem: &'c P,
    root: P::Workspace,
    tally: Option<&'c dyn Tally>,
}

impl<'c, P> Searching<'c, P>
where
    P: Search<Workspace: Portable, Choices: Portable + Choices<Item: Portable>>,
{
    pub(crate) fn new(ranks: &'c Ranks, problem: &'c P, root: P::Workspace) -> Self {
        Searching { ranks, problem, root, tally: None }
    }

    /// What the ranks count during the search comes together at rank 0, in its `tally`. All ranks must have one, or
    /// none.
    pub fn tally(self, tally: &'c dyn Tally) -> Self {
        Searching { tally: Some(tally), ..self }
    }

    /// Counts the solutions.
    ///
    /// # Errors
    ///
    /// See [`Searching`].
    pub fn count(self) -> Result<u64, ClusterError> {
        self.fold(|| 0, |count, _| count + 1, |former, latter| former + latter)
    }

    /// Folds the solutions. Unlike that of a search on one process, `combine` must be commutative: the results of parts
    /// that have moved are combined in no particular order. It must be associative, and `identity` its neutral element.
    ///
    /// # Errors
    ///
    /// See [`Searching`].
    pub fn fold<T: Portable + Send>(
        self,
        identity: impl Fn() -> T + Sync,
        add: impl Fn(T, &P::Workspace) -> T + Sync,
        combine: impl Fn(T, T) -> T + Sync,
    ) -> Result<T, ClusterError> {
        if self.is_alone() {
            let Searching { ranks, problem, root, .. } = self;
            return ranks.alone(|mut s| s.search(problem, root).fold(&identity, &add, &combine));
        }
        self.run(&Fold { identity, add, combine }, &CancelToken::new())
    }

    /// Finds a solution, and returns what `find` makes of it. Once one has been found, all ranks stop. If there are
    /// several, the choice is nondeterministic, but all ranks return the same.
    ///
    /// # Errors
    ///
    /// See [`Searching`].
    pub fn find_any<T: Portable + Send>(
        self,
        find: impl Fn(&P::Workspace) -> T + Sync,
    ) -> Result<Option<T>, ClusterError> {
        if self.is_alone() {
            let Searching { ranks, problem, root, .. } = self;
            return ranks.alone(|mut s| s.search(problem, root).find_any(&find));
        }
        let (ranks, token) = (self.ranks, CancelToken::new());
        let found = self.run(&Any::new(find, &token), &token)?;
        found.map(|bytes| decoded(&bytes)).transpose().map_err(|corrupt| ranks.spoilt(corrupt))
    }

    /// Finds a solution of the best value, and returns the value and what `keep` makes of the solution, as
    /// [`filch::Searching::find_best`] does. `bound` is that of this rank, which the problem looks at. A solution that
    /// is better than all before it improves the bounds of all ranks, a few milliseconds later.
    ///
    /// # Errors
    ///
    /// See [`Searching`].
    pub fn find_best<T: Portable + Send>(
        self,
        bound: &Bound,
        value: impl Fn(&P::Workspace) -> i64 + Sync,
        keep: impl Fn(&P::Workspace) -> T + Sync,
    ) -> Result<Option<(i64, T)>, ClusterError> {
        if self.is_alone() {
            let Searching { ranks, problem, root, .. } = self;
            return ranks.alone(|mut s| s.search(problem, root).find_best(bound, &value, &keep));
        }
        let ranks = self.ranks;
        let best = self.run(&Best::new(bound, value, keep), &CancelToken::new())?;
        let decode = |(value, bytes): (i64, Vec<u8>)| decoded(&bytes).map(|kept| (value, kept));
        best.map(decode).transpose().map_err(|corrupt| ranks.spoilt(corrupt))
    }

    fn is_alone(&self) -> bool {
        self.ranks.size() == 1
    }

    fn run<G: Goal<P>>(self, goal: &G, token: &CancelToken) -> Result<G::Value, ClusterError> {
        let Searching { ranks, problem, root, tally } = self;
        driver::run(ranks, problem, root, tally, goal, token)
    }
}

impl Ranks {
    /// Runs a search on the only rank. Nothing looks for messages.
    fn alone<R: Send>(&self, search: impl FnOnce(Strand<'_>) -> R + Send) -> Result<R, ClusterError> {
        self.state().begin()?;
        catch_unwind(AssertUnwindSafe(|| self.pool.run(search))).map_err(|payload| {
            let error = ClusterError::Failed { rank: 0, failure: Failure::unwound(&*payload) };
            self.state().fail(error.clone());
            error
        })
    }

    /// The solution that all ranks agree on cannot be decoded.
    fn spoilt(&self, corrupt: Corrupt) -> ClusterError {
        let failure = Failure::Corrupt { from: 0, about: "a solution".into(), text: corrupt.0 };
        ClusterError::Failed { rank: self.rank(), failure }
    }
}

impl<P: Search> fmt::Debug for Searching<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Searching").finish_non_exhaustive()
    }
}
