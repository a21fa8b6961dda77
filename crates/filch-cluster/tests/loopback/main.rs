//! Searches on ranks that are threads.

mod faults;
mod problems;
mod results;
mod together;
