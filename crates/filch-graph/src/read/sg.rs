//! Serialized graphs of the GAP Benchmark Suite: `.sg`, the rows as they lie in memory.
//!
//! The format, from `src/writer.h` and `src/reader.h` of <https://github.com/sbeamer/gapbs>; all numbers little-endian:
//! a byte, 1 if the graph is directed; the number of arcs, an i64, an undirected edge being two; the number of
//! vertices, an i64; for each vertex where its row begins, an i64, and after the last one where its row ends; for each
//! arc where it leads, an i32. Of a directed graph, the same again by target: where rows begin, and where arcs come
//! from.

use std::cmp::Ordering::{Equal, Greater, Less};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::append::append;
use super::error::{ReadError, SgFault};
use super::progress::{OnProgress, Progress, report};
use super::source::{MappedFile, Source};
use crate::csr::Csr;
use crate::csr::Rows;
use crate::memory::with_room;
use crate::vertex::Vertex;

/// Bytes before the rows: a byte and two i64.
pub(crate) const HEADER_BYTES: u64 = 17;

/// As many vertices as an i32 numbers.
pub(crate) const MOST_VERTICES: usize = 1 << 31;

/// Reads a serialized graph.
///
/// Everything that a graph must be is checked: the length of the file, where rows begin, and that arcs lead to
/// vertices. Unless `trusted`, also that an undirected graph has the reverse of each arc, and that a directed one has
/// the same arcs by source and by target; by a sum over hashes of arcs, which misses a fault with a probability of
/// 2^-64.
///
/// The premise of [the module](super) holds: nobody changes the file meanwhile.
///
/// Work: linear in the file; span: some 100 kB of it for each window of some MB. Memory: the graph, and some MB.
///
/// # Errors
///
/// If the file cannot be read, [`ReadError::Sg`] for whatever is wrong in it, or if it has more vertices than `V` can
/// number.
///
/// # Panics
///
/// As [`filch::run`], where it comes to the global pool.
pub fn read_sg<V: Vertex>(path: &Path, trusted: bool, on_progress: &mut OnProgress<'_>) -> Result<Csr<V>, ReadError> {
    read_opened(Source::open(path)?, path, trusted, on_progress)
}

/// Whether the name is that of a serialized graph.
pub(super) fn is_named(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("sg"))
}

pub(super) fn read_opened<V: Vertex>(
    source: Source,
    path: &Path,
    trusted: bool,
    on_progress: &mut OnProgress<'_>,
) -> Result<Csr<V>, ReadError> {
    match source {
        Source::Mapped(file) => read_mapped(&file, path, trusted, on_progress, WINDOW_BYTES),
        Source::Stream(stream) if stream.is_empty_file() => {
            Err(ReadError::sg(path, SgFault::Short { len: 0, header: HEADER_BYTES }))
        }
        Source::Stream(_) => Err(ReadError::sg(path, SgFault::NotPlain)),
    }
}

/// Bytes that are mapped at once.
const WINDOW_BYTES: usize = 16 << 20;

/// Bytes that one worker takes at once.
const PIECE_BYTES: usize = 128 << 10;

pub(super) fn read_mapped<V: Vertex>(
    file: &MappedFile,
    path: &Path,
    trusted: bool,
    on_progress: &mut OnProgress<'_>,
    window_bytes: usize,
) -> Result<Csr<V>, ReadError> {
    let header = Header::read(file, path)?;
    let most = V::MAX_COUNT.min(MOST_VERTICES);
    if header.num_vertices > most {
        let num_vertices = header.num_vertices as u64;
        return Err(ReadError::TooManyVertices { path: path.to_owned(), num_vertices, most });
    }
    let mut reading = Reading { file, path, header, at: HEADER_BYTES, arcs: 0, window_bytes, on_progress };
    let out = reading.rows::<V>()?;
    let into = if header.directed { Some(reading.rows::<V>()?) } else { None };
    file.check_unchanged()?;
    let balance = match &into {
        _ if trusted => 0,
        // Arcs up, less arcs down reversed.
        None => sum_over_arcs(&out, |u, v| match u.cmp(&v) {
            Less => hash(u, v),
            Equal => 0,
            Greater => hash(v, u).wrapping_neg(),
        }),
        Some(into) => sum_over_arcs(&out, hash).wrapping_sub(sum_over_arcs(into, |v, u| hash(u, v))),
    };
    if balance != 0 {
        return Err(ReadError::sg(path, SgFault::Asymmetric { directed: header.directed }));
    }
    Ok(Csr::from_rows(out, into))
}

