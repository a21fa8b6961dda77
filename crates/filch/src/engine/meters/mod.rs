//! What a worker keeps about itself: its [`activity`], an [`account`] of credits, [`counters`], [`samples`] of times,
//! and a [`sequence`] of random numbers. What others may see of it is on the [`page`]. Also the [`schedule`] of chaos,
//! with the [`location`] of its moves in the program.

pub(crate) mod account;
pub(crate) mod activity;
pub(crate) mod counters;
pub(crate) mod location;
pub(crate) mod page;
pub(crate) mod samples;
pub(crate) mod schedule;
pub(crate) mod sequence;
