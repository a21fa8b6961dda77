//! Reading a graph in any supported format.

use crate::weight::FileWeight;
use std::path::Path;
use std::time::Instant;

use filch_text::{OnProgress, Sizes, Source, named};

use super::arcs::{self, Arcs, Meaning};
use super::dimacs::Dimacs;
use super::edge_list::PlainList;
use super::error::ReadError;
use super::fault::SgFault;
use super::format::{FileFormat, PEEK_BYTES, Seen, is_lone_graph, is_weighted_list, recognize, recognize_names};
use super::ligra::{Arc, Ligra};
use super::loaded::{Kept, Loaded};
use super::matrix_market::MatrixMarket;
use super::metis::Metis;
use super::named_list::{NamedList, Rest, renumbered};
use super::options::{ExtraColumns, ReadOptions};
use super::records::read_records;
use super::sg::{self, WINDOW_BYTES, read_mapped};
use super::webgraph::{self, Files, read_rows};
use super::weighted_list::WeightedList;
use filch_graph::{Csr, Edge, Graph, Rows, Vertex, Watch};

/// Reads a graph, and ignores weights.
///
/// The first bytes of the file, after decompression, say which [`FileFormat`] it has: [the crate](crate) has a table.
/// If they fit several formats, the name decides, and otherwise the file is an edge list:
///
/// - A file of METIS is recognized by its name, `.graph` or `.metis`, or if it agrees with the numbers of its header
///   and cannot be an edge list, in which every line has two numbers, or every line three.
/// - With properties of the WebGraph framework beside it, `NAME.graph` is a BvGraph. `NAME.properties` stands for both.
/// - In the graph, vertices are numbered from 0, whatever their numbers in the file.
///
/// In a symmetric matrix and in METIS all edges are undirected. The arcs of all other files make an undirected graph if
/// the reverse of each arc is there, as often and with the same weight. If not, the graph is directed if
/// `options.directed`, and otherwise each arc is an edge. Parallel arcs are kept, unless `options.remove_duplicates`,
/// and so are self-loops. All of this is the same in every format.
///
/// ```
/// use filch_graph::Graph;
/// use filch_graph_io::read::{ReadOptions, read_graph};
/// use std::ops::ControlFlow;
///
/// # let directory = tempfile::tempdir().unwrap();
/// # let path = directory.path().join("roads.el");
/// std::fs::write(&path, "# roads\n0 1\n1 2\n").unwrap();
/// let loaded = read_graph::<u32>(&path, &ReadOptions::default(), &mut |_| ControlFlow::Continue(())).unwrap();
/// assert_eq!((loaded.graph.num_vertices(), loaded.graph.num_arcs()), (3, 4));
/// ```
///
/// Work, span and memory: those of [`read_sg`](super::read_sg), or those of [`read_edge_list`](super::read_edge_list)
/// and [`CsrBuilder::build_parts`](filch_graph::CsrBuilder::build_parts), up to three times if the arcs must be
/// compared with their reverses. No memory is allocated only because a header declares that many vertices or edges. The
/// file must not change while it is being read; see [the module documentation](super).
///
/// # Errors
///
/// [`ReadError`]. If `options` do not give the number of vertices, a file whose highest vertex exceeds both 2^21 and 64
/// times the number of its edges is rejected, with [`ReadError::FarVertex`] if it is an edge list, and with
/// [`LineFault::FarHeader`](super::LineFault::FarHeader) if its header declares so many.
///
/// # Panics
///
/// Panics if the global pool is needed and cannot be started; see [`filch::run`].
pub fn read_graph<V: Vertex>(
    path: &Path,
    options: &ReadOptions,
    on_progress: &mut OnProgress<'_>,
) -> Result<Loaded<Csr<V>>, ReadError> {
    read_graph_watched(path, options, on_progress, &())
}

/// Reads a graph as [`read_graph`] does, and reports the progress of building it to `watch`.
///
/// # Errors
///
/// As for [`read_graph`].
///
/// # Panics
///
/// Panics as [`read_graph`] does, or if `watch` does.
pub fn read_graph_watched<V: Vertex>(
    path: &Path,
    options: &ReadOptions,
    on_progress: &mut OnProgress<'_>,
    watch: &dyn Watch,
) -> Result<Loaded<Csr<V>>, ReadError> {
    let file = Opened::open(path, options, on_progress)?;
    if file.seen.format != FileFormat::EdgeList {
        return file.read::<V, ()>(options, on_progress, watch);
    }
    // In a file of this name, the third column is known to be a weight.
    let extra_columns = if is_weighted_list(path) { ExtraColumns::Ignore } else { options.extra_columns };
    if options.renumber {
        return file.read_names(Rest::Extra(extra_columns), options, on_progress, watch);
    }
    file.read_list(&ReadOptions { extra_columns, ..*options }, on_progress, watch)
}