#[derive(Clone, Copy, Debug)]
struct Header {
    directed: bool,
    num_arcs: usize,
    num_vertices: usize,
}

impl Header {
    /// Fails also if the length of the file is not as it says: then no more memory is asked for than the file has
    /// bytes.
    fn read(file: &MappedFile, path: &Path) -> Result<Header, ReadError> {
        let fault = |fault| Err(ReadError::sg(path, fault));
        let window = file.window(0, HEADER_BYTES as usize).map_err(|error| ReadError::io(path, error))?;
        let [direction, numbers @ ..] = window.bytes() else { return fault(SgFault::NotPlain) };
        let directed = match direction {
            0 | 1 => *direction == 1,
            &found => return fault(SgFault::Direction { found }),
        };
        let mut numbers =
            numbers.chunks_exact(8).map(|bytes| i64::from_le_bytes(bytes.try_into().expect("eight bytes")));
        let (Some(num_arcs), Some(num_vertices)) = (numbers.next(), numbers.next()) else {
            return fault(SgFault::Short { len: file.len, header: HEADER_BYTES });
        };
        for (what, found) in [("arcs", num_arcs), ("vertices", num_vertices)] {
            if found < 0 {
                return fault(SgFault::Negative { what, found });
            }
        }
        let (num_arcs, num_vertices) = (num_arcs as u64, num_vertices as u64);
        let of_rows = |arc_bytes: u128| 8 * (u128::from(num_vertices) + 1) + arc_bytes * u128::from(num_arcs);
        let length = |arc_bytes| u128::from(HEADER_BYTES) + (1 + u128::from(directed)) * of_rows(arc_bytes);
        let (found, expected) = (file.len, length(4));
        if u128::from(found) != expected {
            let hint = if u128::from(found) == length(8) { "; it has weights, as a .wsg file has" } else { "" };
            return fault(SgFault::Length { found, expected, num_vertices, num_arcs, hint });
        }
        // Both are below the length of a file that is mapped.
        Ok(Header { directed, num_arcs: num_arcs as usize, num_vertices: num_vertices as usize })
    }
}

struct Reading<'a, 'b> {
    file: &'a MappedFile,
    path: &'a Path,
    header: Header,
    /// The next byte.
    at: u64,
    /// Arcs so far; of a directed graph, those by source and those by target.
    arcs: u64,
    window_bytes: usize,
    on_progress: &'a mut OnProgress<'b>,
}

impl Reading<'_, '_> {
    fn rows<V: Vertex>(&mut self) -> Result<Rows<V>, ReadError> {
        let Header { num_arcs, num_vertices, .. } = self.header;
        let offset = |bytes: [u8; 8]| i64::from_le_bytes(bytes) as usize;
        let offset_fault = |vertex, bytes| SgFault::Offset {
            vertex,
            found: i64::from_le_bytes(bytes),
            least: 0,
            most: num_arcs as u64,
        };
        let offsets = self.numbers(num_vertices + 1, false, |bytes| offset(bytes) <= num_arcs, offset, offset_fault)?;
        let bounds = |vertex: usize| {
            let least = if vertex == num_vertices {
                num_arcs
            } else {
                vertex.checked_sub(1).map_or(0, |before| offsets[before])
            };
            let most = if vertex == 0 { 0 } else { num_arcs };
            (least, most)
        };
        let good = |vertex: usize| (bounds(vertex).0..=bounds(vertex).1).contains(&offsets[vertex]);
        if let Some(vertex) = first_bad(offsets.len(), good) {
            let (least, most) = bounds(vertex);
            let found = offsets[vertex] as i64;
            return Err(ReadError::sg(
                self.path,
                SgFault::Offset { vertex, found, least: least as u64, most: most as u64 },
            ));
        }
        // A negative number is a very high one, also where it becomes a vertex.
        let target = |bytes: [u8; 4]| i32::from_le_bytes(bytes);
        let targets = self.numbers(
            num_arcs,
            true,
            |bytes| (target(bytes) as u32 as usize) < num_vertices,
            |bytes| V::new(target(bytes) as u32 as usize),
            |arc, bytes| SgFault::Target { arc, found: target(bytes), num_vertices },
        )?;
        Ok(Rows { offsets, targets })
    }

