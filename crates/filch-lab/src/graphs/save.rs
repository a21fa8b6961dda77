//! Output files: results for each vertex, as text or as an array for NumPy, and graphs.

use std::fs;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use filch::Pool;
use filch_bench::failure::Failure;
use filch_bench::interrupt;
use filch_bench::show::progress::stage::{Stage, Unit};
use filch_graph::{Csr, Graph, Weight, WeightedCsr};
use filch_graph_io::FileWeight;
use filch_graph_io::read::Progress;
use filch_graph_io::write::{
    Content, Format, GRAPH_ENDINGS, Number, WriteError, check_graph, write_edge_list_to, write_graph, write_lines,
    write_lines_to, write_values,
};

use super::report;
use super::source::Loaded;
use crate::output;

/// A result for each vertex.
pub struct Column<'a> {
    /// Whether the result is a vertex, which is written by its name, or a number.
    is_vertex: bool,
    /// The result of each vertex, if it has one.
    of: Box<dyn Fn(u32) -> Option<u32> + Send + Sync + 'a>,
}

impl<'a> Column<'a> {
    /// A column of vertices.
    pub fn vertex(of: impl Fn(u32) -> Option<u32> + Send + Sync + 'a) -> Self {
        Self { is_vertex: true, of: Box::new(of) }
    }

    /// A column of numbers.
    pub fn number(of: impl Fn(u32) -> Option<u32> + Send + Sync + 'a) -> Self {
        Self { is_vertex: false, of: Box::new(of) }
    }
}

/// The value written for a vertex without a result.
pub const NOTHING: i64 = -1;

/// Fails if the name of the file does not say in which form to write results.
pub fn check_name(path: &Path) -> Result<(), Failure> {
    let is_of_results = |content| matches!(content, Content::Text | Content::Npy);
    check_content(path, is_of_results, ".npy, .txt, .tsv, or .txt.gz, .txt.zst")
}

/// Fails if the name of the file does not say how to write lines of text.
pub fn check_lines_name(path: &Path) -> Result<(), Failure> {
    check_content(path, |content| content == Content::Text, ".txt, .tsv, or .txt.gz, .txt.zst")
}

/// Fails if the name of the file does not say in which form to write a graph.
pub fn check_graph_name(path: &Path) -> Result<(), Failure> {
    check_content(path, Content::is_of_graphs, GRAPH_ENDINGS)
}

/// Fails if a file of this name has weights and the graph will not, or the other way round: before the graph is made.
pub fn check_weights(path: &Path, are_weighted: bool, pool: &Pool) -> Result<(), Failure> {
    if output::is_standard(path) {
        return Ok(());
    }
    pool.run(|_| {
        // Undirected, since all formats have such graphs.
        let none: Csr = Csr::builder(0).symmetrize(true).build(Vec::new()).map_err(Failure::usage)?;
        let checked =
            if are_weighted { check_graph(path, &none.with_weights(|_, _| 1.0)) } else { check_graph(path, &none) };
        checked.map_err(Failure::usage)
    })
}

fn check_content(path: &Path, is_allowed: fn(Content) -> bool, endings: &str) -> Result<(), Failure> {
    if output::is_standard(path) || Format::of_name(path).is_some_and(|format| is_allowed(format.content)) {
        return Ok(());
    }
    Err(Failure::Usage(format!("cannot write {}: expected a file name ending in {endings}", path.display())))
}

/// Writes a line for each vertex: the vertex and its results, by name or by the user's number. If the name of the file
/// ends in `.npy`, writes an array of the first column alone, with vertices numbered from 0.
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
                written.expect("writing into memory does not fail");
                buffer.push(b'\n');
            };
            lines(path, count, line, on_progress)
        })
    })
}

/// Writes a line for each vertex: the vertex and its distance, `inf` if it is not reached. If the name of the file ends
/// in `.npy`, writes an array of the distances.
pub fn distances(path: &Path, loaded: &Loaded<WeightedCsr>, distances: &[f64], pool: &Pool) -> Result<(), Failure> {
    let is_array = Format::of_name(path).is_some_and(|format| format.content == Content::Npy);
    let line = |v: usize, buffer: &mut Vec<u8>| {
        write!(buffer, "{}\t", loaded.names.of(v as u32)).expect("writing into memory does not fail");
        distances[v].push_text(buffer);
        buffer.push(b'\n');
    };
    whole(path, |on_progress| {
        pool.run(|_| match is_array {
            true => write_values(path, distances, on_progress),
            false => lines(path, distances.len(), line, on_progress),
        })
    })
}

