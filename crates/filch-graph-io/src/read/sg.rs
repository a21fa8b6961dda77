//! Serialized graphs of the GAP Benchmark Suite (`.sg`): compressed sparse rows in binary form.
//!
//! The format is defined by `src/writer.h` and `src/reader.h` of <https://github.com/sbeamer/gapbs>. All numbers are
//! little-endian:
//!
//! - a byte: 1 if the graph is directed, otherwise 0
//! - the number of arcs as an i64; an undirected edge is two arcs
//! - the number of vertices as an i64
//! - for each vertex the offset of its row as an i64, and then the end of the last row
//! - for each arc its target as an i32
//! - if the graph is directed, the offsets and the sources of the arcs by target, in the same form
//!
//! In a graph with weights (`.wsg`), each target or source is followed by the weight of the arc as an i32.

use crate::weight::FileWeight;
use std::cmp::Ordering::{Equal, Greater, Less};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use filch_text::{MappedFile, OnProgress, Progress, Source, named, report};

use super::append::append;
use super::error::ReadError;
use super::fault::SgFault;
use filch_algorithms::memory::with_room;
use filch_graph::{Csr, Rows, RowsError, Vertex};

/// The length of the header: a byte and two i64.
pub(crate) const HEADER_BYTES: u64 = 17;

/// The largest number of vertices, because a vertex is a non-negative i32.
pub(crate) const MOST_VERTICES: usize = 1 << 31;

/// Reads a serialized graph.
///
/// Always checks the length of the file, the offsets of the rows, and that all arcs lead to vertices. Unless `trusted`,
/// it also checks that an undirected graph contains the reverse of each arc, and that a directed graph has the same
/// arcs by source and by target. This check compares sums of 64-bit hashes of the arcs. It misses a fault with a
/// probability of about 2^-64, unless the arcs are chosen to collide.
///
/// Weights (`.wsg`) are ignored. [`read_kept`](super::read_kept) keeps them.
///
/// The file must not change while it is being read; see [the module documentation](super).
///
/// Work: linear in the size of the file. Span: processing about 100 kB for each window of 16 MiB. Memory: the graph,
/// and a few MB.
///
/// # Errors
///
/// [`ReadError::Sg`] if the file is not a valid serialized graph, [`ReadError::TooManyVertices`] if it has more
/// vertices than `V` can number, and [`FileError`](filch_text::FileError) if the file cannot be read or `on_progress`
/// asks to stop.
///
/// # Panics
///
/// Panics if the global pool is needed and cannot be started; see [`filch::run`].
pub fn read_sg<V: Vertex>(path: &Path, trusted: bool, on_progress: &mut OnProgress<'_>) -> Result<Csr<V>, ReadError> {
    let mut source = Source::open(path)?;
    let most = most_bytes(&source.peek(HEADER_BYTES as usize));
    let file = source.into_mapped(named(path), most, on_progress)?;
    read_mapped(&file, named(path), trusted, on_progress, WINDOW_BYTES)
}

/// Whether `path` has the extension of a serialized graph.
pub(super) fn is_named(path: &Path) -> bool {
    has_ending(path, "sg") || has_ending(path, "wsg")
}

fn has_ending(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(wanted))
}

/// Whether the arcs of a file have weights, or `None` if its header does not fit its length.
pub(super) fn is_weighted(file: &MappedFile, path: &Path) -> Option<bool> {
    Header::read(file, path).ok().map(|header| header.weighted)
}

/// The number of bytes that are mapped at a time.
pub(super) const WINDOW_BYTES: usize = 16 << 20;

/// The number of bytes that a worker processes at a time.
const PIECE_BYTES: usize = 128 << 10;

pub(super) fn read_mapped<V: Vertex, W: FileWeight>(
    file: &MappedFile,
    path: &Path,
    trusted: bool,
    on_progress: &mut OnProgress<'_>,
    window_bytes: usize,
) -> Result<Csr<V, W>, ReadError> {
    let header = Header::read(file, path)?;
    let most = V::MAX_COUNT.min(MOST_VERTICES);
    if header.num_vertices > most {
        let num_vertices = header.num_vertices as u64;
        return Err(ReadError::TooManyVertices { path: path.to_owned(), num_vertices, most });
    }
    let mut reading = Reading { file, path, header, at: HEADER_BYTES, arcs: 0, window_bytes, on_progress };
    let out = reading.rows::<V, W>()?;
    let into = if header.directed { Some(reading.rows::<V, W>()?) } else { None };
    file.check_unchanged()?;
    let difference = match &into {
        _ if trusted => 0,
        None => sum_over_arcs(&out, balance),
        Some(into) => sum_over_arcs(&out, hash).wrapping_sub(sum_over_arcs(into, |v, u, weight| hash(u, v, weight))),
    };
    if difference != 0 {
        return Err(ReadError::sg(path, SgFault::Asymmetric { directed: header.directed }));
    }
    Ok(Csr::from_rows(out, into))
}

