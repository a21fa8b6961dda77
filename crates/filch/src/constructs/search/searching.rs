//! What can be asked of a search.

use super::abortable::Abortable;
use super::bound::Bound;
use super::checked::{Checked, CheckedSearch};
use super::collect::{All, Any, Best, Collect, First, Fold};
use super::run::run;
use super::{Choice, Search};
use sealed::Outcomes;
use std::fmt::Debug;

/// A search that has not begun. Each method says what is made of the solutions, and runs the search to its end.
///
/// Solutions are shown to the closures as the workspace at that node. All closures may fork by functions without a
/// strand. If a closure, a function of the problem, or the destructor of a workspace or of choices panics, the parts of
/// the search end at their next nodes, and the panic goes on when all have ended. Of several panics, that of the
/// earliest part is passed on. No workspace is used again that a panic has left in the middle of a step.
///
/// The methods return an [`Outcome`]. That is what they are said to return, or inside of a speculation (see
/// [`SpeculativeStrand::search`](crate::SpeculativeStrand::search)) a `Result` of it, with the error
/// [`Aborted`](crate::Aborted).
#[must_use = "a search begins when it is asked for something"]
pub struct Searching<E, P: Search> {
    enter: E,
    problem: P,
    workspace: P::Workspace,
}

/// Where a search runs: on a strand, or where the current thread works. Only this crate implements it, and only this
/// crate learns from it what aborts the search:
///
/// ```compile_fail,E0061
/// fn keep<E: filch::Enter>(strand: &E) {
///     strand.abort();
/// }
/// ```
pub trait Enter: sealed::Enter {}

impl<E: sealed::Enter> Enter for E {}

/// What a search on `E` returns if a plain one returns a `T`: `T`, too, or inside of a speculation
/// `Result<T, Aborted>`.
pub type Outcome<E, T> = <<E as sealed::Enter>::Abort as Outcomes>::Outcome<T>;

pub(crate) mod sealed {
    use crate::constructs::strand::Strand;
    use crate::engine::team::stop::{Abort, Never};

    pub trait Enter {
        /// What may abort the search.
        type Abort: Outcomes;

        /// Valid as long as the search runs. Users can call this through a bound, so it takes what only this crate can
        /// make.
        fn abort(&self, _: Private) -> Self::Abort;

        fn enter<T: Send>(self, f: impl FnOnce(Strand<'_>) -> T + Send) -> T;
    }

    /// Only this crate can make one.
    pub struct Private(pub(in crate::constructs::search) ());

    /// What becomes of a search that may be aborted.
    pub trait Outcomes: Abort {
        type Outcome<T>;

        /// Runs a search by `run`, and makes the result of it by `finish`, unless it is aborted.
        fn outcome<O, T>(self, run: impl FnOnce() -> O, finish: impl FnOnce(O) -> T) -> Self::Outcome<T>;
    }

    impl Outcomes for Never {
        type Outcome<T> = T;

        #[inline(always)]
        fn outcome<O, T>(self, run: impl FnOnce() -> O, finish: impl FnOnce(O) -> T) -> T {
            finish(run())
        }
    }

    impl Enter for Strand<'_> {
        type Abort = Never;

        #[inline(always)]
        fn abort(&self, _: Private) -> Never {
            Never
        }

        #[inline(always)]
        fn enter<T: Send>(self, f: impl FnOnce(Strand<'_>) -> T + Send) -> T {
            f(self)
        }
    }
}

impl<E: Enter, P: Search> Searching<E, P> {
    pub(crate) fn new(enter: E, problem: P, workspace: P::Workspace) -> Self {
        Searching { enter, problem, workspace }
    }

    /// Counts the solutions.
    ///
    /// # Panics
    ///
    /// If a function of the problem panics; see [`Searching`].
    pub fn count(self) -> Outcome<E, u64> {
        self.fold(|| 0, |count, _| count + 1, |former, latter| former + latter)
    }

