//! What a worker keeps about itself: an [`account`] of credits, [`counters`], [`samples`] of times, and a [`sequence`]
//! of random numbers.

pub(crate) mod account;
pub(crate) mod counters;
pub(crate) mod samples;
pub(crate) mod sequence;
