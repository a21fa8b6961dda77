//! Short loops that run while nobody wants anything.

use super::{Kind, Pace};
use crate::block::Pieces;

impl Pace {
    /// Begins a loop of `len` items of this kind, if it is known to be short and is not inside of itself, and if nobody
    /// wants anything.
    #[inline]
    pub(crate) fn begin_quietly(&self, kind: Kind, len: usize) -> Option<Quiet> {
        let is_short = self.is_of(kind) && len as u64 <= self.block.get() && !self.is_recursive();
        if !is_short || self.is_inside.get() || filch::is_wanted() || !self.has_credit(len) {
            return None;
        }
        Some(Quiet { credit: self.credit.get(), pieces: self.pieces() })
    }

    /// If there is not as much credit as before, a loop inside has used the place.
    #[inline(always)]
    fn note_credit(&self, kind: Kind, left: usize) {
        if self.credit.get() != left {
            self.something_was_inside(kind);
        }
    }
}

/// A short loop that runs while nobody wants anything.
#[derive(Clone, Copy)]
pub(crate) struct Quiet {
    /// The credit that it has left.
    credit: usize,
    pub(crate) pieces: Pieces,
}

impl Quiet {
    /// How many items its second piece has at most.
    #[inline(always)]
    pub(crate) fn second(self) -> usize {
        self.pieces.second
    }

    /// Ends it, if nobody has wanted anything meanwhile.
    #[inline(always)]
    pub(crate) fn leave(self, kind: Kind) {
        Pace::with(kind, |pace| pace.note_credit(kind, self.credit));
    }
}
