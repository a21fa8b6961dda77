//! A search from which parts may leave.

use super::Search;
use super::bound::Bound;
use super::collect::{Best, Collect, Fold};
use super::part::{Export, SearchPart};
use super::run::run_from;
use super::shared::Shared;
use crate::constructs::strand::Strand;
use std::fmt::{Debug, Formatter, Result};

/// A part of a search that has not begun. Each method runs it, except for what leaves it.
#[must_use = "a part begins when it is asked for something"]
pub struct PartSearching<'s, 'p, P: Search> {
    strand: Strand<'s>,
    problem: &'p P,
    part: SearchPart<P>,
    export: &'p dyn Export<P>,
}

impl Strand<'_> {
    /// A part of a search, or all of it, from which parts may leave: see [`Export`]. Otherwise this is a
    /// [search](Self::search).
    ///
    /// ```
    /// use filch::{Export, Node, Pool, SearchPart, Steps};
    /// use std::sync::Mutex;
    ///
    /// // Whatever leaves the search lies in a list.
    /// struct Parts<P: filch::Search>(Mutex<Vec<SearchPart<P>>>);
    ///
    /// impl<P: filch::Search<Choices: Send>> Export<P> for Parts<P> {
    ///     fn is_wanted(&self) -> bool {
    ///         self.0.lock().unwrap().is_empty()
    ///     }
    ///
    ///     fn export(&self, part: SearchPart<P>) {
    ///         self.0.lock().unwrap().push(part);
    ///     }
    /// }
    ///
    /// let pool = Pool::builder().workers(2).build()?;
    /// let words = Steps::new(
    ///     |word: &mut Vec<u8>| {
    ///         if word.len() == 6 {
    ///             // Elsewhere, a thread that waits for a part would do this.
    ///             pool.interrupt();
    ///             Node::Solution
    ///         } else {
    ///             Node::Choices(0..3_u8)
    ///         }
    ///     },
    ///     |word: &mut Vec<u8>, letter| word.push(letter),
    ///     |word: &mut Vec<u8>, _| _ = word.pop(),
    /// );
    /// let parts = Parts(Mutex::new(vec![SearchPart::whole(Vec::new())]));
    /// let mut count = 0;
    /// while let Some(part) = { parts.0.lock().unwrap().pop() } {
    ///     count += pool.run(|mut s| s.search_part(&words, part, &parts).fold(|| 0, |n, _| n + 1, |a, b| a + b));
    /// }
    /// assert_eq!(count, 3 * 3 * 3 * 3 * 3 * 3);
    /// # Ok::<(), filch::PoolError>(())
    /// ```
    pub fn search_part<'s, 'p, P: Search>(
        &'s mut self,
        problem: &'p P,
        part: SearchPart<P>,
        export: &'p dyn Export<P>,
    ) -> PartSearching<'s, 'p, P> {
        PartSearching { strand: self.reborrow(), problem, part, export }
    }
}

impl<P: Search> PartSearching<'_, '_, P> {
    /// Folds the solutions, as [`Searching::fold`](super::Searching::fold). The result lacks the parts that leave,
    /// which may be anywhere in serial order. To combine it with theirs afterwards, `combine` must be commutative.
    ///
    /// # Panics
    ///
    /// As the fold of a search. Also if `export` panics.
    pub fn fold<T: Send>(
        self,
        identity: impl Fn() -> T + Sync,
        add: impl Fn(T, &P::Workspace) -> T + Sync,
        combine: impl Fn(T, T) -> T + Sync,
    ) -> T {
        self.run(&Fold { identity, add, combine })
    }

    /// Finds a solution of the best value, as [`Searching::find_best`](super::Searching::find_best).
    ///
    /// # Panics
    ///
    /// As that of a search. Also if `export` panics.
    pub fn find_best<T: Send>(
        self,
        bound: &Bound,
        value: impl Fn(&P::Workspace) -> i64 + Sync,
        keep: impl Fn(&P::Workspace) -> T + Sync,
    ) -> Option<(i64, T)> {
        self.run(&Best { bound, value, keep })
    }

    fn run<C: Collect<P::Workspace>>(self, collect: &C) -> C::Out {
        let PartSearching { strand, problem, part, export } = self;
        run_from(strand, part.into_position(), Shared::new(problem, collect, Some(export)))
    }
}

impl<P: Search> Debug for PartSearching<'_, '_, P> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.debug_struct("PartSearching").finish_non_exhaustive()
    }
}
