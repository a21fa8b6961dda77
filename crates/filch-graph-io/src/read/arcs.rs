//! From the records of a file to a graph.

use crate::weight::FileWeight;
use std::path::Path;

use super::error::ReadError;
use super::fault::{LineFault, RowFault};
use super::ligra::{self, Arc, Ligra};
use super::matrix_market::MatrixMarket;
use super::metis::Metis;
use super::options::ReadOptions;
use super::records::{Dialect, Records};
use super::sg::balance;
use filch_graph::{BuildError, Csr, CsrBuilder, Edge, Graph, Rules, Vertex, Watch};

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

/// Whether so many vertices are more likely a fault in a file than a graph: see [`ReadError::FarVertex`].
pub fn is_far(num_vertices: u64, num_edges: u64) -> bool {
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
pub(super) fn plain<V: Vertex, W: FileWeight, D: Dialect<Item = (V, V, W)>>(
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

pub(super) fn of_matrix<V: Vertex, W: FileWeight>(
    records: Records<MatrixMarket<V, W>>,
    options: &ReadOptions,
    path: &Path,
) -> Result<Arcs<Arc<V, W>>, ReadError> {
    let meaning = if records.dialect.is_symmetric() { Meaning::Edges } else { Meaning::Arcs };
    let declared = records.dialect.num_vertices;
    plain(records, declared, meaning, options, path)
}

pub(super) fn of_metis<V: Vertex, W: FileWeight>(
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

/// The arcs of an edge list. Fails if its highest vertex is far beyond its edges, unless the options confirm it: this
/// protects from allocating gigabytes because of a typing error.
pub(super) fn of_list<D: Dialect>(
    records: Records<D>,
    options: &ReadOptions,
    path: &Path,
) -> Result<Arcs<D::Item>, ReadError> {
    let (num_vertices, num_edges) = (records.num_vertices(options, path)?, records.num_records);
    if options.num_vertices.is_none() && is_far(num_vertices as u64, num_edges) {
        let highest = num_vertices as u64 - 1 + options.first_vertex.number();
        return Err(ReadError::FarVertex { path: path.to_owned(), highest, num_edges });
    }
    let Records { parts, num_lines, num_bytes, .. } = records;
    Ok(Arcs { num_vertices, parts, meaning: Meaning::Arcs, num_lines, num_bytes })
}

pub(super) fn of_ligra<V: Vertex, W: FileWeight>(
    records: &Records<Ligra<W>>,
    options: &ReadOptions,
    path: &Path,
) -> Result<Arcs<Arc<V, W>>, ReadError> {
    let num_vertices = checked::<V, Ligra<W>>(records, records.dialect.num_vertices(), options, path)?;
    let parts = ligra::arcs(records, path)?;
    let Records { num_lines, num_bytes, .. } = *records;
    Ok(Arcs { num_vertices, parts, meaning: Meaning::Arcs, num_lines, num_bytes })
}

/// Builds the graph.
pub(super) fn build<E: Edge<Weight: FileWeight>>(
    arcs: Arcs<E>,
    options: &ReadOptions,
    path: &Path,
    watch: &dyn Watch,
) -> Result<Csr<E::Vertex, E::Weight>, ReadError> {
    let num_edges = arcs.num_edges();
    let Arcs { num_vertices: n, parts, meaning, .. } = arcs;
    // Without duplicates, an edge is the same whether one of its arcs is listed or both are.
    let both_ways = match meaning {
        Meaning::Edges => true,
        Meaning::Arcs => !options.directed && (options.remove_duplicates || !may_be_symmetric(&parts)),
        Meaning::BothWays => false,
    };
    let mut builder = CsrBuilder::new(n).symmetrize(both_ways);
    // Which arcs come in pairs must be seen before some of them are left out.
    if meaning != Meaning::BothWays {
        builder = builder.remove_duplicates(options.remove_duplicates).remove_self_loops(options.remove_self_loops);
    }
    let graph = builder.build_watched(parts, watch).map_err(|error| failed(error, n, num_edges, path))?;
    if meaning != Meaning::BothWays {
        return directed_or_not(graph, options, path, watch);
    }
    let graph = paired(graph);
    if !graph.is_symmetric() {
        let (vertex, neighbor) = one_way(&graph);
        let fault = RowFault::OneWay { neighbor: neighbor as u64 + 1 };
        return Err(ReadError::Row { path: path.to_owned(), vertex: vertex as u64 + 1, fault });
    }
    of_graph(graph, options, path, watch)
}

/// False if an arc has no reverse, or not as often, or with another weight. True if not, and else with a probability of
/// about 2^-64, since sums of hashes are compared.
fn may_be_symmetric<E: Edge<Weight: FileWeight>>(parts: &[Vec<E>]) -> bool {
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
pub(super) fn of_graph<V: Vertex, W: FileWeight>(
    graph: Csr<V, W>,
    options: &ReadOptions,
    path: &Path,
    watch: &dyn Watch,
) -> Result<Csr<V, W>, ReadError> {
    directed_or_not(by_rules(graph, false, options, path, watch)?, options, path, watch)
}

/// The graph that the options want of one whose arcs they have chosen: if it is not symmetric, each arc is an edge or
/// it is directed.
fn directed_or_not<V: Vertex, W: FileWeight>(
    graph: Csr<V, W>,
    options: &ReadOptions,
    path: &Path,
    watch: &dyn Watch,
) -> Result<Csr<V, W>, ReadError> {
    let graph = paired(graph);
    if graph.is_symmetric() || options.directed { Ok(graph) } else { by_rules(graph, true, options, path, watch) }
}

/// A symmetric graph if each arc has its reverse, as often and with the same weight, and rows ascend.
fn paired<V: Vertex, W: FileWeight>(graph: Csr<V, W>) -> Csr<V, W> {
    let (out, into) = graph.into_rows();
    let into = into.filter(|into| *into != out);
    Csr::from_rows(out, into)
}

fn by_rules<V: Vertex, W: FileWeight>(
    graph: Csr<V, W>,
    symmetrize: bool,
    options: &ReadOptions,
    path: &Path,
    watch: &dyn Watch,
) -> Result<Csr<V, W>, ReadError> {
    let ReadOptions { remove_duplicates, remove_self_loops, .. } = *options;
    let (num_vertices, num_edges) = (graph.num_vertices(), graph.num_arcs() as u64);
    let graph = graph.by_rules(Rules { symmetrize, remove_duplicates, remove_self_loops }, watch);
    graph.map_err(|error| failed(error, num_vertices, num_edges, path))
}

/// The error of a graph that cannot be built.
pub(super) fn failed(error: BuildError, num_vertices: usize, num_edges: u64, path: &Path) -> ReadError {
    let (path, num_vertices) = (path.to_owned(), num_vertices as u64);
    match error {
        BuildError::OutOfMemory { .. } => ReadError::NoMemory { path, num_vertices, num_edges },
        source => ReadError::Build { path, source },
    }
}

/// The first vertex whose arcs by source differ from those by target, and a neighbor by which they differ.
fn one_way<V: Vertex, W: FileWeight>(graph: &Csr<V, W>) -> (usize, usize) {
    let all = |row: &[V], weights: &[W]| -> Vec<(V, W)> { row.iter().copied().zip(weights.iter().copied()).collect() };
    let differ = (0..graph.num_vertices()).find_map(|vertex| {
        let v = V::new(vertex);
        let (out, into) = (all(graph.row(v), graph.weights(v)), all(graph.in_row(v), graph.in_weights(v)));
        let place = (0..out.len().max(into.len())).find(|&place| out.get(place) != into.get(place))?;
        // The lower of the two is missing in the other row.
        let lower = [out.get(place), into.get(place)].into_iter().flatten().map(|arc| arc.0).min();
        Some((vertex, lower.map_or(0, V::index)))
    });
    differ.unwrap_or_default()
}
