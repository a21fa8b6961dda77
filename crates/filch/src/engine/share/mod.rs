//! Sharing: how work gets from one worker to another.
//!
//! In the order in which it happens to a frame: a fork finds its slot taken or marked ([`way`]); the owner finds that
//! its work is wanted ([`victim`]); another worker asks, then takes ([`thief`]), and runs what it has got
//! ([`execute`](super::execute)). [`visits`] says where a thief looks, and in which order. [`spawn`] puts tasks that
//! are not frames where they will be found.

mod spawn;
pub(crate) mod thief;
pub(crate) mod victim;
mod visits;
pub(crate) mod way;