/// Reads a graph as [`read_graph_watched`] does, and keeps its weights, if the file has any.
///
/// In an edge list, a third column is a weight, unless `options` say that extra columns are ignored. Then every line
/// must have one. Whole weights above 2^24 are rejected if they cannot be represented, see [`FileWeight`]; fractions
/// are rounded to the nearest weight. Weights may be negative, except in METIS. Of duplicates, the lightest is kept.
///
/// ```
/// use filch_graph_io::read::{Kept, ReadOptions, read_kept};
/// use std::ops::ControlFlow;
///
/// # let directory = tempfile::tempdir().unwrap();
/// # let path = directory.path().join("roads.gr");
/// std::fs::write(&path, "p sp 2 2\na 1 2 7\na 2 1 7\n").unwrap();
/// let mut quiet = |_| ControlFlow::Continue(());
/// let loaded = read_kept::<u32>(&path, &ReadOptions::default(), &mut quiet, &()).unwrap();
/// let Kept::Weighted(roads) = loaded.graph else { panic!("these have weights") };
/// assert_eq!((roads.row(0), roads.weights(0)), (&[1][..], &[7.0][..]));
/// ```
///
/// # Errors
///
/// As for [`read_graph`], and if a weight is not a finite number or cannot be represented.
///
/// # Panics
///
/// Panics as [`read_graph_watched`] does.
pub fn read_kept<V: Vertex>(
    path: &Path,
    options: &ReadOptions,
    on_progress: &mut OnProgress<'_>,
    watch: &dyn Watch,
) -> Result<Loaded<Kept<V>>, ReadError> {
    let file = Opened::open(path, options, on_progress)?;
    let is_list = file.seen.format == FileFormat::EdgeList;
    if is_list && (!file.seen.weighted || options.extra_columns == ExtraColumns::Ignore) {
        return match options.renumber {
            true => file.read_names(Rest::Extra(options.extra_columns), options, on_progress, watch),
            false => file.read_list(options, on_progress, watch),
        }
        .map(|loaded| loaded.map(Kept::Plain));
    }
    if is_list && options.renumber {
        let loaded = file.read_names::<V, f32>(Rest::Weight, options, on_progress, watch);
        return loaded.map(|loaded| loaded.map(Kept::Weighted));
    }
    if file.seen.weighted {
        file.read::<V, f32>(options, on_progress, watch).map(|loaded| loaded.map(Kept::Weighted))
    } else {
        file.read::<V, ()>(options, on_progress, watch).map(|loaded| loaded.map(Kept::Plain))
    }
}

/// A file whose format is known.
struct Opened<'a> {
    start: Instant,
    path: &'a Path,
    source: Source,
    seen: Seen,
    /// The files, if it is a BvGraph.
    files: Option<Files>,
}

impl<'a> Opened<'a> {
    fn open(path: &'a Path, options: &ReadOptions, on_progress: &mut OnProgress<'_>) -> Result<Self, ReadError> {
        let start = Instant::now();
        if let Some(files) = webgraph::files(path)? {
            let source = Source::open(&files.graph)?;
            let seen = Seen { format: FileFormat::BvGraph, weighted: false };
            return Ok(Opened { start, path, source, seen, files: Some(files) });
        }
        let mut source = Source::open(path)?;
        let path = named(path);
        let bytes = source.peek(PEEK_BYTES);
        let mut seen =
            if options.renumber { recognize_names } else { recognize }(path, &bytes, bytes.len() < PEEK_BYTES);
        let mut weighted = None;
        if seen.format == FileFormat::Serialized {
            let file = source.into_mapped(path, sg::most_bytes(&bytes), on_progress)?;
            weighted = sg::is_weighted(&file, path);
            seen.weighted = weighted == Some(true);
            source = Source::Mapped(file);
        }
        if is_lone_graph(path, &bytes) && weighted.is_none() {
            return Err(webgraph::without_properties(path));
        }
        Ok(Opened { start, path, source, seen, files: None })
    }

    /// Reads an edge list of names.
    fn read_names<V: Vertex, W: FileWeight>(
        self,
        rest: Rest,
        options: &ReadOptions,
        on_progress: &mut OnProgress<'_>,
        watch: &dyn Watch,
    ) -> Result<Loaded<Csr<V, W>>, ReadError> {
        let Opened { start, path, source, .. } = self;
        let records = read_records(NamedList::<V, W>::new(rest), source, path, on_progress, Sizes::of_pool())?;
        let (arcs, names) = renumbered(records, path)?;
        let loaded = built(FileFormat::EdgeList, arcs, start, options, path, watch)?;
        Ok(Loaded { names: Some(names), ..loaded })
    }

