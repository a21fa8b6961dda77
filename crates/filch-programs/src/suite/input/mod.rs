//! Inputs, drawn as the Problem Based Benchmark Suite draws them; the same in every run.
//!
//! - [`meshes`]: a sphere with bumps, and rays
//! - [`numbers`]: uniform, exponential, almost sorted
//! - [`points`]: in the square, in and on the circle, Kuzmin's disc, Plummer's cluster
//! - [`text`]: words whose letters follow each other as in English

pub(super) mod meshes;
pub(super) mod numbers;
pub(super) mod points;
pub(super) mod text;