    /// The next `count` numbers of N bytes each, `arcs` or not, made into what they mean; `fault` tells what the first
    /// one is that is not good.
    fn numbers<T: Copy + Send + Sync, const N: usize>(
        &mut self,
        count: usize,
        arcs: bool,
        good: impl Fn([u8; N]) -> bool + Send + Sync,
        meaning: impl Fn([u8; N]) -> T + Send + Sync,
        fault: impl Fn(usize, [u8; N]) -> SgFault,
    ) -> Result<Vec<T>, ReadError> {
        let mut all: Vec<T> = with_room(count).map_err(|_| ReadError::NoMemory {
            path: self.path.to_owned(),
            num_vertices: self.header.num_vertices as u64,
            num_edges: self.header.num_arcs as u64,
        })?;
        while all.len() < count {
            let len = (self.window_bytes / N).clamp(1, count - all.len()) * N;
            let window = self.file.window(self.at, len).map_err(|error| ReadError::io(self.path, error))?;
            let bytes = window.bytes();
            let pieces: Vec<&[u8]> = bytes.chunks(PIECE_BYTES).collect();
            let any_bad = AtomicBool::new(false);
            let start = all.len();
            append(&mut all, &pieces, N, |_, piece| {
                let numbers = piece.as_chunks::<N>().0.iter().copied();
                numbers.map(|bytes| {
                    if !good(bytes) {
                        any_bad.store(true, Ordering::Relaxed);
                    }
                    meaning(bytes)
                })
            });
            if any_bad.into_inner() {
                let mut numbers = bytes.as_chunks::<N>().0.iter().copied().zip(start..);
                let (bytes, index) = numbers.find(|&(bytes, _)| !good(bytes)).expect("one was met");
                return Err(ReadError::sg(self.path, fault(index, bytes)));
            }
            self.at += len as u64;
            if arcs {
                self.arcs += (len / N) as u64;
            }
            let progress = Progress { bytes: self.at, total: Some(self.file.len), items: self.arcs };
            report(progress, self.path, self.on_progress)?;
        }
        Ok(all)
    }
}

/// The lowest number below `count` that is not good.
fn first_bad(count: usize, good: impl Fn(usize) -> bool + Send + Sync) -> Option<usize> {
    /// So that the loop over a block can be a tight one.
    const BLOCK: usize = 1 << 14;
    let bad = |block: usize| (block * BLOCK..count.min((block + 1) * BLOCK)).find(|&number| !good(number));
    filch::map_reduce(0..count.div_ceil(BLOCK), || None, |_, block| bad(block), |a, b| a.or(b))
}

fn sum_over_arcs<V: Vertex>(rows: &Rows<V>, of_arc: impl Fn(u64, u64) -> u64 + Send + Sync) -> u64 {
    let of_row = |v: usize| {
        let row = &rows.targets[rows.offsets[v]..rows.offsets[v + 1]];
        row.iter().fold(0_u64, |sum, target| sum.wrapping_add(of_arc(v as u64, target.index() as u64)))
    };
    filch::map_reduce(0..rows.num_vertices(), || 0, |_, v| of_row(v), u64::wrapping_add)
}

/// A number that depends on all bits of an arc, and on its direction: the finaliser of SplitMix64 (G. Steele, D. Lea
/// and C. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
fn hash(u: u64, v: u64) -> u64 {
    let mut bits = (u << 32 | v).wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests;
