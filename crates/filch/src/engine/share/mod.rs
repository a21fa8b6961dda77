//! Sharing: how work gets from one worker to another.
//!
//! In the order in which it happens to a frame: a fork finds its slot taken or marked ([`at_fork`]), and may leave
//! its frame for others ([`shelf`]); the owner finds that its work is wanted ([`at_return`]); another worker asks, then
//! takes ([`thief`]), and runs what it has got ([`execute`]).
//! [`visits`] says where a thief looks, and in which order. [`spawn`] puts tasks that are not frames where they will be
//! found.
//!
//! [`prepare`]: what a construct has to do before a frame of it may leave. [`run_tasks`]: tasks of scopes are run.

pub(crate) mod across;
pub(crate) mod at_fork;
pub(crate) mod at_return;
pub(crate) mod descent;
pub(crate) mod execute;
pub(crate) mod prepare;
pub(crate) mod run_tasks;
mod shelf;
mod spawn;
pub(crate) mod thief;
mod visits;
