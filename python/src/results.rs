//! What Python is given: results, which become arrays of numpy without a copy, and exceptions.

use bytemuck::Pod;
use bytemuck::allocation::cast_vec;
use filch_graph::BuildError;
use numpy::{Element, PyArray1};
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use std::fmt::Display;
use std::hint::black_box;

/// An array of numpy.
pub(crate) type Array<'py, T> = Bound<'py, PyArray1<T>>;

/// Moves numbers into an array, of a type of the same size.
pub(crate) fn array<T: Pod, U: Pod + Element>(py: Python<'_>, items: Vec<T>) -> Array<'_, U> {
    PyArray1::from_vec(py, cast_vec(items))
}

/// The `ValueError` with this message.
pub(crate) fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The `MemoryError` with this message.
pub(crate) fn memory_error(error: impl Display) -> PyErr {
    PyMemoryError::new_err(error.to_string())
}

/// The exception for a graph that cannot be built.
pub(crate) fn build_error(error: BuildError) -> PyErr {
    match error {
        BuildError::OutOfMemory { .. } => memory_error(error),
        _ => value_error(error),
    }
}

/// Whether there is room for so many items, which those who allocate without a check ask first.
pub(crate) fn reserved<T>(len: usize) -> PyResult<()> {
    let mut room = Vec::<T>::new();
    room.try_reserve_exact(len).map_err(memory_error)?;
    // Otherwise the compiler may leave out the allocation, because nobody uses it.
    black_box(&mut room);
    Ok(())
}
