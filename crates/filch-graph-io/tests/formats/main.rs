//! Formats of files, from outside.

#[path = "../common/mod.rs"]
mod common;
mod each;
mod reading;
mod webgraph;
mod writing;
