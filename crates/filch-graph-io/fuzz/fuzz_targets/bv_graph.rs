//! BvGraphs of the WebGraph framework: the properties, a byte 0, and the rows.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| filch_graph_io_fuzz::bv_graph(bytes));
