//! Parts of a search that leave the process, and that come from another one.

use super::position::Position;
use super::{Choice, Search};
use std::fmt::{Debug, Formatter, Result};

/// A part of a search: a workspace, and the choices that are to be tried in it. With a copy of the problem, it can be
/// run anywhere.
pub struct SearchPart<P: Search> {
    /// The workspace, as it was when the part was split off: further down in the tree than where the part begins.
    pub workspace: P::Workspace,
    /// The choices to take back first, the earliest first.
    pub undone: Vec<Choice<P>>,
    /// The choices to try then. `None` for a whole search, which asks the problem for them.
    pub choices: Option<P::Choices>,
}

impl<P: Search> SearchPart<P> {
    /// The whole search from this workspace on.
    pub fn whole(workspace: P::Workspace) -> Self {
        SearchPart { workspace, undone: Vec::new(), choices: None }
    }

    pub(super) fn of(position: Position<P>) -> Self {
        let Position { workspace, undone, first, .. } = position;
        SearchPart { workspace, undone, choices: first }
    }

    pub(super) fn into_position(self) -> Box<Position<P>> {
        let SearchPart { workspace, undone, choices } = self;
        let mut position = Position::root(workspace);
        (position.undone, position.first) = (undone, choices);
        Box::new(position)
    }
}

// Not derived: that would ask for a problem that can be cloned.
impl<P: Search<Choices: Clone>> Clone for SearchPart<P> {
    fn clone(&self) -> Self {
        let SearchPart { workspace, undone, choices } = self;
        SearchPart { workspace: workspace.clone(), undone: undone.clone(), choices: choices.clone() }
    }
}

impl<P: Search> Debug for SearchPart<P> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.debug_struct("SearchPart").field("undone", &self.undone.len()).finish_non_exhaustive()
    }
}

/// Where parts of a search go that leave it for good: to another process, for example. A worker that has been
/// [interrupted](crate::Pool::interrupt) asks at its next node whether a part is wanted.
///
/// The methods may fork by functions without a strand. If one panics, that ends the search.
pub trait Export<P: Search>: Sync {
    /// Whether a part is wanted.
    fn is_wanted(&self) -> bool;

    /// Takes a part: half of the choices that have not been tried at the oldest node that has any, with a copy of the
    /// workspace. The search does not visit what is in it, and does not wait for it. Several workers may call this at
    /// the same time, also if only one part is wanted.
    fn export(&self, part: SearchPart<P>);
}
