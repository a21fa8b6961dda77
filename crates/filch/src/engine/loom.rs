//! The modules of the engine that the model checker checks alone. Under loom this file takes the place of `mod.rs`,
//! because the other modules have statics and threads of their own.

pub(crate) mod cancel {
    pub(crate) mod region;
    pub(crate) mod token;
}
pub(crate) mod frame;
pub(crate) mod meters {
    pub(crate) mod samples;
}
pub(crate) mod spawned;
pub(crate) mod views;

#[cfg(test)]
mod loom_tests;

/// A worker that runs no task.
pub(crate) mod team {
    pub(crate) mod beat;
    pub(crate) mod squads;

    use super::frame::Header;
    use super::frame::task::TaskId;
    use crate::protocol::ladder;

    pub(crate) type Ladder = ladder::Ladder<Header>;

    impl ladder::Frame for Header {
        type Owner = Worker;
    }

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
