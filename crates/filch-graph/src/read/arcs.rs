//! From the records of a file to a graph.

use std::path::Path;

use super::error::ReadError;
use super::fault::{LineFault, RowFault};
use super::ligra::{self, Arc, Ligra};
use super::matrix_market::MatrixMarket;
use super::metis::Metis;
use super::options::ReadOptions;
use super::records::{Dialect, Records};
use super::sg::balance;
use super::weighted_list::WeightedList;
use crate::build::{BuildError, Edge, Flipped, Parts, Rules, rows_of};
use crate::csr::{Csr, Rows};
use crate::graph::Graph;
use crate::vertex::Vertex;
use crate::watch::Watch;
use crate::weight::Weight;

/// How the arcs of a file make a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Each edge is listed once, in either direction.
    Edges,
    /// Each arc is listed. The graph is symmetric if the arcs are; otherwise the options say what it is.
    Arcs,
    /// Both arcs of each edge are listed.
    BothWays,
}

/// The arcs of a file, each of which is an `E`.
pub(super) struct Arcs<E> {
    pub(super) num_vertices: usize,
    pub(super) parts: Vec<Vec<E>>,
    pub(super) meaning: Meaning,
    pub(super) num_lines: u64,
    pub(super) num_bytes: u64,
}

impl<E> Arcs<E> {
    pub(super) fn num_edges(&self) -> u64 {
        self.parts.iter().map(|part| part.len() as u64).sum()
    }
}

/// Up to this number of vertices is accepted for any number of edges: the offsets of their rows take 16 MiB, and there
/// are at most three of these arrays at a time, so a file of a few bytes never takes more than 64 MiB.
///
/// A fuzzer, which makes up large numbers all the time, would be busy with isolated vertices alone (fuzz/).
pub(super) const FEW_VERTICES: u64 = if cfg!(fuzzing) { 1 << 10 } else { 1 << 21 };

/// Beyond [`FEW_VERTICES`], more vertices per edge than this are reported as an error.
pub(super) const MOST_VERTICES_PER_EDGE: u64 = 64;

/// Whether so many vertices are more likely a fault than a graph.
pub(super) fn is_far(num_vertices: u64, num_edges: u64) -> bool {
    num_vertices > FEW_VERTICES.max(num_edges.saturating_mul(MOST_VERTICES_PER_EDGE))
}

/// Fails if a header declares more vertices than the type can number, or far more than there are edges, unless the
/// options declare the same.
fn checked<V: Vertex, D: Dialect>(
    records: &Records<D>,
    declared: u64,
    options: &ReadOptions,
    path: &Path,
) -> Result<usize, ReadError> {
    if declared > V::MAX_COUNT as u64 {
        return Err(ReadError::TooManyVertices { path: path.to_owned(), num_vertices: declared, most: V::MAX_COUNT });
    }
    if let Some(expected) = options.num_vertices.filter(|&expected| expected as u64 != declared) {
        let fault = LineFault::Expected {
            expected: format!("{expected} vertices, as the options say"),
            found: format!("{declared} in the header"),
        };
        return Err(records.of_header(fault, path));
    }
    if options.num_vertices.is_none() && is_far(declared, records.num_records) {
        let (num_vertices, num_edges) = (declared, records.num_records);
        return Err(records.of_header(LineFault::FarHeader { num_vertices, num_edges }, path));
    }
    Ok(declared as usize)
}

/// The arcs of a file whose records are arcs: their meaning, and the number of vertices that the header declares.
pub(super) fn plain<V: Vertex, W: Weight, D: Dialect<Item = (V, V, W)>>(
    records: Records<D>,
    declared: u64,
    meaning: Meaning,
    options: &ReadOptions,
    path: &Path,
) -> Result<Arcs<Arc<V, W>>, ReadError> {
    let num_vertices = checked::<V, D>(&records, declared, options, path)?;
    let Records { parts, num_lines, num_bytes, .. } = records;
    Ok(Arcs { num_vertices, parts, meaning, num_lines, num_bytes })
}

pub(super) fn of_matrix<V: Vertex, W: Weight>(
    records: Records<MatrixMarket<V, W>>,
    options: &ReadOptions,
    path: &Path,
) -> Result<Arcs<Arc<V, W>>, ReadError> {
    let meaning = if records.dialect.is_symmetric() { Meaning::Edges } else { Meaning::Arcs };
    let declared = records.dialect.num_vertices;
    plain(records, declared, meaning, options, path)
}

