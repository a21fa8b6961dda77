//! Helpers shared by several tests.

#![allow(dead_code)] // Each test uses a part of it.

pub(crate) mod heard;
pub(crate) mod lists;
pub(crate) mod schedulers;
pub(crate) mod shapes;