    /// Calls `body` with each solution, in no particular order. What it adds to a [`Reducer`](crate::Reducer) comes
    /// together in serial order.
    ///
    /// # Panics
    ///
    /// As [`count`](Self::count). Also if `body` panics.
    ///
    /// ```
    /// use filch::{Node, Reducer, Steps, monoids::Append};
    ///
    /// let words = Steps::new(
    ///     |word: &mut String| if word.len() == 2 { Node::Solution } else { Node::Choices(0..2_u8) },
    ///     |word: &mut String, letter| word.push(char::from(b'a' + letter)),
    ///     |word: &mut String, _| _ = word.pop(),
    /// );
    /// let all = Reducer::new(Append::<Vec<String>>::new());
    /// filch::search(&words, String::new()).for_each(|word| all.update(|all| all.push(word.clone())));
    /// assert_eq!(all.into_inner(), ["aa", "ab", "ba", "bb"]);
    /// ```
    pub fn for_each(self, body: impl Fn(&P::Workspace) + Sync) -> Outcome<E, ()> {
        self.fold(|| (), |(), solution| body(solution), |(), ()| ())
    }

    /// Folds the solutions, and combines the results of parts in serial order.
    ///
    /// Each part of the search that runs separately starts with `identity`. `combine` must be associative, and
    /// `identity` must be its neutral element; `combine` need not be commutative. For any `a`, `b` and solution,
    /// `add(combine(a, b), solution)` must be `combine(a, add(b, solution))`.
    ///
    /// # Panics
    ///
    /// As [`count`](Self::count). Also if one of the closures panics.
    pub fn fold<T: Send>(
        self,
        identity: impl Fn() -> T + Sync,
        add: impl Fn(T, &P::Workspace) -> T + Sync,
        combine: impl Fn(T, T) -> T + Sync,
    ) -> Outcome<E, T> {
        self.run(Fold { identity, add, combine }, |out| out)
    }

    /// Finds a solution, and returns what `find` makes of it. Once one has been found, no further node is visited.
    ///
    /// If there are several, the choice is nondeterministic. The search is over sooner than one for
    /// [the first](Self::find_first).
    ///
    /// # Panics
    ///
    /// As [`count`](Self::count). Also if `find` panics.
    pub fn find_any<T: Send>(self, find: impl Fn(&P::Workspace) -> T + Sync) -> Outcome<E, Option<T>> {
        self.run(Any::new(find), |found| found)
    }

    /// Finds the first solution in serial order, which is the one that the search would find first on one worker. Parts
    /// behind a solution that has been found end; those before it go on.
    ///
    /// `find` may be called for other solutions, too.
    ///
    /// # Panics
    ///
    /// As [`count`](Self::count). Also if `find` panics.
    pub fn find_first<T: Send>(self, find: impl Fn(&P::Workspace) -> T + Sync) -> Outcome<E, Option<T>> {
        self.run(First::new(find), |out| out.found)
    }

    /// Finds a solution of the best value, and returns the value and what `keep` makes of the solution: branch and
    /// bound. `bound` is the one that the problem looks at, to leave out nodes from which no better solution can be
    /// reached. It may have a value before the search, and is improved by each solution that is better.
    ///
    /// Returns `None` if no solution is better than the value that the bound had before. If several solutions are best,
    /// the choice is nondeterministic. So is the number of nodes, because it depends on when good solutions are found.
    ///
    /// # Panics
    ///
    /// As [`count`](Self::count). Also if `value` or `keep` panics.
    ///
    /// ```
    /// use filch::{Bound, Node, Steps};
    ///
    /// // Which things to pack, of these weights and values, with a weight of at most 10.
    /// const THINGS: [(i64, i64); 4] = [(3, 50), (4, 40), (6, 30), (5, 10)];
    /// #[derive(Clone, Default)]
    /// struct Packed {
    ///     decided: usize,
    ///     weight: i64,
    ///     value: i64,
    /// }
    ///
    /// let bound = Bound::highest();
    /// let packing = Steps::new(
    ///     |packed: &mut Packed| {
    ///         let rest: i64 = THINGS[packed.decided..].iter().map(|thing| thing.1).sum();
    ///         if packed.weight > 10 || !bound.admits(packed.value + rest) {
    ///             Node::Choices(0..0)
    ///         } else if packed.decided == THINGS.len() {
    ///             Node::Solution
    ///         } else {
    ///             Node::Choices(0..2_u8)
    ///         }
    ///     },
    ///     |packed: &mut Packed, leaves: u8| {
    ///         let (weight, value) = if leaves == 1 { (0, 0) } else { THINGS[packed.decided] };
    ///         *packed = Packed {
    ///             decided: packed.decided + 1,
    ///             weight: packed.weight + weight,
    ///             value: packed.value + value,
    ///         };
    ///     },
    ///     |packed: &mut Packed, leaves: u8| {
    ///         packed.decided -= 1;
    ///         let (weight, value) = if leaves == 1 { (0, 0) } else { THINGS[packed.decided] };
    ///         (packed.weight, packed.value) = (packed.weight - weight, packed.value - value);
    ///     },
    /// );
    /// let best = filch::search(&packing, Packed::default()).find_best(&bound, |packed| packed.value, |_| ());
    /// assert_eq!(best, Some((90, ())));
    /// ```
    pub fn find_best<T: Send>(
        self,
        bound: &Bound,
        value: impl Fn(&P::Workspace) -> i64 + Sync,
        keep: impl Fn(&P::Workspace) -> T + Sync,
    ) -> Outcome<E, Option<(i64, T)>> {
        self.run(Best { bound, value, keep }, |best| best)
    }