pub(super) fn of_metis<V: Vertex, W: Weight>(
    records: Records<Metis<V, W>>,
    options: &ReadOptions,
    path: &Path,
) -> Result<Arcs<Arc<V, W>>, ReadError> {
    let (header, found) = (records.dialect.header, records.num_items);
    if found != 2 * header.num_edges {
        let expected = format!("{} neighbors, two for each edge of the header", 2 * header.num_edges);
        return Err(records.of_header(LineFault::Expected { expected, found: found.to_string() }, path));
    }
    let loops = records.parts.iter().find_map(|part| part.iter().find(|(u, v, _)| u == v));
    if let Some((vertex, ..)) = loops {
        let vertex = vertex.index() as u64 + 1;
        return Err(ReadError::Row { path: path.to_owned(), vertex, fault: RowFault::SelfLoop });
    }
    plain(records, header.num_vertices, Meaning::BothWays, options, path)
}

pub(super) fn of_list<V: Vertex, W: Weight>(
    records: Records<WeightedList<V, W>>,
    options: &ReadOptions,
    path: &Path,
) -> Result<Arcs<Arc<V, W>>, ReadError> {
    if records.num_records == 0 && options.num_vertices.is_none() {
        return Err(ReadError::NoEdges { path: path.to_owned() });
    }
    let highest = filch::map_reduce(&records.parts, || 0, |_, part| highest(part), usize::max);
    let num_vertices = options.num_vertices.unwrap_or(highest + 1);
    if options.num_vertices.is_none() && is_far(num_vertices as u64, records.num_records) {
        let highest = highest as u64 + options.first_vertex.number();
        return Err(ReadError::FarVertex { path: path.to_owned(), highest, num_edges: records.num_records });
    }
    let Records { parts, num_lines, num_bytes, .. } = records;
    Ok(Arcs { num_vertices, parts, meaning: Meaning::Arcs, num_lines, num_bytes })
}

fn highest<V: Vertex, W>(edges: &[(V, V, W)]) -> usize {
    edges.iter().map(|(u, v, _)| u.index().max(v.index())).max().unwrap_or(0)
}

pub(super) fn of_ligra<V: Vertex, W: Weight>(
    records: &Records<Ligra<W>>,
    options: &ReadOptions,
    path: &Path,
) -> Result<Arcs<Arc<V, W>>, ReadError> {
    let num_vertices = checked::<V, Ligra<W>>(records, records.dialect.num_vertices(), options, path)?;
    let parts = ligra::arcs(records, path)?;
    let Records { num_lines, num_bytes, .. } = *records;
    Ok(Arcs { num_vertices, parts, meaning: Meaning::Arcs, num_lines, num_bytes })
}

/// Which arcs the options leave out.
fn rules(options: &ReadOptions) -> Rules {
    Rules { remove_duplicates: options.remove_duplicates, remove_self_loops: options.remove_self_loops }
}

/// Builds the graph.
pub(super) fn build<V: Vertex, W: Weight, E: Edge<V, W>>(
    arcs: Arcs<E>,
    options: &ReadOptions,
    path: &Path,
    watch: &dyn Watch,
) -> Result<Csr<V, W>, ReadError> {
    let num_edges = arcs.num_edges();
    let Arcs { num_vertices: n, parts, meaning, .. } = arcs;
    // Without duplicates, an edge is the same whether one of its arcs is listed or both are.
    let both_ways = match meaning {
        Meaning::Edges => true,
        Meaning::Arcs => !options.directed && (options.remove_duplicates || !may_be_symmetric(&parts)),
        Meaning::BothWays => false,
    };
    // Which arcs come in pairs must be seen before some of them are left out.
    let rules = if meaning == Meaning::BothWays { Rules::ALL } else { rules(options) };
    let source = Parts::new(parts);
    let out = rows_of(n, &source, both_ways, rules, watch).map_err(|error| match error {
        BuildError::OutOfMemory { .. } => {
            ReadError::NoMemory { path: path.to_owned(), num_vertices: n as u64, num_edges }
        }
        source => ReadError::Build { path: path.to_owned(), source },
    })?;
    drop(source);
    if both_ways {
        return Ok(Csr::from_rows(out, None));
    }
    directions(out, meaning, options, path, watch)
}

