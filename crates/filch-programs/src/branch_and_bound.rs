//! Branch and bound as a program: the best value of a solution, with a bound that all workers share.

use filch::{Bound, Search};

use crate::backtracking::Searched;

/// A problem whose solutions have values.
pub(crate) trait Valued: Send + Sync {
    /// The problem. Other forms than Filch's read a workspace from several threads, to copy it.
    type Problem: Search<Workspace: Sync> + Send;

    /// What the best of no solutions is worth: `i64::MAX` if the lowest value is the best, else `i64::MIN`.
    const WORST: i64;

    /// The problem, with a bound that nothing has improved yet.
    fn problem(&self) -> Self::Problem;

    /// The workspace at the root.
    fn start(problem: &Self::Problem) -> Workspace<Self>;

    /// The bound that the problem looks at.
    fn bound(problem: &Self::Problem) -> &Bound;

    /// The value of a solution.
    fn value(problem: &Self::Problem, workspace: &Workspace<Self>) -> i64;

    /// The checker: the best value, known by other means.
    fn expected(&self) -> i64;
}

type Workspace<V> = <<V as Valued>::Problem as Search>::Workspace;

/// The search for the best value. A bound only gets better, so each call has a problem of its own.
pub(crate) struct Best<V: Valued> {
    valued: V,
    problem: V::Problem,
}

impl<V: Valued> Best<V> {
    pub(crate) fn of(valued: V) -> Self {
        Self { problem: valued.problem(), valued }
    }
}

impl<V: Valued> Searched for Best<V> {
    type Problem = V::Problem;

    fn problem(&self) -> &V::Problem {
        &self.problem
    }

    fn renew(&mut self) {
        self.problem = self.valued.problem();
    }

    fn start(problem: &V::Problem) -> Workspace<V> {
        V::start(problem)
    }

    const NONE: i64 = V::WORST;

    fn solution(problem: &V::Problem, workspace: &Workspace<V>) -> i64 {
        let value = V::value(problem, workspace);
        V::bound(problem).improve(value);
        value
    }

    fn combine(former: i64, latter: i64) -> i64 {
        if V::WORST == i64::MAX { former.min(latter) } else { former.max(latter) }
    }

    fn expected(&self) -> i64 {
        self.valued.expected()
    }
}
