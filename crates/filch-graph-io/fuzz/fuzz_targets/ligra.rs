//! Adjacency graphs of Ligra.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| filch_graph_io_fuzz::graph("rows.adj", bytes));
