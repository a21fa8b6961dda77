//! The module `filch._filch`: what the Python of the package `filch` calls.
//!
//! [`borrowed`] reads the arrays of Python as graphs and [`weighted`] those with weights, [`running`] runs algorithms
//! on them, and [`results`] makes arrays. The other files have a function for each algorithm, with few checks: the
//! Python in `filch` says what users see, and makes arrays of the right types.

mod analysis;
mod borrowed;
mod centrality;
mod components;
mod ordered;
mod paths;
mod ranks;
mod results;
mod running;
mod search;
mod strong;
mod traversal;
mod weighted;

use pyo3::prelude::*;

/// What the package `filch` calls.
#[pymodule]
mod _filch {
    #[pymodule_export]
    use crate::analysis::{clustering, communities, core_numbers, count_triangles, pagerank, spanning_forest};
    #[pymodule_export]
    use crate::borrowed::is_canonical;
    #[pymodule_export]
    use crate::centrality::{betweenness, closeness, harmonic};
    #[pymodule_export]
    use crate::components::weak_components;
    #[pymodule_export]
    use crate::ordered::ordered_paths;
    #[pymodule_export]
    use crate::paths::{minimum_forest, shortest_paths};
    #[pymodule_export]
    use crate::ranks::ranks;
    #[pymodule_export]
    use crate::search::{Problem, Solutions};
    #[pymodule_export]
    use crate::strong::strong_components;
    #[pymodule_export]
    use crate::traversal::{breadth_first, depth_first};
}
