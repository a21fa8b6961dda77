//! Input files for integration tests and unit tests.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

/// A temporary directory, which is removed together with its files.
pub(crate) struct Directory(pub(crate) tempfile::TempDir);

impl Directory {
    pub(crate) fn new() -> Self {
        Directory(tempfile::tempdir().unwrap())
    }

    pub(crate) fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    }
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}