/// False if an arc has no reverse, or not as often, or with another weight. True if not, and else with a probability of
/// about 2^-64, since sums of hashes are compared.
fn may_be_symmetric<V: Vertex, W: Weight, E: Edge<V, W>>(parts: &[Vec<E>]) -> bool {
    /// The number of arcs that a worker adds up at a time.
    const BLOCK: usize = 1 << 14;
    let sum = |arcs: &[E]| {
        arcs.iter().fold(0, |sum: u64, arc| {
            let (u, v, weight) = arc.split();
            sum.wrapping_add(balance(u.index() as u64, v.index() as u64, weight))
        })
    };
    let sums = parts
        .iter()
        .map(|part| filch::map_reduce(filch::chunks(part, BLOCK), || 0, |_, arcs| sum(arcs), u64::wrapping_add));
    sums.fold(0, u64::wrapping_add) == 0
}

/// Makes the graph that the options want of one that was read as it is.
pub(super) fn of_graph<V: Vertex, W: Weight>(
    graph: Csr<V, W>,
    options: &ReadOptions,
    path: &Path,
    watch: &dyn Watch,
) -> Result<Csr<V, W>, ReadError> {
    let (num_vertices, num_edges) = (graph.num_vertices() as u64, graph.num_arcs() as u64);
    let graph = graph.by_rules(rules(options), watch).map_err(|error| match error {
        BuildError::OutOfMemory { .. } => ReadError::NoMemory { path: path.to_owned(), num_vertices, num_edges },
        source => ReadError::Build { path: path.to_owned(), source },
    })?;
    match graph.into_rows() {
        (out, None) => Ok(Csr::from_rows(out, None)),
        (out, Some(into)) => of_rows(out, into, options, path, watch),
    }
}

fn failed<V: Vertex, W: Weight>(error: BuildError, rows: &Rows<V, W>, path: &Path) -> ReadError {
    let (num_vertices, num_edges) = (rows.num_vertices() as u64, rows.targets.len() as u64);
    match error {
        BuildError::OutOfMemory { .. } => ReadError::NoMemory { path: path.to_owned(), num_vertices, num_edges },
        source => ReadError::Build { path: path.to_owned(), source },
    }
}

/// The graph, directed or not, of rows of arcs.
pub(super) fn directions<V: Vertex, W: Weight>(
    out: Rows<V, W>,
    meaning: Meaning,
    options: &ReadOptions,
    path: &Path,
    watch: &dyn Watch,
) -> Result<Csr<V, W>, ReadError> {
    let n = out.num_vertices();
    let into = rows_of(n, &Flipped::new(&out), false, Rules::ALL, watch).map_err(|error| failed(error, &out, path))?;
    if meaning != Meaning::BothWays {
        return of_rows(out, into, options, path, watch);
    }
    if into == out {
        drop(into);
        return of_graph(Csr::from_rows(out, None), options, path, watch);
    }
    let (vertex, neighbor) = one_way(&out, &into);
    let fault = RowFault::OneWay { neighbor: neighbor as u64 + 1 };
    Err(ReadError::Row { path: path.to_owned(), vertex: vertex as u64 + 1, fault })
}

/// The graph, directed or not, of rows of arcs by their sources and by their targets, which ascend.
fn of_rows<V: Vertex, W: Weight>(
    out: Rows<V, W>,
    into: Rows<V, W>,
    options: &ReadOptions,
    path: &Path,
    watch: &dyn Watch,
) -> Result<Csr<V, W>, ReadError> {
    if into == out {
        return Ok(Csr::from_rows(out, None));
    }
    if options.directed {
        return Ok(Csr::from_rows(out, Some(into)));
    }
    drop(into);
    let rows = rows_of(out.num_vertices(), &Flipped::new(&out), true, rules(options), watch);
    Ok(Csr::from_rows(rows.map_err(|error| failed(error, &out, path))?, None))
}

/// The first vertex whose row in `out` differs from that in `into`, and a neighbor by which they differ.
fn one_way<V: Vertex, W: Weight>(out: &Rows<V, W>, into: &Rows<V, W>) -> (usize, usize) {
    let row = |rows: &Rows<V, W>, v: usize| -> Vec<(V, W)> {
        let range = rows.offsets[v]..rows.offsets[v + 1];
        rows.targets[range.clone()].iter().copied().zip(rows.weights[range].iter().copied()).collect()
    };
    for v in 0..out.num_vertices() {
        let (out, into) = (row(out, v), row(into, v));
        if let Some(place) = (0..out.len().max(into.len())).find(|&place| out.get(place) != into.get(place)) {
            // The lower of the two is missing in the other row.
            let differing = [out.get(place), into.get(place)].into_iter().flatten().map(|arc| arc.0).min();
            return (v, differing.map_or(0, V::index));
        }
    }
    (0, 0)
}