#[derive(Clone, Copy, Debug)]
struct Header {
    directed: bool,
    weighted: bool,
    num_arcs: usize,
    num_vertices: usize,
}

impl Header {
    /// Reads the header. Fails if the length of the file does not match it, so that no more memory is requested than
    /// the size of the file justifies.
    fn read(file: &MappedFile, path: &Path) -> Result<Header, ReadError> {
        let window = file.window(0, HEADER_BYTES as usize).map_err(|error| ReadError::io(path, error))?;
        let said = Said::of(window.bytes()).map_err(|fault| ReadError::sg(path, fault))?;
        let Said { directed, num_arcs, num_vertices } = said;
        let (found, expected, with_weights) = (file.len(), said.length(4), said.length(8));
        // Only without arcs are both lengths the same.
        let weighted = u128::from(found) == with_weights && (num_arcs > 0 || has_ending(path, "wsg"));
        if u128::from(found) != expected && !weighted {
            let fault = SgFault::Length { found, expected, num_vertices, num_arcs, weighted: with_weights };
            return Err(ReadError::sg(path, fault));
        }
        // Both fit in a `usize`, because they are below the length of a file that is mapped.
        Ok(Header { directed, weighted, num_arcs: num_arcs as usize, num_vertices: num_vertices as usize })
    }
}

/// What the bytes of a header say.
struct Said {
    directed: bool,
    num_arcs: u64,
    num_vertices: u64,
}

impl Said {
    fn of(bytes: &[u8]) -> Result<Said, SgFault> {
        let short = SgFault::Short { len: bytes.len() as u64, header: HEADER_BYTES };
        let [direction, numbers @ ..] = bytes else { return Err(short) };
        let directed = match direction {
            0 | 1 => *direction == 1,
            &found => return Err(SgFault::Direction { found }),
        };
        let mut numbers =
            numbers.chunks_exact(8).map(|bytes| i64::from_le_bytes(bytes.try_into().expect("eight bytes")));
        let (Some(num_arcs), Some(num_vertices)) = (numbers.next(), numbers.next()) else { return Err(short) };
        let positive = |what, found| u64::try_from(found).map_err(|_| SgFault::Negative { what, found });
        Ok(Said { directed, num_arcs: positive("arcs", num_arcs)?, num_vertices: positive("vertices", num_vertices)? })
    }

    /// The length of the file if each arc takes so many bytes.
    fn length(&self, arc_bytes: u128) -> u128 {
        let rows = 8 * (u128::from(self.num_vertices) + 1) + arc_bytes * u128::from(self.num_arcs);
        u128::from(HEADER_BYTES) + (1 + u128::from(self.directed)) * rows
    }
}

/// How many bytes of a file that begins with these have to be looked at, to read it or to say what is wrong.
pub(super) fn most_bytes(bytes: &[u8]) -> u64 {
    let said = Said::of(bytes).ok().filter(|said| said.num_vertices <= MOST_VERTICES as u64);
    // No memory holds more.
    let longest = said.and_then(|said| isize::try_from(said.length(8) + 1).ok());
    longest.map_or(HEADER_BYTES, |len| len as u64)
}

struct Reading<'a, 'b> {
    file: &'a MappedFile,
    path: &'a Path,
    header: Header,
    /// The position of the next byte to read.
    at: u64,
    /// The number of arcs so far. In a directed graph, arcs by source and arcs by target both count.
    arcs: u64,
    window_bytes: usize,
    on_progress: &'a mut OnProgress<'b>,
}

impl Reading<'_, '_> {
    fn rows<V: Vertex, W: FileWeight>(&mut self) -> Result<Rows<V, W>, ReadError> {
        let Header { num_arcs, num_vertices, weighted, .. } = self.header;
        // What is below 0 becomes larger than all numbers of arcs or vertices.
        let offsets = self.numbers(num_vertices + 1, false, |bytes| i64::from_le_bytes(bytes) as usize)?;
        let start = self.at;
        let half = |bytes: [u8; 8], at: usize| i32::from_le_bytes(std::array::from_fn(|byte| bytes[at + byte]));
        let target = |number: i32| match number as u32 as usize {
            index if index < V::MAX_COUNT => V::new(index),
            _ => V::NONE,
        };
        let targets = if weighted {
            self.numbers(num_arcs, true, |bytes| target(half(bytes, 0)))?
        } else {
            self.numbers(num_arcs, true, |bytes| target(i32::from_le_bytes(bytes)))?
        };
        let weights = if weighted && W::IS_KEPT {
            // The same bytes again, for the other half of each pair.
            self.at = start;
            self.weights(|bytes| half(bytes, 4))?
        } else {
            vec![W::of(1.0); num_arcs]
        };
        Rows::new(offsets, targets, weights).map_err(|error| match error {
            RowsError::Offset { vertex, found, least, most } => {
                let (found, least, most) = (found as i64, least as u64, most as u64);
                ReadError::sg(self.path, SgFault::Offset { vertex, found, least, most })
            }
            RowsError::Target { arc, found, num_vertices } => {
                ReadError::sg(self.path, SgFault::Target { arc, found: found as u32 as i32, num_vertices })
            }
            error => unreachable!("as many of each as the header says: {error}"),
        })
    }

