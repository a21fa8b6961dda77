//! What becomes of programs that have been [compared](filch_bench::comparison).
//!
//! - [`baseline`]: the rows beside earlier ones
//! - [`figure`]: a picture

pub mod baseline;
pub mod figure;
