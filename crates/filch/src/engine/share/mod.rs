//! Sharing: how work gets from one worker to another.
//!
//! In the order in which it happens to a frame: a fork finds its slot taken or marked ([`marked_fork`]), and may leave
//! its frame for others ([`leave`]); the owner finds that its work is wanted ([`victim`]), and chooses what to give
//! ([`gift`]); another worker asks, then takes ([`thief`]), and runs what it has got ([`execute`](super::execute)).
//! [`visits`] says where a thief looks, and in which order. [`spawn`] puts tasks that are not frames where they will be
//! found.

pub(crate) mod across;
pub(crate) mod descent;
mod gift;
mod leave;
pub(crate) mod marked_fork;
#[cfg(test)]
mod prepare_tests;
pub(crate) mod promote;
mod spawn;
pub(crate) mod thief;
pub(crate) mod victim;
mod visits;
