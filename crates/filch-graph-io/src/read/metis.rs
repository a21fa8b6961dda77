//! Graph files of METIS (`.graph`): a line `VERTICES EDGES [FORMAT [CONSTRAINTS]]`, and for each vertex a line with its
//! neighbors, numbered from 1 (Karypis 2013, "METIS: A software package for partitioning unstructured graphs, version
//! 5.1.0", section 4.1.1).
//!
//! The format has three digits: whether vertices have sizes, vertices have weights, and edges have weights. Sizes and
//! weights of vertices are checked and left out, and [`Loaded`](super::Loaded) says so. Lines that begin with `%` are
//! comments; an empty line is a vertex without neighbors.

use super::fault::LineFault;
use super::numbers::{Fault, Kind, end, next_count, next_vertex, next_word, unexpected, weight, whole};
use super::records::Dialect;
use crate::weight::FileWeight;
use filch_graph::Vertex;
use filch_text::{Words, shown};
use std::marker::PhantomData;

/// What the first line says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) num_vertices: u64,
    pub(super) num_edges: u64,
    /// The numbers of a line that belong to its vertex: its size, and its weights.
    has_size: bool,
    num_weights: u64,
    pub(super) weighted: bool,
}

impl Header {
    /// Whether a line has numbers of its vertex before those of its neighbors.
    pub(super) fn has_more(&self) -> bool {
        self.skipped() > 0
    }

    fn skipped(&self) -> u64 {
        u64::from(self.has_size) + self.num_weights
    }

    /// What these numbers are. No algorithm here asks for them.
    pub(super) fn left_out(&self) -> Option<&'static str> {
        match (self.has_size, self.num_weights > 0) {
            (false, false) => None,
            (true, false) => Some("the sizes of the vertices"),
            (false, true) => Some("the weights of the vertices"),
            (true, true) => Some("the sizes and the weights of the vertices"),
        }
    }

    pub(super) fn of(line: &[u8]) -> Result<Header, Fault> {
        let mut words = Words::of(line);
        let mut header = Header {
            num_vertices: next_count(&mut words, line.len(), "vertices")?,
            num_edges: next_count(&mut words, line.len(), "edges")?,
            ..Header::default()
        };
        let Some((place, format)) = words.next() else { return Ok(header) };
        let is_format = (1..=3).contains(&format.len()) && format.iter().all(|digit| matches!(digit, b'0' | b'1'));
        if !is_format {
            let expected = "a format of up to three digits, each 0 or 1";
            return Err((place, unexpected(expected, Some(format))));
        }
        let digit = |from_end: usize| format.iter().rev().nth(from_end) == Some(&b'1');
        header.weighted = digit(0);
        // More constraints than this do not fit in a line anyway.
        const MOST_CONSTRAINTS: u64 = 1 << 20;
        let constraints = match words.next() {
            None => 1,
            Some((place, word)) => whole(word)
                .filter(|&count| count <= MOST_CONSTRAINTS)
                .ok_or_else(|| (place, unexpected("the number of weights of a vertex", Some(word))))?,
        };
        end(&mut words)?;
        (header.has_size, header.num_weights) = (digit(2), if digit(1) { constraints } else { 0 });
        Ok(header)
    }
}

/// A file of METIS. The first vertex of an item is counted from the first record of its chunk until it is moved.
#[derive(Debug)]
pub(super) struct Metis<V, W> {
    pub(super) header: Header,
    arc: PhantomData<fn() -> (V, W)>,
}

impl<V, W> Metis<V, W> {
    pub(super) fn new() -> Self {
        Metis { header: Header::default(), arc: PhantomData }
    }
}

fn is_comment(line: &[u8]) -> bool {
    Words::of(line).next().is_some_and(|(_, word)| word[0] == b'%')
}

impl<V: Vertex, W: FileWeight> Dialect for Metis<V, W> {
    type Item = (V, V, W);
    const RECORDS: &'static str = "vertices";
    const MAY_BE_EMPTY: bool = true;

    fn head(&mut self, line: &[u8]) -> Result<bool, Fault> {
        if is_comment(line) || Words::of(line).next().is_none() {
            return Ok(false);
        }
        self.header = Header::of(line)?;
        Ok(true)
    }

    fn no_head(&self) -> LineFault {
        LineFault::Expected {
            expected: "the numbers of vertices and edges".into(),
            found: "the end of the file".into(),
        }
    }

    fn record(&self, line: &[u8], before: usize, items: &mut Vec<(V, V, W)>) -> Result<bool, Fault> {
        if is_comment(line) {
            return Ok(false);
        }
        let Header { num_vertices, weighted, .. } = self.header;
        let mut words = Words::of(line);
        let is_empty = Words::of(line).next().is_none();
        for _ in 0..if is_empty { 0 } else { self.header.skipped() } {
            let (place, word) = next_word(&mut words, line.len(), || "a size or weight of the vertex".into())?;
            if whole(word).is_none() {
                return Err((place, unexpected("a size or weight of the vertex", Some(word))));
            }
        }
        while words.peek() {
            let v = next_vertex(&mut words, line.len(), num_vertices)?;
            let mut kept = W::of(1.0);
            if weighted {
                let (place, word) = next_word(&mut words, line.len(), || "a weight".into())?;
                kept = weight(word, Kind::Whole).map_err(|fault| (place, fault))?;
                if word[0] == b'-' || word.iter().all(|digit| matches!(digit, b'0' | b'+')) {
                    let fault = LineFault::Expected { expected: "a weight above 0".into(), found: shown(word) };
                    return Err((place, fault));
                }
            }
            items.push((V::new(before), V::new(v), kept));
        }
        Ok(true)
    }

    fn declared(&self) -> u64 {
        self.header.num_vertices
    }

    /// Empty lines at the end of the file are no vertices.
    fn is_excess(&self, line: &[u8]) -> bool {
        Words::of(line).next().is_some()
    }

    fn moved((u, v, weight): (V, V, W), before: u64) -> (V, V, W) {
        (V::new(u.index() + before as usize), v, weight)
    }
}
