//! Task graphs: tasks, which of them come after which, and choices between them. Built once, and run many times.
//!
//! [`build`] collects tasks and refuses cycles. A [`node`] counts what its task waits for, and [`run`] says who runs
//! it. All of this is inline, so that it is compiled in programs that have graphs.

mod build;
mod graph;
mod node;
mod run;

pub use build::{CycleError, GraphTask, TaskGraphBuilder};
pub use graph::TaskGraph;
