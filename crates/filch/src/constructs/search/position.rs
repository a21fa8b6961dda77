//! Where a part of a search is in the tree, and what another part can get from it.

use super::choices::Choices;
use super::place::Place;
use super::{Choice, Search};
use filch_policy::backtracking::{self, Split};

/// A node on the path to where a part is.
pub(super) struct Level<P: Search> {
    /// The choice that has been made here.
    pub(super) made: Choice<P>,
    /// Those that have not been tried.
    pub(super) rest: P::Choices,
}

/// Where a part goes on from the last node of its path.
pub(super) struct Next<P: Search> {
    /// The choice to make there.
    pub(super) choice: Choice<P>,
    /// Those that have not been tried.
    pub(super) rest: P::Choices,
}

impl<P: Search> Next<P> {
    /// The first of these choices; `None` if there are none.
    #[inline(always)]
    pub(super) fn of(mut choices: P::Choices) -> Option<Self> {
        choices.next().map(|choice| Next { choice, rest: choices })
    }
}

/// Where a part of a search is: its workspace, and the path to where it has come from the node at which it began.
pub(super) struct Position<P: Search> {
    pub(super) workspace: P::Workspace,
    /// Before the part begins: the choices to take back, the earliest first. The workspace was copied further down than
    /// the node at which the part begins.
    pub(super) undone: Vec<Choice<P>>,
    /// Before the part begins: its choices. `None` for a whole search, which asks for them.
    pub(super) first: Option<P::Choices>,
    /// The nodes on the path, except for the last one.
    pub(super) levels: Vec<Level<P>>,
    /// How many of the oldest levels are known to have no untried choices. They will not get any: a part that comes
    /// back to such a level goes on to its end.
    exhausted: usize,
    pub(super) place: Place,
    /// How many parts have been split off.
    pub(super) given: u32,
}

/// How many levels there is room for at first. More memory is allocated as a search gets deeper.
const LEVELS: usize = 64;

impl<P: Search> Position<P> {
    /// The root of a search.
    pub(super) fn root(workspace: P::Workspace) -> Self {
        Position {
            workspace,
            undone: Vec::new(),
            first: None,
            levels: Vec::with_capacity(LEVELS),
            exhausted: 0,
            place: Place::default(),
            given: 0,
        }
    }

    /// Splits off half of the choices at the oldest node that has any, as a part with a copy of the workspace. `rest`
    /// are the untried choices at the last node. `spare` is a position that is not used any more. Runs user code.
    pub(super) fn split(
        &mut self,
        rest: &mut P::Choices,
        spare: impl FnOnce() -> Option<Box<Position<P>>>,
    ) -> Option<Box<Position<P>>> {
        // An ask costs no more than the levels that have been added since the last one.
        let from = self.exhausted.min(self.levels.len());
        let untried = self.levels[from..].iter().map(|level| level.rest.untried());
        let split = backtracking::split(untried.chain([rest.untried()]));
        self.exhausted = split.map_or(self.levels.len(), |split| from + split.level);
        let Split { level, count } = split?;
        let level = from + level;
        let mut part = match spare() {
            Some(mut spare) => {
                spare.workspace.clone_from(&self.workspace);
                spare
            }
            None => Box::new(Position::root(self.workspace.clone())),
        };
        part.levels.clear();
        part.exhausted = 0;
        part.undone.clear();
        part.undone.extend(self.levels[level..].iter().map(|level| level.made));
        let giver = self.levels.get_mut(level).map_or(rest, |level| &mut level.rest);
        part.first = Some(giver.split_off(count));
        part.place.set_below(&self.place, self.given);
        part.given = 0;
        self.given += 1;
        Some(part)
    }
}
