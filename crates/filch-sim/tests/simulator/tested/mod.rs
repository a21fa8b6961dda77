//! Runtime and simulator decide alike. For a build in which decisions of the runtime are recorded, and in which the
//! policy of both can be mistaken: `--cfg filch_decisions="tested"`.

mod mistakes;
mod replay;