    /// Reads an edge list without weights.
    fn read_list<V: Vertex>(
        self,
        options: &ReadOptions,
        on_progress: &mut OnProgress<'_>,
        watch: &dyn Watch,
    ) -> Result<Loaded<Csr<V>>, ReadError> {
        let Opened { start, path, source, .. } = self;
        let records = read_records(PlainList::<V>::new(path, options)?, source, path, on_progress, Sizes::of_pool())?;
        built(FileFormat::EdgeList, arcs::of_list(records, options, path)?, start, options, path, watch)
    }

    /// Reads any format, except an edge list without weights.
    fn read<V: Vertex, W: FileWeight>(
        self,
        options: &ReadOptions,
        on_progress: &mut OnProgress<'_>,
        watch: &dyn Watch,
    ) -> Result<Loaded<Csr<V, W>>, ReadError> {
        let Opened { start, path, source, seen: Seen { format, .. }, files } = self;
        let sizes = Sizes::of_pool();
        let mut left_out = None;
        let arcs: Arcs<Arc<V, W>> = match format {
            FileFormat::Serialized => return read_serialized(start, source, path, options, on_progress, watch),
            FileFormat::BvGraph => {
                let files = files.ok_or_else(|| webgraph::without_properties(path))?;
                return read_bv_graph(start, &files, source, options, on_progress, watch);
            }
            FileFormat::EdgeList => {
                let list = WeightedList::new(path, options)?;
                arcs::of_list(read_records(list, source, path, on_progress, sizes)?, options, path)?
            }
            FileFormat::MatrixMarket => {
                let records = read_records(MatrixMarket::new(), source, path, on_progress, sizes)?;
                arcs::of_matrix(records, options, path)?
            }
            FileFormat::Dimacs => {
                let records = read_records(Dimacs::new(), source, path, on_progress, sizes)?;
                let declared = records.dialect.num_vertices;
                arcs::plain(records, declared, Meaning::Arcs, options, path)?
            }
            FileFormat::Metis => {
                let records = read_records(Metis::new(), source, path, on_progress, sizes)?;
                left_out = records.dialect.header.left_out();
                arcs::of_metis(records, options, path)?
            }
            FileFormat::Ligra => {
                let records = read_records(Ligra::<W>::new(), source, path, on_progress, sizes)?;
                arcs::of_ligra(&records, options, path)?
            }
        };
        let loaded = built(format, arcs, start, options, path, watch)?;
        Ok(Loaded { left_out, ..loaded })
    }
}

/// Builds the graph of the arcs of a file.
fn built<V: Vertex, W: FileWeight, E: Edge<Vertex = V, Weight = W>>(
    format: FileFormat,
    arcs: Arcs<E>,
    start: Instant,
    options: &ReadOptions,
    path: &Path,
    watch: &dyn Watch,
) -> Result<Loaded<Csr<V, W>>, ReadError> {
    let read = Loaded::new(format, start, arcs.num_bytes, arcs.num_edges(), options);
    let read = Loaded { num_lines: Some(arcs.num_lines), ..read };
    Ok(read.built(arcs::build(arcs, options, path, watch)?, start))
}

fn read_serialized<V: Vertex, W: FileWeight>(
    start: Instant,
    source: Source,
    path: &Path,
    options: &ReadOptions,
    on_progress: &mut OnProgress<'_>,
    watch: &dyn Watch,
) -> Result<Loaded<Csr<V, W>>, ReadError> {
    // It is mapped since it was opened.
    let file = source.into_mapped(path, u64::MAX, on_progress)?;
    let graph: Csr<V, W> = read_mapped(&file, path, options.trusted, on_progress, WINDOW_BYTES)?;
    let (num_vertices, num_edges) = (graph.num_vertices(), graph.num_arcs() as u64);
    if let Some(expected) = options.num_vertices.filter(|&expected| expected != num_vertices) {
        return Err(ReadError::sg(path, SgFault::NumVertices { found: num_vertices, expected }));
    }
    let read = Loaded::new(FileFormat::Serialized, start, file.len(), num_edges, options);
    Ok(read.built(arcs::of_graph(graph, options, path, watch)?, start))
}

fn read_bv_graph<V: Vertex, W: FileWeight>(
    start: Instant,
    files: &Files,
    source: Source,
    options: &ReadOptions,
    on_progress: &mut OnProgress<'_>,
    watch: &dyn Watch,
) -> Result<Loaded<Csr<V, W>>, ReadError> {
    let file = source.into_mapped(&files.graph, u64::MAX, on_progress)?;
    let rows: Rows<V, W> = read_rows(files, &file, options, on_progress)?;
    let (num_vertices, num_edges) = (rows.num_vertices(), rows.targets().len() as u64);
    let read = Loaded::new(FileFormat::BvGraph, start, file.len(), num_edges, options);
    let into = rows.transposed(watch).map_err(|error| arcs::failed(error, num_vertices, num_edges, &files.graph))?;
    let graph = arcs::of_graph(Csr::from_rows(rows, Some(into)), options, &files.graph, watch)?;
    Ok(read.built(graph, start))
}
