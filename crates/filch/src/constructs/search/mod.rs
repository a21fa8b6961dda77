//! Search: backtracking over one workspace, which is copied only when work moves to another worker (Hiraishi, Yasugi,
//! Umatani and Yuasa 2009; Yasugi, Hiraishi, Umatani and Yuasa 2012, sections 2.2 and 5.2).
//!
//! - [`Search`], [`Choices`]: what a user says about the tree of a search; [`Steps`]: the same by closures
//! - [`Searching`]: what can be asked of a search: to count, to find, to go through all solutions; [`Bound`]
//! - [`checked`]: a check that steps back are exact
//! - [`collect`]: how the solutions of parts come together; [`place`]: where a part is in serial order
//! - [`abortable`]: how a search learns that it has been aborted
//! - [`run`]: the steps; [`position`]: where a worker is in the tree; [`shared`]: what all parts share
//! - [`frame`]: how parts leave; [`part`], [`part_searching`]: how they leave the process; [`unwind`]: panics

mod abortable;
mod bound;
mod checked;
mod choices;
mod collect;
mod frame;
mod part;
mod part_searching;
mod place;
mod position;
mod run;
mod searching;
mod shared;
mod steps;
mod timed;
mod unwind;
mod walk;

pub use bound::Bound;
pub use checked::Checked;
pub use choices::{Bits, Choices, ShortList};
pub use part::{Export, SearchPart};
pub use part_searching::PartSearching;
pub(crate) use searching::sealed;
pub use searching::{Enter, Outcome, Searching};
pub use steps::Steps;

use crate::constructs::strand::Strand;

/// A problem that backtracking solves: a tree of choices, walked over one workspace that is changed step by step.
///
/// The workspace is what the choices so far have made: a board, a partial assignment. [`apply`](Self::apply) makes a
/// choice in it, and [`undo`](Self::undo) takes the latest choice back. So a search goes through its tree without a
/// copy. Only if another worker wants work is the workspace copied, and that worker steps back on its copy, by `undo`,
/// to the choices that it gets (Hiraishi, Yasugi, Umatani and Yuasa 2009, and Yasugi, Hiraishi, Umatani and Yuasa 2012,
/// section 2.2, where the owner steps back).
///
/// The solutions of queens on a board of up to 32 rows, in a workspace of the files and diagonals that are free:
///
/// ```
/// use filch::{Bits, Node, Search};
///
/// struct Queens {
///     n: u32,
/// }
///
/// #[derive(Clone, PartialEq)]
/// struct Board {
///     rows: u32,
///     files: u64,
///     rising: u64,
///     falling: u64,
/// }
///
/// impl Board {
///     fn flip(&mut self, file: u32) {
///         self.files ^= 1 << file;
///         self.rising ^= 1 << (self.rows + file);
///         self.falling ^= 1 << (self.rows + 31 - file);
///     }
/// }
///
/// impl Search for Queens {
///     type Workspace = Board;
///     type Choices = Bits;
///
///     fn choices(&self, board: &mut Board) -> Node<Bits> {
///         if board.rows == self.n {
///             return Node::Solution;
///         }
///         let falling = (board.falling >> board.rows).reverse_bits() >> 32;
///         Node::Choices(Bits(!(board.files | board.rising >> board.rows | falling) & ((1 << self.n) - 1)))
///     }
///
///     fn apply(&self, board: &mut Board, file: u32) {
///         board.flip(file);
///         board.rows += 1;
///     }
///
///     fn undo(&self, board: &mut Board, file: u32) {
///         board.rows -= 1;
///         board.flip(file);
///     }
/// }
///
/// let empty = Board { rows: 0, files: 0, rising: 0, falling: 0 };
/// assert_eq!(filch::search(&Queens { n: 8 }, empty.clone()).count(), 92);
/// assert!(filch::search(&Queens { n: 3 }, empty).find_any(|_| ()).is_none());
/// ```
///
/// # What the functions must do
///
/// `undo` must restore what [`choices`](Self::choices) and later steps look at. [`Searching::checked`] finds steps
/// that do not. On a workspace and its clone all functions must do the same. If they do not, the search visits other
/// nodes than it should, and has no other effect.
///
/// The functions may fork by functions without a strand, such as [`join`](crate::join).
pub trait Search: Sync {
    /// What the choices so far have made.
    type Workspace: Clone + Send;

