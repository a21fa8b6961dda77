//! A simulator of the runtime Filch: virtual workers on a virtual clock.
#![forbid(unsafe_code)]
mod agenda;
pub mod costs;
pub mod program;
