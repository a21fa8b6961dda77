//! Compressed files, and which format is recognized in a file of any name.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| filch_graph_io_fuzz::compressed(bytes));
