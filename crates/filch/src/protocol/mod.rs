//! The protocols between workers. Each is a small concurrent state machine with its own state, its own argument why it
//! is correct, and its own model.
//!
//! - [`ladder`]: which frames of a worker belong to their owner, and which to a thief
//! - [`biased_lock`]: how one thread enters a lock without a locked instruction, and others all the same
//! - [`ask`]: how a worker asks another one for a frame, and how a frame is handed over
//! - [`task_pool`]: where a frame lies between the worker that gives it away and the worker that begins it
//! - [`lanes`]: where batches of a traversal wait, and how the end of each phase is detected
//! - [`marks`]: which workers have something, in a few words
//! - [`seats`]: how many threads work for a team at once
//! - [`sleep`]: which threads sleep, and the rule that one of them always looks for work again
//! - [`reserve`]: the threads that work while others block
//! - [`end`]: when the threads of a team leave
//!
//! The protocols are independent of each other, except that [`ask`] has a task pool, the mailbox, and that [`sleep`]
//! and [`task_pool`] have [`marks`]. May import: `sync`.

pub(crate) mod ask;
pub(crate) mod biased_lock;
pub(crate) mod end;
pub(crate) mod ladder;
pub(crate) mod lanes;
pub(crate) mod marks;
pub(crate) mod reserve;
pub(crate) mod seats;
pub(crate) mod sleep;
pub(crate) mod task_pool;
