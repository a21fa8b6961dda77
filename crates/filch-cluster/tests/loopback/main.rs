//! Searches on ranks that are threads.

mod calls;
mod faults;
mod problems;
mod results;
mod together;
