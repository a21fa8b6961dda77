//! What is searched for, and what a search has come to.

use filch::{Bound, Search};

use super::args::Asked;

/// A problem to be solved.
pub struct Puzzle<'a, P: Search> {
    /// The program.
    pub program: &'static str,
    /// The size or the file.
    pub instance: String,
    /// The problem.
    pub problem: &'a P,
    /// The workspace at its root.
    pub start: P::Workspace,
    /// What is asked for.
    pub ask: Ask<'a, P::Workspace>,
    /// What is kept of a solution.
    pub keep: &'a (dyn Fn(&P::Workspace) -> Vec<usize> + Sync),
    /// A solution as people read it.
    pub show: &'a dyn Fn(&Found) -> Vec<String>,
    /// What is wrong with a solution.
    pub check: &'a dyn Fn(&Found) -> Result<(), String>,
    /// What the number of solutions counts, to be printed after a comma.
    pub note: &'static str,
}

/// What is asked for.
pub enum Ask<'a, W> {
    /// Solutions, which have no value.
    Solutions(Asked),
    /// One of the best value.
    Best {
        /// The bound that the problem looks at.
        bound: &'a Bound,
        /// The value of a solution.
        value: &'a (dyn Fn(&W) -> i64 + Sync),
    },
}

/// A solution that has been found.
pub struct Found {
    /// What has been kept of it.
    pub kept: Vec<usize>,
    /// Its value, if it is the best.
    pub value: Option<i64>,
}

/// What a search has come to.
pub struct Searched {
    /// The number of solutions.
    pub solutions: u64,
    /// One that has not been shown.
    pub found: Option<Found>,
    /// The number of nodes.
    pub nodes: u64,
    /// Its time.
    pub seconds: f64,
}
