//! Names of vertices.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| filch_graph_io_fuzz::names(bytes));
