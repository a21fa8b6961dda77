//! A parallel recursion without a bound (Yasugi, Hiraishi, Umatani and Yuasa 2012, section 6.1).
//!
//! On a graph with long paths it needs a stack of as many frames as there are vertices. The paper's programs crash
//! then. This one checks at each call how much of the stack is left, and fails with an error.

use super::claim::Claim;
use super::grower::{EDGES_IN_A_ROW, Grower, Part};
use super::result::TreeError;
use super::rows::Rows;
use super::stack;
use filch::{Context, Strand};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The traversal.
pub(super) struct Unbounded<'g, R: Rows, C> {
    grower: Grower<'g, R, C>,
    has_given_up: AtomicBool,
    /// The largest depth at which a stack was exhausted.
    depth: AtomicUsize,
}

/// Where a call is: its depth, and the lowest address to which its thread's stack may grow.
#[derive(Clone, Copy)]
struct At {
    depth: usize,
    floor: usize,
}

impl At {
    /// The same on the thread that runs a branch.
    #[inline(always)]
    fn on(self, context: Context) -> Self {
        if context.migrated() { At { floor: stack::floor().unwrap_or(usize::MAX), ..self } } else { self }
    }
}

impl<'g, R: Rows, C: Claim> Unbounded<'g, R, C> {
    pub(super) fn new(grower: Grower<'g, R, C>) -> Self {
        Unbounded { grower, has_given_up: AtomicBool::new(false), depth: AtomicUsize::new(0) }
    }

    /// Grows the tree of `root`, which has been claimed.
    pub(super) fn grow(&self, s: Strand<'_>, root: R::Vertex) -> Result<(), TreeError> {
        let floor = stack::floor().ok_or(TreeError::UnknownStack)?;
        self.visit(s, self.grower.row(root), At { depth: 0, floor });
        if self.has_given_up.load(Ordering::Relaxed) {
            return Err(TreeError::StackExhausted { depth: self.depth.load(Ordering::Relaxed) });
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn give_up(&self, depth: usize) {
        self.depth.fetch_max(depth, Ordering::Relaxed);
        self.has_given_up.store(true, Ordering::Relaxed);
    }

    fn visit(&self, mut s: Strand<'_>, mut part: Part<R>, at: At) {
        if stack::here() < at.floor {
            return self.give_up(at.depth);
        }
        if self.has_given_up.load(Ordering::Relaxed) {
            return;
        }
        if part.len > EDGES_IN_A_ROW {
            let (lower, upper) = self.grower.halves(part);
            s.join_context(
                |s, context| self.visit(s, lower, at.on(context)),
                |s, context| self.visit(s, upper, at.on(context)),
            );
            return;
        }
        let Some(w) = self.grower.claim_next(&mut part) else { return };
        part = self.grower.open(part);
        let below = At { depth: at.depth + 1, ..at };
        if part.len == 0 {
            return self.visit(s, self.grower.row(w), below);
        }
        s.join_context(
            |s, context| self.visit(s, self.grower.row(w), below.on(context)),
            |s, context| self.visit(s, part, at.on(context)),
        );
    }
}