/// Writes a line for each vertex: its name.
pub fn names<W: Weight>(path: &Path, loaded: &Loaded<Csr<u32, W>>, pool: &Pool) -> Result<(), Failure> {
    let line = |v: usize, buffer: &mut Vec<u8>| {
        writeln!(buffer, "{}", loaded.names.of(v as u32)).expect("writing into memory does not fail");
    };
    whole(path, |on_progress| pool.run(|_| lines(path, loaded.graph.num_vertices(), line, on_progress)))
}

/// Writes a line for each edge: the names of its ends, and its weight.
pub fn weighted_edges(
    path: &Path,
    loaded: &Loaded<WeightedCsr>,
    edges: &[(u32, u32, f32)],
    pool: &Pool,
) -> Result<(), Failure> {
    let line = |edge: usize, buffer: &mut Vec<u8>| {
        let (u, v, weight) = edges[edge];
        let written = write!(buffer, "{}\t{}\t", loaded.names.of(u), loaded.names.of(v));
        written.expect("writing into memory does not fail");
        weight.push_text(buffer);
        buffer.push(b'\n');
    };
    whole(path, |on_progress| pool.run(|_| lines(path, edges.len(), line, on_progress)))
}

/// Writes lines of text to a file, or to standard output.
pub fn lines(
    path: &Path,
    count: usize,
    line: impl Fn(usize, &mut Vec<u8>) + Send + Sync,
    on_progress: OnProgress<'_>,
) -> Result<(), WriteError> {
    if output::is_standard(path) {
        let written = write_lines_to(&mut io::stdout(), count, line, on_progress);
        return written.map_err(|source| WriteError::Io { path: path.to_owned(), source });
    }
    write_lines(path, count, line, on_progress)
}

/// A callback between pieces of a file, which says whether to continue.
pub type OnProgress<'a> = &'a mut (dyn FnMut(Progress) -> ControlFlow<()> + Send);

/// Writes a file completely or not at all, or to standard output, and shows a bar. Ctrl-C ends the command soon, after
/// the partial file has been removed.
pub fn whole(path: &Path, write: impl FnOnce(OnProgress<'_>) -> Result<(), WriteError>) -> Result<(), Failure> {
    let stage = Stage::begin("writing", &output::shown(path).to_string(), Unit::Bytes);
    let mut on_progress = |Progress { bytes, total, .. }: Progress| {
        stage.at(bytes, total);
        if interrupt::came() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let written = interrupt::deferred(|| {
        let written = write(&mut on_progress);
        // Ctrl-C may end the command after this, and the bar must be gone by then.
        stage.clear();
        written
    });
    written.map_err(|error| match error {
        WriteError::Io { source, .. } if output::is_standard(path) => Failure::Output(source),
        error => Failure::usage(error),
    })
}

/// Whether the last vertex has no edge. Then it is lost in an edge list, which does not store the number of vertices.
fn ends_without_edges<W: Weight>(graph: &Csr<u32, W>) -> bool {
    let last = (graph.num_vertices() as u32).checked_sub(1);
    last.is_some_and(|last| graph.row(last).is_empty() && graph.in_row(last).is_empty())
}

/// Writes a graph, and shows how long that took. To standard output, as an edge list.
pub fn graph<W: FileWeight>(path: &Path, graph: &Csr<u32, W>, pool: &Pool, out: &mut dyn Write) -> Result<(), Failure> {
    let begun = Instant::now();
    whole(path, |on_progress| {
        pool.run(|_| {
            if output::is_standard(path) {
                let written = write_edge_list_to(&mut io::stdout(), graph, on_progress);
                return written.map_err(|source| WriteError::Io { path: path.to_owned(), source });
            }
            write_graph(path, graph, on_progress)
        })
    })?;
    let time = begun.elapsed().as_secs_f64();
    // Standard output has no name.
    let is_list = |format: Format| matches!(format.content, Content::Text | Content::WeightedText);
    if Format::of_name(path).is_none_or(is_list) && ends_without_edges(graph) {
        let option = format!("--vertices {}, because the last vertex has no edges", graph.num_vertices());
        report::line(out, "to read it", &option)?;
    }
    if output::is_standard(path) {
        let rate = report::time_and_rate(time, graph.num_edges(), "edges");
        return Ok(report::line(out, "written in", &format!("{rate}, as an edge list: standard output"))?);
    }
    let bytes = fs::metadata(path).map_or(0, |written| written.len());
    let rate = report::time_and_rate(time, bytes as usize, report::BYTES);
    Ok(report::line(out, "written in", &format!("{rate}: {}", path.display()))?)
}
