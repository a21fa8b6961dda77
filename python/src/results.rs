//! Results, which become arrays of numpy without a copy.

use bytemuck::Pod;
use bytemuck::allocation::cast_vec;
use numpy::{Element, PyArray1};
use pyo3::prelude::*;

/// An array of numpy.
pub(crate) type Array<'py, T> = Bound<'py, PyArray1<T>>;

/// Moves numbers into an array, of a type of the same size.
pub(crate) fn array<T: Pod, U: Pod + Element>(py: Python<'_>, items: Vec<T>) -> Array<'_, U> {
    PyArray1::from_vec(py, cast_vec(items))
}
