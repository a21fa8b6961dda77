//! Those modules of the engine that are checked alone, in place of `mod.rs` where the model checker is: the rest is
//! full of statics and threads of its own.

mod abort;
pub(crate) mod frame;
pub(crate) mod part_memory;
pub(crate) mod task;
pub(crate) mod views;

/// A worker that runs no task.
pub(crate) mod team {
    use super::frame::Header;
    use super::task::TaskId;
    use crate::protocol::ladder;

    pub(crate) type Ladder = ladder::Ladder<Header, Worker>;

    pub(crate) struct Worker;

    impl Worker {
        pub(crate) fn index(&self) -> usize {
            0
        }

        pub(crate) fn task(&self) -> Option<TaskId> {
            None
        }
    }
}
