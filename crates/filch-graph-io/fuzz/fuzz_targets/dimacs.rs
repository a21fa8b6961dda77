//! Graphs for shortest paths of the ninth DIMACS challenge.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| filch_graph_io_fuzz::graph("roads.gr", bytes));