    /// Hands what `map` makes of each solution to `receive`, in serial order, as soon as those before it are known.
    ///
    /// `receive` is called by one worker at a time: the one that runs the earliest part. The other parts keep what they
    /// have found until it is their turn. So the memory can be that of all solutions.
    ///
    /// # Panics
    ///
    /// As [`count`](Self::count). Also if `map` or `receive` panics.
    ///
    /// ```
    /// use filch::{Node, Steps};
    ///
    /// let words = Steps::new(
    ///     |word: &mut String| if word.len() == 3 { Node::Solution } else { Node::Choices(0..2_u8) },
    ///     |word: &mut String, letter| word.push(char::from(b'a' + letter)),
    ///     |word: &mut String, _| _ = word.pop(),
    /// );
    /// let mut lines = String::new();
    /// filch::search(&words, String::new()).all(String::clone, |word| lines += &(word + " "));
    /// assert_eq!(lines, "aaa aab aba abb baa bab bba bbb ");
    /// ```
    pub fn all<T: Send>(
        self,
        map: impl Fn(&P::Workspace) -> T + Sync,
        mut receive: impl FnMut(T) + Send,
    ) -> Outcome<E, ()> {
        self.run(All::new(map, &mut receive), |left| {
            debug_assert!(left.is_handed_over(), "a search has found a solution that nobody has received");
        })
    }

    /// Checks that each `undo` restores the workspace that was there before the choice. A search that is checked panics
    /// where one does not, and says at which choice. Two workspaces need be equal only if they are the same for what
    /// follows.
    ///
    /// For tests and debugging: each node costs a copy of the workspace.
    ///
    /// ```
    /// use filch::{Node, Steps};
    ///
    /// let sums = Steps::new(
    ///     |sum: &mut u32| if *sum > 9 { Node::Solution } else { Node::Choices(1..4_u32) },
    ///     |sum: &mut u32, step| *sum += step,
    ///     |sum: &mut u32, step| *sum -= step,
    /// );
    /// assert_eq!(filch::search(&sums, 0).checked().find_first(|sum| **sum), Some(10));
    /// ```
    /// ```should_panic
    /// # use filch::{Node, Steps};
    /// let forgets = Steps::new(
    ///     |sum: &mut u32| if *sum > 9 { Node::Solution } else { Node::Choices(1..4_u32) },
    ///     |sum: &mut u32, step| *sum += step,
    ///     |sum: &mut u32, _| *sum -= 1,
    /// );
    /// filch::search(&forgets, 0).checked().count();
    /// ```
    pub fn checked(self) -> Searching<E, CheckedSearch<P>>
    where
        P::Workspace: PartialEq,
        Choice<P>: Debug,
    {
        let Searching { enter, problem, workspace } = self;
        Searching { enter, problem: CheckedSearch(problem), workspace: Checked::new(workspace) }
    }

    fn run<C: Collect<P::Workspace>, T>(self, collect: C, finish: impl FnOnce(C::Out) -> T) -> Outcome<E, T> {
        let Searching { enter, problem, workspace } = self;
        let abort = enter.abort(sealed::Private(()));
        let (problem, collect) = (&problem, &Abortable { collect, abort });
        abort.outcome(|| enter.enter(|s| run(s, problem, workspace, collect)), finish)
    }
}

impl<E, P: Search> Debug for Searching<E, P> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Searching").finish_non_exhaustive()
    }
}
