//! Helpers shared by several tests.

pub(crate) mod heard;
pub(crate) mod lists;
pub(crate) mod schedulers;
pub(crate) mod shapes;
