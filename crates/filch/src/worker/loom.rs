//! Those modules of the worker layer that are checked alone, in place of `mod.rs` where the model checker is: the rest
//! is full of statics and threads of its own.

mod abort;
mod blank;
pub(crate) mod frame;
pub(crate) mod hypermap;
pub(crate) mod items;
#[cfg(test)]
mod loom_tests;
pub(crate) mod order;
pub(crate) mod range;
mod task;

pub(crate) use blank::unpack;
pub(crate) use frame::{FrameKind, Header};
pub(crate) use items::{ItemsFrame, ItemsPart, Parts};
pub(crate) use range::{Part, RangeFrame};

use crate::ladder;
use task::TaskId;

pub(crate) type Rung = ladder::Rung<Header>;
pub(crate) type Ladder = ladder::Ladder<Header, Worker>;

/// Of no account here.
pub(crate) const SEARCH_NS: u64 = 1;

/// A worker that runs no task.
pub(crate) struct Worker {
    index: usize,
    tasks: NoTasks,
}

struct NoTasks;

impl NoTasks {
    fn innermost(&self) -> Option<TaskId> {
        None
    }
}
