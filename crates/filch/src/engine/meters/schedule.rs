//! The schedule of chaos: how far it has come; and for a test of a program, which moves it is to make, and which it has
//! made.
//!
//! A *place* is a point at which the thread that plays all workers asks whether something moves to another worker. A
//! run with a [`Script`] numbers its places and draws for each place from a sequence of its own. So a run in which some
//! moves are left out is the same as the full run up to the first of them.

use crate::engine::meters::location;
use crate::engine::meters::sequence::SequenceCell;
use crate::sync::{Mutex, lock};
use filch_policy::Chaos;
use std::sync::OnceLock;

/// The schedule of a team of chaos. One thread at a time uses it, but for a seat that is lent.
pub(crate) struct Schedule {
    chaos: SequenceCell<Chaos>,
    /// The script of the run under way, once there has been one.
    script: OnceLock<Mutex<Script>>,
}

/// Which moves a run is to make, and which it has made.
#[derive(Debug)]
pub(crate) struct Script {
    seed: u64,
    /// The places at which something is to move, in order; those that the seed says if there is no such list.
    kept: Option<Vec<u64>>,
    /// Whether to note where in the program a move was made.
    locates: bool,
    places: u64,
    made: Vec<Moved>,
}

/// Something has moved to another worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Moved {
    pub(crate) place: u64,
    pub(crate) kind: MoveKind,
    /// How many places came while it ran there.
    pub(crate) inside: u64,
    /// The line of the program.
    pub(crate) location: Option<String>,
}

/// What moves, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MoveKind {
    /// An older frame, before a fork.
    AtFork,
    /// An older frame, after the first branch of a fork.
    AfterBranch,
    /// The second branch of a fork, after its first branch.
    SecondBranch,
    /// An older frame, between two blocks of a loop.
    BetweenBlocks,
    /// Half of what is left of a loop, between two of its blocks.
    RestOfLoop,
    /// An older frame or the rest of the items, before an item.
    AtItem,
    /// A task, after a spawn.
    AfterSpawn,
    /// A task, before the end of its scope.
    AtEndOfScope,
}

/// Something may move at this place.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub(crate) struct Permit {
    place: u64,
    kind: MoveKind,
}

impl Schedule {
    pub(crate) fn new(start: Chaos) -> Self {
        Schedule { chaos: SequenceCell::new(start), script: OnceLock::new() }
    }

    /// A run begins, whose schedule is to begin with `start`.
    pub(crate) fn begin(&self, start: Chaos) {
        self.chaos.with(|chaos| *chaos = start);
    }

    /// Plays by this script from now on. To be called between runs.
    pub(crate) fn play(&self, script: Script) {
        *lock(self.script.get_or_init(|| Mutex::new(Script::new(0, None, false)))) = script;
    }

    /// The moves that have been made by the latest script, in order.
    pub(crate) fn made(&self) -> Vec<Moved> {
        self.script.get().map(|script| std::mem::take(&mut lock(script).made)).unwrap_or_default()
    }

    /// Whether something moves at this place. Nothing does if something `is_inside`, which must not be disturbed.
    pub(crate) fn moves(&self, kind: MoveKind, is_inside: bool) -> Option<Permit> {
        let Some(script) = self.script.get() else {
            return self.chaos.with(|chaos| chaos.moves(is_inside)).then_some(Permit { place: 0, kind });
        };
        if is_inside {
            return None;
        }
        let mut script = lock(script);
        let place = script.places;
        script.places += 1;
        let is_drawn = self.chaos.with(|chaos| {
            *chaos = Chaos::at(script.seed, place);
            chaos.moves(false)
        });
        let moves = script.kept.as_ref().map_or(is_drawn, |kept| kept.binary_search(&place).is_ok());
        moves.then_some(Permit { place, kind })
    }

    /// Draws what else has to be decided at a place.
    pub(crate) fn draw<R>(&self, draw: impl FnOnce(&mut Chaos) -> R) -> R {
        self.chaos.with(draw)
    }

    /// Something moves by this permit: `run` runs it.
    pub(crate) fn moving(&self, Permit { place, kind }: Permit, run: impl FnOnce()) {
        let Some(script) = self.script.get() else { return run() };
        let location = if lock(script).locates { location::of_caller() } else { None };
        let (moved, begin) = {
            let mut script = lock(script);
            script.made.push(Moved { place, kind, inside: 0, location });
            (script.made.len() - 1, script.places)
        };
        run();
        let mut script = lock(script);
        let end = script.places;
        if let Some(moved) = script.made.get_mut(moved) {
            moved.inside = end - begin;
        }
    }
}

impl Script {
    /// The script of a seed, or of some of its moves.
    pub(crate) fn new(seed: u64, kept: Option<Vec<u64>>, locates: bool) -> Self {
        Script { seed, kept, locates, places: 0, made: Vec::new() }
    }
}
