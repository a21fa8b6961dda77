//! A task of a graph, and what it waits for.
//!
//! Each node counts the edges to it whose tasks have not ended. Whoever takes the count to zero sets it back for the
//! next run, and runs the node: by then nobody else looks at it in this run. So a count is written by whoever ends a
//! task before its node, by read-modify-writes, which order all that those tasks did before what the node does. A run
//! that ends by a panic leaves counts in the midst, so all are set back.
//!
//! A word has three numbers: the edges that are left; above them the *dead* edges, those from tasks that are skipped;
//! and above these a bit that says that a choice has decided against the node.

use crate::constructs::strand::Strand;
use crate::sync::{AtomicU64, Mutex, Ordering, lock};

/// A task, or a choice, which returns its result.
pub(super) type Task<'env> = Box<dyn FnMut(Strand<'_>) -> usize + Send + 'env>;

/// What a task returns that is not a choice. No edge asks for it.
pub(super) const NO_RESULT: usize = usize::MAX;

const LEFT: u64 = (1 << 32) - 1;
const DEAD: u64 = 1 << 32;
const DENIED: u64 = 1 << 63;

pub(super) struct Node<'env> {
    waits_for: AtomicU64,
    /// How many edges lead here.
    before: u32,
    /// Where its edges begin.
    pub(super) first_edge: u32,
    /// Only the worker that runs the node takes the lock, so it is always free.
    task: Mutex<Task<'env>>,
}

/// How a task is told of the end of one before it.
#[derive(Clone, Copy)]
pub(super) enum Told {
    Ended,
    Skipped,
    Denied,
}

/// What becomes of a task when all before it have ended or are skipped.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Run,
    Skip,
}

impl<'env> Node<'env> {
    pub(super) fn new(task: Task<'env>, before: u32, first_edge: u32) -> Self {
        Node { waits_for: AtomicU64::new(u64::from(before)), before, first_edge, task: Mutex::new(task) }
    }

    pub(super) fn set_back(&self) {
        self.waits_for.store(u64::from(self.before), Ordering::Relaxed);
    }

    /// Tells the node of the end of a task before it. `None` if others are left.
    #[inline]
    pub(super) fn tell(&self, told: Told) -> Option<Fate> {
        let change = match told {
            // Minus one.
            Told::Ended => u64::MAX,
            Told::Skipped => DEAD - 1,
            Told::Denied => {
                self.waits_for.fetch_or(DENIED, Ordering::Relaxed);
                u64::MAX
            }
        };
        let now = self.waits_for.fetch_add(change, Ordering::AcqRel).wrapping_add(change);
        if now & LEFT > 0 {
            return None;
        }
        self.set_back();
        let is_skipped = now & DENIED != 0 || now / DEAD == u64::from(self.before);
        Some(if is_skipped { Fate::Skip } else { Fate::Run })
    }

    /// Runs the task. Returns its result if it is a choice.
    #[inline]
    pub(super) fn call(&self, s: Strand<'_>) -> usize {
        (*lock(&self.task))(s)
    }
}
