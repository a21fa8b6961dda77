//! Edge lists with weights.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| filch_graph_io_fuzz::graph("edges.wel", bytes));
