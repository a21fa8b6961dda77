//! Graphs: read, checked, written, and read again.

use crate::memory::limited;
use filch_graph::{Csr, Graph};
use filch_graph_io::FileWeight;
use filch_graph_io::read::{Kept, Loaded, Progress, ReadError, ReadOptions, read_graph, read_kept};
use filch_graph_io::write::{WriteError, check_graph, write_graph};
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// Files that live as long as the process, in memory if the system has such a folder.
static FOLDER: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
    let memory = Path::new("/dev/shm");
    let made = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    made.expect("a folder for files")
});

/// The code under test is parallel whatever the number of workers; with one, runs are the same every time.
static POOL: LazyLock<filch::Pool> =
    LazyLock::new(|| filch::Pool::builder().workers(1).build().expect("a pool of one worker"));

/// Writes a file.
pub(crate) fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = FOLDER.path().join(name);
    std::fs::write(&path, bytes).expect("a file can be written");
    path
}

/// Reading stops after as many reports, so that a few bytes that decompress to gigabytes are no hang.
const MOST_REPORTS: usize = 1 << 12;

fn patience() -> impl FnMut(Progress) -> ControlFlow<()> {
    let mut reports = 0;
    move |_| {
        reports += 1;
        if reports < MOST_REPORTS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

fn kept(path: &Path, options: &ReadOptions) -> Result<Loaded<Kept>, ReadError> {
    POOL.run(|_| read_kept(path, options, &mut patience(), &()))
}

fn directed(directed: bool) -> ReadOptions {
    ReadOptions { directed, ..ReadOptions::default() }
}

/// Reads a file of this name as an undirected graph, as a directed one and without weights.
///
/// # Panics
///
/// Panics if a property of the readers does not hold.
pub fn graph(name: &str, bytes: &[u8]) {
    let path = file(name, bytes);
    let [one, other] = [false, true].map(|is| limited(bytes.len(), || kept(&path, &directed(is))));
    let plain = limited(bytes.len(), || POOL.run(|_| read_graph::<u32>(&path, &directed(true), &mut patience())));
    assert_eq!(one.is_ok(), other.is_ok(), "whether it is a graph does not depend on the direction of arcs");
    for error in [&one, &other].into_iter().filter_map(|read| read.as_ref().err()) {
        let message = error.to_string();
        assert!(message.contains(name), "the file is missing in: {message}");
    }
    for loaded in [one, other].into_iter().flatten() {
        round(name, &loaded.graph);
    }
    if let Ok(loaded) = plain {
        valid(&loaded.graph);
    }
}

/// Reads a serialized graph without checking its arcs against each other, too.
///
/// # Panics
///
/// Panics if a property of the readers does not hold.
pub fn serialized(name: &str, bytes: &[u8]) {
    graph(name, bytes);
    let options = ReadOptions { trusted: true, ..ReadOptions::default() };
    let trusted = limited(bytes.len(), || kept(&file(name, bytes), &options));
    if let Ok(loaded) = trusted {
        match &loaded.graph {
            Kept::Plain(graph) => valid(graph),
            Kept::Weighted(graph) => valid(graph),
        }
    }
}

/// Reads a BvGraph, whose properties and rows are separated by the first byte 0.
///
/// # Panics
///
/// Panics if a property of the readers does not hold.
pub fn bv_graph(bytes: &[u8]) {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    let (properties, rows) = (&bytes[..end], bytes.get(end + 1..).unwrap_or_default());
    file("web.properties", properties);
    let path = file("web.graph", rows);
    // A few bytes can stand for many arcs. That is no fault, but takes memory.
    let declared = String::from_utf8_lossy(properties);
    let arcs = declared.lines().filter_map(|line| line.trim().strip_prefix("arcs")).map(digits).max();
    if arcs.is_some_and(|arcs| arcs > MOST_ARCS) {
        return;
    }
    let [one, other] = [false, true].map(|is| limited(bytes.len(), || kept(&path, &directed(is))));
    assert_eq!(one.is_ok(), other.is_ok(), "whether it is a graph does not depend on the direction of arcs");
    for loaded in [one, other].into_iter().flatten() {
        round("web.adj", &loaded.graph);
    }
}

const MOST_ARCS: u64 = 1 << 16;

/// The number that all digits of a text are.
fn digits(text: &str) -> u64 {
    let digits = text.chars().filter_map(|letter| letter.to_digit(10));
    digits.fold(0, |number: u64, digit| number.saturating_mul(10).saturating_add(u64::from(digit)))
}

/// Reads bytes as they are, which may be a compressed file, and once more compressed: text is the same graph.
///
/// # Panics
///
/// Panics if a property of the readers does not hold.
pub fn compressed(bytes: &[u8]) {
    let plain = kept(&file("graph", bytes), &directed(false));
    if bytes.is_empty() || matches!(bytes, [0x1f, 0x8b, ..] | [0x28, 0xb5, 0x2f, 0xfd, ..] | [_, 0x2a, 0x4d, 0x18, ..])
    {
        return;
    }
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("memory takes all");
    let zipped = kept(&file("graph.gz", &encoder.finish().expect("memory takes all")), &directed(false));
    match (plain, zipped) {
        (Ok(plain), Ok(zipped)) => assert!(plain.graph == zipped.graph, "another graph once it is compressed"),
        (Err(_), Err(_)) => {}
        // A serialized graph cannot be compressed.
        (Ok(_), Err(error)) => assert!(matches!(bytes, [0 | 1, ..]), "only compressed: {error}"),
        (Err(error), Ok(_)) => panic!("not compressed: {error}"),
    }
}

/// Every arc leads to a vertex, is counted once, and has its reverse or is found by its target.
fn valid<W: FileWeight>(graph: &Csr<u32, W>) {
    let n = graph.num_vertices() as u32;
    let arcs = (0..n).flat_map(|v| graph.row(v).iter().copied());
    assert_eq!(arcs.map(|u| usize::from(u < n)).sum::<usize>(), graph.num_arcs(), "arcs of all rows");
    let into = (0..n).flat_map(|v| graph.in_row(v).iter().copied());
    assert_eq!(into.map(|u| usize::from(u < n)).sum::<usize>(), graph.num_arcs(), "arcs by target");
}

/// The graph comes back from a file of the same name, if the format has such graphs.
fn round(name: &str, graph: &Kept) {
    let path = FOLDER.path().join(format!("again.{name}"));
    let options = match graph {
        Kept::Plain(graph) => written(&path, graph),
        Kept::Weighted(graph) => written(&path, graph),
    };
    if let Some(options) = options {
        let again = POOL.run(|_| read_kept::<u32>(&path, &options, &mut |_| ControlFlow::Continue(()), &()));
        let again = again.expect("what was written can be read").graph;
        let is_same = match (graph, &again) {
            (Kept::Plain(graph), Kept::Plain(again)) => same(graph, again),
            (Kept::Weighted(graph), Kept::Weighted(again)) => same(graph, again),
            _ => false,
        };
        assert!(is_same, "another graph after it was written");
    }
}

/// A serialized graph may be directed although each arc has its reverse, if its rows are in no order. From another
/// format, it comes back as a symmetric one.
fn same<W: FileWeight>(graph: &Csr<u32, W>, again: &Csr<u32, W>) -> bool {
    let n = graph.num_vertices() as u32;
    let becomes_symmetric = !graph.is_symmetric() && again.is_symmetric() && again.num_vertices() == n as usize;
    let has_same_rows = || (0..n).all(|v| graph.row(v) == again.row(v) && graph.weights(v) == again.weights(v));
    graph == again || becomes_symmetric && has_same_rows()
}

/// Writes a graph, and says how to read it. `None` if the format does not have such graphs.
fn written<W: FileWeight>(path: &Path, graph: &Csr<u32, W>) -> Option<ReadOptions> {
    valid(graph);
    if let Err(error) = POOL.run(|_| check_graph(path, graph)) {
        let is_known = matches!(error, WriteError::Unsupported { .. } | WriteError::SelfLoop { .. });
        assert!(is_known, "{error}");
        return None;
    }
    POOL.run(|_| write_graph(path, graph, &mut |_| ControlFlow::Continue(()))).expect("the format has such graphs");
    Some(ReadOptions { num_vertices: Some(graph.num_vertices()), ..directed(!graph.is_symmetric()) })
}
