//! Adjacency graphs of Ligra: the word `AdjacencyGraph` or `WeightedAdjacencyGraph`, the numbers of vertices and arcs,
//! for each vertex the offset of its row, for each arc its target and, in the second form, for each arc its weight; one
//! a line (Shun and Blelloch 2013, "Ligra: a lightweight graph processing framework for shared memory", and the
//! documentation of its implementation).

use super::error::{BadLine, ReadError};
use super::fault::LineFault;
use super::numbers::{Fault, Kind, end, next_count, next_word, unexpected, weight, whole};
use super::records::{Dialect, Records};
use crate::weight::FileWeight;
use filch_graph::Vertex;
use filch_text::Words;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;
use std::path::Path;

/// The first line of a file without weights.
pub(super) const PLAIN: &[u8] = b"AdjacencyGraph";

/// The first line of a file with weights.
pub(super) const WEIGHTED: &[u8] = b"WeightedAdjacencyGraph";

/// The lines of the header, the third of which has the number of arcs.
const HEAD_LINES: u64 = 3;

/// What the first three lines say. Whether an item is an offset, a target or a weight depends on its position, which is
/// not known while it is read.
#[derive(Debug)]
pub(super) struct Ligra<W> {
    weighted: Option<bool>,
    vertices: Option<u64>,
    arcs: u64,
    weight: PhantomData<fn() -> W>,
}

/// A line, in 64 bits: a whole number of digits, the bits of a weight that is spelled otherwise, or nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Item(u64);

/// What an item means.
enum Found {
    Whole(u64),
    Weight(f32),
    Nothing,
}

impl Item {
    const NOTHING: Item = Item(u64::MAX);
    /// The bit that tells weights from whole numbers.
    const WEIGHT: u64 = 1 << 63;

    /// A whole number, if it is not too large.
    fn whole(number: u64) -> Option<Item> {
        (number & Item::WEIGHT == 0).then_some(Item(number))
    }

    fn weight(weight: f32) -> Item {
        Item(Item::WEIGHT | u64::from(weight.to_bits()))
    }

    fn found(self) -> Found {
        match self {
            Item::NOTHING => Found::Nothing,
            Item(number) if number & Item::WEIGHT == 0 => Found::Whole(number),
            Item(bits) => Found::Weight(f32::from_bits(bits as u32)),
        }
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Found::Whole(number) => number.fmt(f),
            Found::Weight(weight) => weight.fmt(f),
            Found::Nothing => f.write_str("an empty line"),
        }
    }
}

impl<W> Ligra<W> {
    pub(super) fn new() -> Self {
        Ligra { weighted: None, vertices: None, arcs: 0, weight: PhantomData }
    }

    pub(super) fn num_vertices(&self) -> u64 {
        self.vertices.unwrap_or(0)
    }
}

impl<W: FileWeight> Dialect for Ligra<W> {
    type Item = Item;
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

    fn record(&self, line: &[u8], _: usize, items: &mut Vec<Item>) -> Result<bool, Fault> {
        let mut words = Words::of(line);
        // An empty line is a record, because lines are counted; at the end of the file it is none too many.
        let Some((place, word)) = words.next() else {
            items.push(Item::NOTHING);
            return Ok(true);
        };
        end(&mut words)?;
        items.push(match whole(word).and_then(Item::whole) {
            Some(number) => number,
            None if self.weighted == Some(true) => {
                let weight: W = weight(word, Kind::Real).map_err(|fault| (place, fault))?;
                Item::weight(weight.value())
            }
            None => return Err((place, unexpected("a whole number", Some(word)))),
        });
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

/// The lines of a file, by position.
struct Items<'a> {
    parts: &'a [Vec<Item>],
    /// The position of the first item of each part.
    starts: Vec<usize>,
}

impl Items<'_> {
    fn at(&self, position: usize) -> Found {
        let part = self.starts.partition_point(|&start| start <= position) - 1;
        self.parts[part][position - self.starts[part]].found()
    }

    /// The number at a position where there is one, as has been checked.
    fn number(&self, position: usize) -> usize {
        match self.at(position) {
            Found::Whole(number) => number as usize,
            Found::Weight(_) | Found::Nothing => 0,
        }
    }
}

/// The number of vertices whose arcs make a part.
const BLOCK: usize = 1 << 12;

/// An arc: its source, its target and its weight.
pub(super) type Arc<V, W> = (V, V, W);

/// The arcs of a file, in the order of their sources.
pub(super) fn arcs<V: Vertex, W: FileWeight>(
    records: &Records<Ligra<W>>,
    path: &Path,
) -> Result<Vec<Vec<Arc<V, W>>>, ReadError> {
    let Ligra { weighted, vertices, arcs, .. } = records.dialect;
    let (n, m) = (vertices.unwrap_or(0) as usize, arcs as usize);
    let mut starts = Vec::with_capacity(records.parts.len());
    let mut before = 0;
    for part in &records.parts {
        starts.push(before);
        before += part.len();
    }
    let items = Items { parts: &records.parts, starts };
    let fault = |position: usize, fault| BadLine { line: HEAD_LINES + position as u64 + 1, column: 1, fault }.of(path);
    let whole = |position: usize, range: Range<usize>, what: &str| {
        let found = match items.at(position) {
            Found::Whole(number) if range.contains(&(number as usize)) => return Ok(number as usize),
            found => found.to_string(),
        };
        let expected = match range.len() {
            0 => format!("no {what}, as there are no vertices"),
            _ => format!("{what} from {} to {}", range.start, range.end - 1),
        };
        Err(fault(position, LineFault::Expected { expected, found }))
    };
    // The row of vertex v begins between the row before it and the end of all.
    let offset = |v: usize| {
        let least = if v == 0 { 0 } else { items.number(v - 1) };
        let most = if v == 0 { 0 } else { m };
        whole(v, least.min(most)..most + 1, "the offset of a row")
    };
    if n == 0 && m > 0 {
        return Err(records.of_header(LineFault::TooFew { what: "arcs", declared: arcs, found: 0 }, path));
    }
    let weight = |position: usize| match items.at(position) {
        Found::Whole(number) if W::IS_KEPT && number as f32 as u64 != number => {
            Err(fault(position, LineFault::InexactWeight { found: number.to_string() }))
        }
        Found::Whole(number) => Ok(W::of(number as f32)),
        Found::Weight(weight) => Ok(W::of(weight)),
        Found::Nothing => Err(fault(position, LineFault::NotAWeight { found: String::new() })),
    };
    let bad = filch::map_reduce(0..n, || None, |_, v| offset(v).err(), |a, b| a.or(b));
    if let Some(error) = bad {
        return Err(error);
    }
    let start = |v: usize| if v == n { m } else { items.number(v) };
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
