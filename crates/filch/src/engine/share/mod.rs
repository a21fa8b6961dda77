//! Sharing: how work gets from one worker to another.
//!
//! In the order in which it happens to a frame: [`way`], a fork that finds its slot taken or marked; [`victim`], the
//! owner's side, when somebody wants something; [`thief`], the other side: ask, then take; [`execute`], running what was
//! got; [`visits`], where a thief looks, in which order. [`spawn`] leaves tasks that are no frames.

pub(crate) mod execute;
mod spawn;
pub(crate) mod thief;
pub(crate) mod victim;
mod visits;
pub(crate) mod way;
