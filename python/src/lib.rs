//! The module `filch._filch`: what the Python of the package `filch` calls.
//!
//! [`borrowed`] reads the arrays of Python as graphs, [`running`] runs algorithms on them, and [`results`] makes arrays.
//! The other files have a function for each algorithm, with few checks: the Python in `filch` says what users see, and
//! makes arrays of the right types.

mod borrowed;
mod components;
mod results;
mod running;

use pyo3::prelude::*;

/// What the package `filch` calls.
#[pymodule]
mod _filch {
    #[pymodule_export]
    use crate::components::{strong_components, weak_components};
}
