//! Runs a program on pools, written as a user would write it.
//!
//! - [`execution`]: the state of a run
//! - `joins`, `loops` (with traversals), `items` (spawn loops), `scopes`, `reducers`: the constructs
//! - `nodes`: the choice between them

pub mod execution;
mod items;
mod joins;
mod leaves;
mod loops;
mod nodes;
mod reducers;
mod scopes;
mod speculations;
