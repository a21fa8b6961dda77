//! Scores, which are not integers: the highest, and output files.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;

use filch_bench::show::table::{plain_table, with_words};
use filch_graph_io::write::{Content, Format, Number, WriteError, write_values};

use super::names::Names;
use super::save::{self, OnProgress};
use super::source::Loaded;

/// Writes a line for each vertex: its name and its score. If the name of the file ends in `.npy`, writes an array of
/// the scores.
pub fn write(
    path: &Path,
    loaded: &Loaded,
    scores: &[impl Number + Display],
    on_progress: OnProgress<'_>,
) -> Result<(), WriteError> {
    if Format::of_name(path).is_some_and(|format| format.content == Content::Npy) {
        return write_values(path, scores, on_progress);
    }
    let line = |v: usize, buffer: &mut Vec<u8>| {
        let written = writeln!(buffer, "{}\t{}", loaded.names.of(v as u32), scores[v]);
        written.expect("writing into memory does not fail");
    };
    save::lines(path, scores.len(), line, on_progress)
}

/// Shows a table of vertices with high scores, the highest first.
pub fn show(out: &mut dyn Write, highest: impl Iterator<Item = (u32, f64)>, names: &Names) -> io::Result<()> {
    let mut table = plain_table(vec!["highest".into(), "score".into(), "vertex".into()]);
    let mut count = 0;
    for (v, score) in highest {
        count += 1;
        table.add_row([count.to_string(), format!("{score:.3e}"), names.of(v).into_owned()]);
    }
    if count == 0 { Ok(()) } else { writeln!(out, "\n{}", with_words(table)) }
}
