//! Files: what was found for each vertex, as text or as an array for NumPy; and graphs.

use std::fs;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use filch::Pool;
use filch_graph::read::Progress;
use filch_graph::write::{Content, Format, WriteError, write_graph, write_lines, write_values};
use filch_graph::{Csr, Graph};

use super::report;
use super::source::Loaded;
use super::stage::{Stage, Unit};
use crate::failure::Failure;
use crate::interrupt;

/// What was found for each vertex.
pub struct Column<'a> {
    /// Whether it is a vertex, which has a name, or a number.
    is_vertex: bool,
    /// That of each vertex, if it has any.
    of: Box<dyn Fn(u32) -> Option<u32> + Send + Sync + 'a>,
}

impl<'a> Column<'a> {
    /// A vertex for each vertex.
    pub fn vertex(of: impl Fn(u32) -> Option<u32> + Send + Sync + 'a) -> Self {
        Self { is_vertex: true, of: Box::new(of) }
    }

    /// A number for each vertex.
    pub fn number(of: impl Fn(u32) -> Option<u32> + Send + Sync + 'a) -> Self {
        Self { is_vertex: false, of: Box::new(of) }
    }
}

/// What stands in a file where there is nothing: no vertex, no depth.
const NOTHING: i64 = -1;

/// Refuses a file whose name does not say how results should be written.
pub fn check_name(path: &Path) -> Result<(), Failure> {
    check_content(path, [Content::Text, Content::Npy], ".npy, .txt, .tsv, or .txt.gz, .txt.zst")
}

/// Refuses a file whose name does not say how a graph should be written.
pub fn check_graph_name(path: &Path) -> Result<(), Failure> {
    check_content(path, [Content::Text, Content::Sg], ".sg, .el, .txt, or .el.gz, .el.zst")
}

fn check_content(path: &Path, allowed: [Content; 2], endings: &str) -> Result<(), Failure> {
    if Format::of_name(path).is_some_and(|format| allowed.contains(&format.content)) {
        return Ok(());
    }
    Err(Failure::Usage(format!("cannot write {}: expected a name that ends in {endings}", path.display())))
}

/// Writes a line for each vertex: itself and the columns, by name, or by number as the user counts. Where the name of
/// the file ends in `.npy`, an array of the first column alone, vertices by their numbers from 0.
pub fn vertices(path: &Path, loaded: &Loaded, columns: &[Column<'_>], pool: &Pool) -> Result<(), Failure> {
    let Loaded { graph, names, .. } = loaded;
    let count = graph.num_vertices();
    let is_array = Format::of_name(path).is_some_and(|format| format.content == Content::Npy);
    whole(path, |on_progress| {
        pool.run(|_| {
            if is_array {
                let first = &columns[0].of;
                let values: Vec<i64> = (0..count as u32).map(|v| first(v).map_or(NOTHING, i64::from)).collect();
                return write_values(path, &values, on_progress);
            }
            let line = |v: usize, buffer: &mut Vec<u8>| {
                let v = v as u32;
                let written = write!(buffer, "{}", names.of(v)).and_then(|()| {
                    columns.iter().try_for_each(|column| match (column.of)(v) {
                        Some(vertex) if column.is_vertex => write!(buffer, "\t{}", names.of(vertex)),
                        Some(number) => write!(buffer, "\t{number}"),
                        None => write!(buffer, "\t{NOTHING}"),
                    })
                });
                written.expect("memory takes all");
                buffer.push(b'\n');
            };
            write_lines(path, count, line, on_progress)
        })
    })
}

/// Called between pieces of a file; says whether to go on.
pub type OnProgress<'a> = &'a mut (dyn FnMut(Progress) -> ControlFlow<()> + Send);

/// Writes a file that is there whole or not at all, with a bar. Ctrl-C ends the command soon, once nothing is left of
/// it.
pub fn whole(path: &Path, write: impl FnOnce(OnProgress<'_>) -> Result<(), WriteError>) -> Result<(), Failure> {
    let stage = Stage::begin("writing", &path.display().to_string(), Unit::Bytes);
    let mut on_progress = |Progress { bytes, total, .. }: Progress| {
        stage.at(bytes, total);
        if interrupt::came() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let written = interrupt::deferred(|| {
        let written = write(&mut on_progress);
        // Before Ctrl-C may end the command: the bar is to be gone by then.
        stage.clear();
        written
    });
    written.map_err(Failure::usage)
}

/// Writes a graph, and shows how long that took.
pub fn graph(path: &Path, graph: &Csr, pool: &Pool, out: &mut dyn Write) -> Result<(), Failure> {
    let begun = Instant::now();
    whole(path, |on_progress| pool.run(|_| write_graph(path, graph, on_progress)))?;
    let time = begun.elapsed().as_secs_f64();
    let bytes = fs::metadata(path).map_or(0, |written| written.len());
    let rate = report::time_and_rate(time, bytes as usize, report::BYTES);
    Ok(report::line(out, "written in", &format!("{rate}: {}", path.display()))?)
}
