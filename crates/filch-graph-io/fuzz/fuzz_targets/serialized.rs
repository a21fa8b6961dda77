//! Serialized graphs of the GAP Benchmark Suite, with weights and without.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| filch_graph_io_fuzz::serialized("rows.wsg", bytes));
