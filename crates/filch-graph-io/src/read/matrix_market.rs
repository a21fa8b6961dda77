//! Matrix Market exchange files (`.mtx`) of sparse square matrices: row i, column j is an arc from vertex i to vertex j
//! (Boisvert, Pozo and Remington 1996, "The Matrix Market exchange formats: initial design", sections 2 and 3).
//!
//! The first line is `%%MatrixMarket matrix coordinate FIELD SYMMETRY`. Comments and the numbers of rows, columns and
//! entries follow, and then the entries, with rows and columns counted from 1.

use super::fault::LineFault;
use super::line::{BANNER, is_banner};
use super::numbers::{Fault, Kind, end, next_count, next_vertex, next_weight, next_word, unexpected};
use super::records::Dialect;
use crate::weight::FileWeight;
use filch_graph::Vertex;
use filch_text::Words;
use std::marker::PhantomData;

const EXPECTED_BANNER: &str = "%%MatrixMarket matrix coordinate, with pattern, integer or real, general or symmetric";

/// What the first two lines say.
#[derive(Debug)]
pub(super) struct MatrixMarket<V, W> {
    banner: Option<Banner>,
    pub(super) num_vertices: u64,
    entries: u64,
    arc: PhantomData<fn() -> (V, W)>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Banner {
    /// The kind of the values, or `None` for a pattern.
    pub(super) values: Option<Kind>,
    pub(super) symmetric: bool,
}

impl Banner {
    /// Reads the first line.
    pub(super) fn of(line: &[u8]) -> Result<Banner, Fault> {
        let mut words = Words::of(line);
        let (place, word) = next_word(&mut words, line.len(), || BANNER.into())?;
        if !is_banner(word) {
            return Err((place, unexpected(BANNER, Some(word))));
        }
        let mut one_of = |choices: &[&str]| {
            let expected = || choices.join(" or ");
            let (place, word) = next_word(&mut words, line.len(), expected)?;
            let found = choices.iter().position(|choice| word.eq_ignore_ascii_case(choice.as_bytes()));
            found.ok_or_else(|| (place, unexpected(expected(), Some(word))))
        };
        one_of(&["matrix"])?;
        one_of(&["coordinate"])?;
        let values = [None, Some(Kind::Whole), Some(Kind::Real)][one_of(&["pattern", "integer", "real"])?];
        let symmetric = one_of(&["general", "symmetric"])? == 1;
        end(&mut words)?;
        Ok(Banner { values, symmetric })
    }
}

impl<V, W> MatrixMarket<V, W> {
    pub(super) fn new() -> Self {
        MatrixMarket { banner: None, num_vertices: 0, entries: 0, arc: PhantomData }
    }

    pub(super) fn is_symmetric(&self) -> bool {
        self.banner.is_some_and(|banner| banner.symmetric)
    }
}

impl<V: Vertex, W: FileWeight> Dialect for MatrixMarket<V, W> {
    type Item = (V, V, W);
    const RECORDS: &'static str = "entries";

    fn head(&mut self, line: &[u8]) -> Result<bool, Fault> {
        if self.banner.is_none() {
            self.banner = Some(Banner::of(line)?);
            return Ok(false);
        }
        let mut words = Words::of(line);
        if line.first() == Some(&b'%') || words.next().is_none() {
            return Ok(false);
        }
        let mut words = Words::of(line);
        let rows = next_count(&mut words, line.len(), "rows")?;
        let columns = next_count(&mut words, line.len(), "columns")?;
        self.entries = next_count(&mut words, line.len(), "entries")?;
        end(&mut words)?;
        if rows != columns {
            let fault = LineFault::Expected {
                expected: "as many columns as rows, because a graph is a square matrix".into(),
                found: format!("{rows} rows and {columns} columns"),
            };
            return Err((0, fault));
        }
        self.num_vertices = rows;
        Ok(true)
    }

    fn no_head(&self) -> LineFault {
        let expected = if self.banner.is_none() { EXPECTED_BANNER } else { "the numbers of rows, columns and entries" };
        LineFault::Expected { expected: expected.into(), found: "the end of the file".into() }
    }

    fn record(&self, line: &[u8], _: usize, items: &mut Vec<(V, V, W)>) -> Result<bool, Fault> {
        let mut words = Words::of(line);
        if line.first() == Some(&b'%') || words.next().is_none() {
            return Ok(false);
        }
        let Some(Banner { values, symmetric }) = self.banner else { return Ok(false) };
        let mut words = Words::of(line);
        let u = next_vertex(&mut words, line.len(), self.num_vertices)?;
        let v = next_vertex(&mut words, line.len(), self.num_vertices)?;
        let weight = values.map_or(Ok(W::of(1.0)), |kind| next_weight(&mut words, line.len(), kind))?;
        end(&mut words)?;
        if symmetric && v > u {
            let fault = LineFault::Expected {
                expected: "an entry on or below the diagonal, because the matrix is symmetric".into(),
                found: format!("row {}, column {}", u + 1, v + 1),
            };
            return Err((0, fault));
        }
        items.push((V::new(u), V::new(v), weight));
        Ok(true)
    }

    fn declared(&self) -> u64 {
        self.entries
    }
}
