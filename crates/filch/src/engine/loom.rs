//! The modules of the engine that the model checker checks alone. Under loom this file takes the place of `mod.rs`,
//! because the other modules have statics and threads of their own.

mod abort;
mod beat;
mod binding;
pub(crate) mod frame;
pub(crate) mod part_memory;
mod samples;
pub(crate) mod spawned;
mod squads;
pub(crate) mod task;
pub(crate) mod views;

#[cfg(test)]
mod loom_tests;

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
