//! Cancelling: how a run inside of a token learns that it is to end, on whichever worker a part of it is.
//!
//! A [`token`] has the flag. The code that runs inside of it is a [`region`], and each task of the engine
//! ([`frame::task`](crate::engine::frame::task)) knows the region that it is in. So a worker that gets a frame finds
//! the region by the task that the frame is a part of, which waits for it and therefore lives. No list of parts is
//! kept. [`deadline`] is the clock that cancels.
//!
//! | variable | written by | read by |
//! |---|---|---|
//! | the flag of a token | whoever cancels, before it calls the teams | all, at looks |
//! | the list of teams and threads to call | who begins or ends a region, under the lock | who cancels, under it |
//! | the region of a task | its worker, before the task is live | its worker; who runs a part of it |
//!
//! **No look comes too late.** Whoever cancels sets the flag, and then makes each worker of the teams in its list
//! attend, by raising E. A region is in the list before it looks at the flag for the first time, and both hold the
//! lock: so either it is called, or it sees the flag. A worker that begins a part of a region later has its E raised
//! already, or lowers it by an exchange that reads the raise and so acquires the flag; or else its ladder was made
//! meanwhile, for which both sides have a full fence between their write and their look (`models/cancel.pml`).
//!
//! **How a region ends.** At a slow path that finds the flag set, a worker unwinds with the payload [`Ended`], as by a
//! panic without a message: all constructs know how to end by one. The run of the token catches it. While the region is
//! cancelled, E of the workers in it stays raised, so code that catches the payload itself is ended again. Nobody
//! unwinds while a panic unwinds already or while it has the state of a speculation; and while a worker unwinds nothing
//! leaves its ladder, because what destructors fork must run to its end. (One gap is left: what a destructor forks
//! while a panic of the user's unwinds, before that has met a frame, may be taken; if it is cancelled then, the process
//! aborts, as by any second panic.)
//!
//! May import: `sync`.

pub(crate) mod deadline;
pub(crate) mod region;
pub(crate) mod token;

use std::any::Any;

/// The payload with which a region unwinds.
pub(crate) struct Ended;

/// Whether what unwinds is the end of a region, and not a panic.
pub(crate) fn is_end(payload: &(dyn Any + Send)) -> bool {
    payload.is::<Ended>()
}
