//! Graphs on ranks that are threads, against those of one process.

mod algorithms;
mod build;
mod graphs;
