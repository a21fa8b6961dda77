//! The module `filch._filch`: what the Python of the package `filch` calls.
//!
//! [`borrowed`] reads the arrays of Python as graphs and [`weighted`] those with weights, [`running`] runs algorithms
//! on them, and [`results`] makes arrays. The other files have a function for each algorithm, with few checks: the
//! Python in `filch` says what users see, and makes arrays of the right types.
//!
//! # Without the global lock
//!
//! A free-threaded interpreter leaves its lock off for this module. Threads of Python share three things here:
//!
//! - Arrays. With the lock, too, another thread may write to them while the interpreter is released; so [`borrowed`]
//!   reads their items atomically. numpy guards neither the shape of an array nor its address: whoever changes these in
//!   place must see to it that nobody else uses the array.
//! - The map of [pools](running::pool), under a mutex. The thread that holds it is attached to the interpreter, and
//!   calls nothing of it. A fork waits until no attached thread runs, so the child finds the mutex free.
//! - Problems and the iterators of their solutions, which are `frozen`: there is no borrow that fails because another
//!   thread has one. A problem never changes. An iterator keeps its search under a mutex. A thread detaches from the
//!   interpreter before it waits for that one, so that the interpreter can stop all threads meanwhile.

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
#[pymodule(gil_used = false)]
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