    /// Reads the weights of all arcs. Fails if one would be rounded.
    fn weights<W: FileWeight>(&mut self, number: impl Fn([u8; 8]) -> i32 + Send + Sync) -> Result<Vec<W>, ReadError> {
        let (start, num_arcs) = (self.at, self.header.num_arcs);
        let is_rounded = |number: i32| number as f32 as i64 != i64::from(number);
        let any = AtomicBool::new(false);
        let weights = self.numbers(num_arcs, false, |bytes| {
            if is_rounded(number(bytes)) {
                any.store(true, Ordering::Relaxed);
            }
            W::of(number(bytes) as f32)
        })?;
        if !any.into_inner() {
            return Ok(weights);
        }
        self.at = start;
        let numbers = self.numbers(num_arcs, false, number)?;
        let arc = numbers.iter().position(|&number| is_rounded(number)).expect("one was met");
        Err(ReadError::sg(self.path, SgFault::Weight { arc, found: numbers[arc] }))
    }

    /// Reads the next `count` numbers of N bytes each, and converts them by `meaning`. If `arcs`, they count as arcs in
    /// progress reports.
    fn numbers<T: Copy + Send + Sync, const N: usize>(
        &mut self,
        count: usize,
        arcs: bool,
        meaning: impl Fn([u8; N]) -> T + Send + Sync,
    ) -> Result<Vec<T>, ReadError> {
        let mut all: Vec<T> = with_room(count).map_err(|_| ReadError::NoMemory {
            path: self.path.to_owned(),
            num_vertices: self.header.num_vertices as u64,
            num_edges: self.header.num_arcs as u64,
        })?;
        while all.len() < count {
            let len = (self.window_bytes / N).clamp(1, count - all.len()) * N;
            let window = self.file.window(self.at, len).map_err(|error| ReadError::io(self.path, error))?;
            let pieces: Vec<&[u8]> = window.bytes().chunks(PIECE_BYTES).collect();
            append(&mut all, &pieces, N, |_, piece| piece.as_chunks::<N>().0.iter().map(|&bytes| meaning(bytes)));
            self.at += len as u64;
            if arcs {
                self.arcs += (len / N) as u64;
            }
            let progress = Progress::new(self.at, Some(self.file.len()), self.arcs);
            report(progress, self.path, self.on_progress)?;
        }
        Ok(all)
    }
}

fn sum_over_arcs<V: Vertex, W: FileWeight>(
    rows: &Rows<V, W>,
    of_arc: impl Fn(u64, u64, W) -> u64 + Send + Sync,
) -> u64 {
    let of_row = |v: usize| {
        let row = rows.offsets()[v]..rows.offsets()[v + 1];
        let arcs = rows.targets()[row.clone()].iter().zip(&rows.weights()[row]);
        arcs.fold(0_u64, |sum, (target, &weight)| sum.wrapping_add(of_arc(v as u64, target.index() as u64, weight)))
    };
    filch::map_reduce(0..rows.num_vertices(), || 0, |_, v| of_row(v), u64::wrapping_add)
}

/// A number for each arc. The sum over all arcs is 0 if each has its reverse as often and with the same weight, and
/// else with a probability of about 2^-64: the hashes of arcs to higher vertices minus those of the reversed arcs to
/// lower ones.
pub(super) fn balance<W: FileWeight>(u: u64, v: u64, weight: W) -> u64 {
    match u.cmp(&v) {
        Less => hash(u, v, weight),
        Equal => 0,
        Greater => hash(v, u, weight).wrapping_neg(),
    }
}

/// A 64-bit hash of an arc, which depends on its direction and weight: the finalizer of SplitMix64 (Steele, Lea and
/// Flood 2014, "Fast splittable pseudorandom number generators"), once for the vertices and once more for the weight.
fn hash<W: FileWeight>(u: u64, v: u64, weight: W) -> u64 {
    let mix = |bits: u64| {
        let mut bits = bits.wrapping_add(0x9e37_79b9_7f4a_7c15);
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    };
    let vertices = mix(u << 32 | v);
    if W::IS_KEPT { mix(vertices ^ u64::from(weight.value().to_bits())) } else { vertices }
}

#[cfg(test)]
mod tests;
