//! Adjacency graphs of Ligra: the word `AdjacencyGraph` or `WeightedAdjacencyGraph`, the numbers of vertices and arcs,
//! for each vertex the offset of its row, for each arc its target and, in the second form, for each arc its weight; one
//! a line (Shun and Blelloch 2013, "Ligra: a lightweight graph processing framework for shared memory", and the
//! documentation of its implementation).

use super::error::{BadLine, ReadError};
use super::fault::LineFault;
use super::numbers::{Fault, Kind, end, next_count, next_word, unexpected, weight};
use super::records::{Dialect, Records};
use crate::vertex::Vertex;
use crate::weight::Weight;
use filch_text::{Words, shown};
use std::ops::Range;
use std::path::Path;

/// The first line of a file without weights.
pub(super) const PLAIN: &[u8] = b"AdjacencyGraph";

/// The first line of a file with weights.
pub(super) const WEIGHTED: &[u8] = b"WeightedAdjacencyGraph";

/// The lines of the header, the third of which has the number of arcs.
const HEAD_LINES: u64 = 3;

/// What the first three lines say. An item is a number; whether it is an offset, a target or a weight depends on its
/// position.
#[derive(Debug, Default)]
pub(super) struct Ligra {
    weighted: Option<bool>,
    vertices: Option<u64>,
    arcs: u64,
}

impl Ligra {
    pub(super) fn num_vertices(&self) -> u64 {
        self.vertices.unwrap_or(0)
    }
}

impl Dialect for Ligra {
    /// Exact for offsets and targets, which are below 2^53.
    type Item = f64;
    const RECORDS: &'static str = "lines with numbers";

    fn head(&mut self, line: &[u8]) -> Result<bool, Fault> {
        let mut words = Words::of(line);
        if self.weighted.is_none() {
            let expected = || "AdjacencyGraph or WeightedAdjacencyGraph".to_owned();
            let (place, word) = next_word(&mut words, line.len(), expected)?;
            self.weighted = match word {
                PLAIN => Some(false),
                WEIGHTED => Some(true),
                _ => return Err((place, unexpected(expected(), Some(word)))),
            };
        } else if self.vertices.is_none() {
            self.vertices = Some(next_count(&mut words, line.len(), "vertices")?);
        } else {
            self.arcs = next_count(&mut words, line.len(), "arcs")?;
            end(&mut words)?;
            return Ok(true);
        }
        end(&mut words)?;
        Ok(false)
    }

    fn no_head(&self) -> LineFault {
        let expected = match (self.weighted, self.vertices) {
            (None, _) => "AdjacencyGraph or WeightedAdjacencyGraph",
            (_, None) => "the number of vertices",
            _ => "the number of arcs",
        };
        LineFault::Expected { expected: expected.into(), found: "the end of the file".into() }
    }

    fn record(&self, line: &[u8], _: usize, items: &mut Vec<f64>) -> Result<bool, Fault> {
        let mut words = Words::of(line);
        // An empty line is a record, because lines are counted; at the end of the file it is none too many.
        let Some((place, word)) = words.next() else {
            items.push(f64::NAN);
            return Ok(true);
        };
        let number = str::from_utf8(word).ok().and_then(|word| word.parse::<f64>().ok());
        let Some(number) = number.filter(|number| number.is_finite()) else {
            return Err((place, weight(word, Kind::Any).err().unwrap_or_else(|| unexpected("a number", Some(word)))));
        };
        end(&mut words)?;
        items.push(number);
        Ok(true)
    }

    fn declared(&self) -> u64 {
        let per_arc = 1 + u64::from(self.weighted == Some(true));
        self.vertices.unwrap_or(0) + per_arc * self.arcs
    }

    fn is_excess(&self, line: &[u8]) -> bool {
        Words::of(line).next().is_some()
    }
}

/// The numbers of a file, by position.
struct Numbers<'a> {
    parts: &'a [Vec<f64>],
    /// The position of the first number of each part.
    starts: Vec<usize>,
}

