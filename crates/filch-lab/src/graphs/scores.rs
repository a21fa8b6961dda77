//! Output files of scores, which are not integers.

use std::io::Write;
use std::path::Path;

use filch_graph_io::write::{Content, Format, WriteError, write_values};

use super::save::{self, OnProgress};
use super::source::Loaded;

/// Writes a line for each vertex: its name and its score. If the name of the file ends in `.npy`, writes an array of
/// the scores.
pub fn write(path: &Path, loaded: &Loaded, scores: &[f32], on_progress: OnProgress<'_>) -> Result<(), WriteError> {
    if Format::of_name(path).is_some_and(|format| format.content == Content::Npy) {
        return write_values(path, scores, on_progress);
    }
    let line = |v: usize, buffer: &mut Vec<u8>| {
        let written = writeln!(buffer, "{}\t{}", loaded.names.of(v as u32), scores[v]);
        written.expect("writing into memory does not fail");
    };
    save::lines(path, scores.len(), line, on_progress)
}
