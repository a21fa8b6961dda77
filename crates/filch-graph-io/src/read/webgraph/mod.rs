//! BvGraphs of the WebGraph framework: rows that are compressed by what they have in common with earlier ones (Boldi
//! and Vigna 2004, "The WebGraph framework I: compression techniques").
//!
//! `NAME.graph` has the rows, and `NAME.properties` the numbers of vertices and arcs and the codes. Other files, such
//! as `NAME.offsets`, are for access to single rows and are not read. `docs/decisions.md` says why the crate `webgraph`
//! is not used.

// Modules, from the bottom up: `bits`, `properties`, `rows`. May import: what the other formats share.

mod bits;
mod properties;
mod rows;

use crate::weight::FileWeight;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use filch_text::{MappedFile, OnProgress, Progress, report};

use super::arcs::is_far;
use super::error::{BadLine, ReadError};
use super::fault::{BvFault, LineFault};
use super::options::ReadOptions;
use filch_graph::{Rows, Vertex};
use properties::Properties;
use rows::{Decoder, Failure};

/// The files of a BvGraph.
#[derive(Debug)]
pub(super) struct Files {
    /// The rows.
    pub(super) graph: PathBuf,
    properties: PathBuf,
    /// What the properties are.
    text: String,
}

/// Progress is reported when as many rows have been decoded.
const REPORTED: u64 = 1 << 16;

/// The files of a BvGraph, if `path` is one of the two.
pub(super) fn files(path: &Path) -> Result<Option<Files>, ReadError> {
    let ending = path.extension().and_then(|ending| ending.to_str());
    let is_properties = ending == Some("properties");
    if !is_properties && ending != Some("graph") {
        return Ok(None);
    }
    let [graph, properties] = ["graph", "properties"].map(|ending| path.with_extension(ending));
    // METIS has files of this name, too, but none beside them.
    if !properties.is_file() {
        return Ok(None);
    }
    let mut text = String::new();
    let mut file = File::open(&properties).map_err(|error| ReadError::io(&properties, error))?.take(MOST_BYTES + 1);
    let is_text = file.read_to_string(&mut text).is_ok() && text.len() as u64 <= MOST_BYTES;
    if !is_text && is_properties {
        return Err(bv(&properties, BvFault::NoProperties));
    }
    if !is_text || !properties::is_of_graph(&text) {
        return if is_properties { Err(bv(&properties, BvFault::NoClass)) } else { Ok(None) };
    }
    if !graph.exists() {
        return Err(bv(&properties, BvFault::Missing { missing: graph }));
    }
    Ok(Some(Files { graph, properties, text }))
}

/// The longest properties, in bytes. Usual ones have less than one thousand.
const MOST_BYTES: u64 = 1 << 16;

/// The error for a file that looks like the rows of a BvGraph, but has no properties beside it, or other ones.
pub(super) fn without_properties(path: &Path) -> ReadError {
    let properties = path.with_extension("properties");
    if properties.is_file() {
        return bv(&properties, BvFault::NoClass);
    }
    bv(path, BvFault::Missing { missing: properties })
}

fn bv(path: &Path, fault: BvFault) -> ReadError {
    ReadError::Bv { path: path.to_owned(), fault }
}

/// Decodes all rows, one after the other.
///
/// Work and span: linear in the size of the file and the number of arcs. Memory: the rows. The number of vertices is
/// bounded by the length of the file; that of arcs is not, because a few bytes can stand for a long row.
pub(super) fn read_rows<V: Vertex, W: FileWeight>(
    files: &Files,
    file: &MappedFile,
    options: &ReadOptions,
    on_progress: &mut OnProgress<'_>,
) -> Result<Rows<V, W>, ReadError> {
    let properties = Properties::of(&files.text, &files.properties)?;
    let num_vertices = checked::<V>(&properties, files, options)?;
    let path = &files.graph;
    let window = file.window(0, usize::MAX).map_err(|error| ReadError::io(path, error))?;
    let bytes = window.bytes();
    let len = bytes.len() as u64;
    // Whatever the code, a degree takes a bit or more.
    if num_vertices > 8 * len {
        let properties = files.properties.clone();
        return Err(bv(path, BvFault::Short { len, num_vertices, properties }));
    }
    let failed = |vertex, failure, num_edges| match failure {
        Failure::Row(fault) => ReadError::Row { path: path.clone(), vertex, fault },
        Failure::NoMemory => ReadError::NoMemory { path: path.clone(), num_vertices, num_edges },
    };
    let mut decoder = Decoder::<V>::new(bytes, &properties).map_err(|failure| failed(0, failure, 0))?;
    let mut begin = 0;
    while begin < num_vertices {
        let end = num_vertices.min(begin + REPORTED);
        for vertex in begin..end {
            let num_arcs = decoder.targets.len() as u64;
            decoder.row(vertex).map_err(|failure| failed(vertex, failure, num_arcs))?;
        }
        let (bytes, items) = (decoder.num_bytes(), decoder.targets.len() as u64);
        report(Progress::new(bytes, Some(len), items), path, on_progress)?;
        begin = end;
    }
    let Decoder { offsets, targets, .. } = decoder;
    let (found, declared) = (targets.len() as u64, properties.num_arcs);
    if found != declared {
        return Err(bv(path, BvFault::Arcs { found, declared, properties: files.properties.clone() }));
    }
    file.check_unchanged()?;
    let mut weights = Vec::new();
    let no_memory = |_| failed(0, Failure::NoMemory, found);
    weights.try_reserve_exact(targets.len()).map_err(no_memory)?;
    weights.resize(targets.len(), W::of(1.0));
    Ok(Rows::new(offsets, targets, weights).expect("every row has been checked"))
}

/// The number of vertices, if the type can number them, the options say the same, and they are not far more than arcs.
fn checked<V: Vertex>(properties: &Properties, files: &Files, options: &ReadOptions) -> Result<u64, ReadError> {
    let Properties { num_vertices, vertices_line, num_arcs, .. } = *properties;
    if num_vertices > V::MAX_COUNT as u64 {
        let path = files.properties.clone();
        return Err(ReadError::TooManyVertices { path, num_vertices, most: V::MAX_COUNT });
    }
    let fault = match options.num_vertices {
        Some(expected) if expected as u64 != num_vertices => LineFault::Expected {
            expected: format!("{expected} vertices, as the options say"),
            found: format!("nodes={num_vertices}"),
        },
        None if is_far(num_vertices, num_arcs) => LineFault::FarHeader { num_vertices, num_edges: num_arcs },
        _ => return Ok(num_vertices),
    };
    Err(BadLine { line: vertices_line, column: 1, fault }.of(&files.properties))
}