impl Numbers<'_> {
    fn at(&self, position: usize) -> f64 {
        let part = self.starts.partition_point(|&start| start <= position) - 1;
        self.parts[part][position - self.starts[part]]
    }
}

/// From here on, numbers have been rounded already when they were read: 2^53.
const LARGE: f64 = 9_007_199_254_740_992.0;

/// The number of vertices whose arcs make a part.
const BLOCK: usize = 1 << 12;

/// An arc: its source, its target and its weight.
pub(super) type Arc<V, W> = (V, V, W);

/// The arcs of a file, in the order of their sources.
pub(super) fn arcs<V: Vertex, W: Weight>(
    records: &Records<Ligra>,
    path: &Path,
) -> Result<Vec<Vec<Arc<V, W>>>, ReadError> {
    let Ligra { weighted, vertices, arcs } = records.dialect;
    let (n, m) = (vertices.unwrap_or(0) as usize, arcs as usize);
    let mut starts = Vec::with_capacity(records.parts.len());
    let mut before = 0;
    for part in &records.parts {
        starts.push(before);
        before += part.len();
    }
    let numbers = Numbers { parts: &records.parts, starts };
    let fault = |position: usize, fault| BadLine { line: HEAD_LINES + position as u64 + 1, column: 1, fault }.of(path);
    let whole = |position: usize, range: Range<usize>, what: &str| {
        let number = numbers.at(position);
        if number.fract() == 0.0 && number >= range.start as f64 && number < range.end as f64 {
            return Ok(number as usize);
        }
        let expected = match range.len() {
            0 => format!("no {what}, as there are no vertices"),
            _ => format!("{what} from {} to {}", range.start, range.end - 1),
        };
        let found = if number.is_nan() { "an empty line".into() } else { shown(number.to_string().as_bytes()) };
        Err(fault(position, LineFault::Expected { expected, found }))
    };
    // The row of vertex v begins between the row before it and the end of all.
    let offset = |v: usize| {
        let least = if v == 0 { 0.0 } else { numbers.at(v - 1) };
        let most = if v == 0 { 0 } else { m };
        whole(v, (least.max(0.0) as usize).min(most)..most + 1, "the offset of a row")
    };
    if n == 0 && m > 0 {
        return Err(records.of_header(LineFault::TooFew { what: "arcs", declared: arcs, found: 0 }, path));
    }
    let weight = |position: usize| {
        let number = numbers.at(position);
        let found = || shown(number.to_string().as_bytes());
        match number as f32 {
            _ if number.is_nan() => Err(fault(position, LineFault::NotAWeight { found: String::new() })),
            weight if !weight.is_finite() => Err(fault(position, LineFault::NotFinite { found: found() })),
            weight if number.fract() == 0.0 && number.abs() < LARGE && f64::from(weight) != number => {
                Err(fault(position, LineFault::InexactWeight { found: found() }))
            }
            weight => Ok(W::of(weight)),
        }
    };
    let bad = filch::map_reduce(0..n, || None, |_, v| offset(v).err(), |a, b| a.or(b));
    if let Some(error) = bad {
        return Err(error);
    }
    let start = |v: usize| if v == n { m } else { numbers.at(v) as usize };
    let block = |block: usize| {
        let vertices = block * BLOCK..n.min((block + 1) * BLOCK);
        let mut arcs = Vec::with_capacity(start(vertices.end) - start(vertices.start));
        for v in vertices {
            for arc in start(v)..start(v + 1) {
                let target = whole(n + arc, 0..n, "a vertex")?;
                let weight = if weighted == Some(true) { weight(n + m + arc)? } else { W::of(1.0) };
                arcs.push((V::new(v), V::new(target), weight));
            }
        }
        Ok(arcs)
    };
    let mut parts = Vec::new();
    parts.resize_with(n.div_ceil(BLOCK), || Ok(Vec::new()));
    filch::for_each((0_usize.., &mut parts), |_, (index, part)| *part = block(index));
    parts.into_iter().collect()
}