    /// The choices at a node.
    type Choices: Choices;

    /// Whether the node to which the choices so far have led is a solution, or the choices that lead on from there. If
    /// there are none, it is a dead end. The search calls this once for each node. It may write into the workspace what
    /// it computes.
    fn choices(&self, workspace: &mut Self::Workspace) -> Node<Self::Choices>;

    /// Makes a choice.
    fn apply(&self, workspace: &mut Self::Workspace, choice: Choice<Self>);

    /// Takes the latest choice back.
    fn undo(&self, workspace: &mut Self::Workspace, choice: Choice<Self>);
}

/// A choice of a problem.
pub(crate) type Choice<P> = <<P as Search>::Choices as Iterator>::Item;

/// What the choices so far have led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node<C> {
    /// A solution, from which no choice leads on.
    Solution,
    /// These choices. If there are none, it is a dead end.
    Choices(C),
}

impl<P: Search> Search for &P {
    type Workspace = P::Workspace;
    type Choices = P::Choices;

    #[inline(always)]
    fn choices(&self, workspace: &mut P::Workspace) -> Node<P::Choices> {
        P::choices(self, workspace)
    }

    #[inline(always)]
    fn apply(&self, workspace: &mut P::Workspace, choice: Choice<P>) {
        P::apply(self, workspace, choice);
    }

    #[inline(always)]
    fn undo(&self, workspace: &mut P::Workspace, choice: Choice<P>) {
        P::undo(self, workspace, choice);
    }
}

impl Strand<'_> {
    /// A search for the solutions of `problem`, from this workspace on. The result says what can be asked for; the
    /// search begins with that.
    ///
    /// A search goes through its tree in depth-first order, over one workspace. If another worker asks for work, it
    /// looks for the oldest node with choices that have not been tried. Half of these go to the other worker, with a
    /// copy of the workspace; nothing else is copied. What a worker gets so is as large as possible, because older
    /// nodes are nearer to the root (Yasugi, Hiraishi, Umatani and Yuasa 2012, section 2.2). Workspaces are kept and
    /// used again, so a search makes as many as it has parts at the same time. Copies are made by
    /// [`clone_from`](Clone::clone_from), which can use the memory of the old value.
    ///
    /// A worker that can only be taken from (under [`Scheduler::cilk5`](crate::Scheduler::cilk5)) finds that another
    /// one has tried, and leaves a part for it at its next node.
    ///
    /// Work: that of the same search written as a loop, and a few instructions for each node. Nothing is allocated for
    /// a node; the memory for the path from the root doubles when it is full. Span: that of the longest path from the
    /// root, if there is a worker for each choice.
    ///
    /// ```
    /// use filch::{Node, Steps};
    ///
    /// // The ways to pay 20 in coins, the larger ones first.
    /// let coins = [10, 5, 2, 1];
    /// let payments = Steps::new(
    ///     |paid: &mut Vec<usize>| match paid.iter().map(|&coin| coins[coin]).sum() {
    ///         20 => Node::Solution,
    ///         0..20 => Node::Choices(paid.last().copied().unwrap_or(0)..coins.len()),
    ///         _ => Node::Choices(0..0),
    ///     },
    ///     |paid: &mut Vec<usize>, coin| paid.push(coin),
    ///     |paid: &mut Vec<usize>, _| _ = paid.pop(),
    /// );
    /// assert_eq!(filch::run(|mut s| s.search(&payments, Vec::new()).count()), 40);
    /// ```
    pub fn search<'s, 'p, P: Search>(
        &'s mut self,
        problem: &'p P,
        workspace: P::Workspace,
    ) -> Searching<Strand<'s>, &'p P> {
        Searching::new(self.reborrow(), problem, workspace)
    }
}
