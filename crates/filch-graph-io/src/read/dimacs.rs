//! Graphs of the ninth DIMACS implementation challenge, on shortest paths (`.gr`): a line `p sp VERTICES ARCS`, and for
//! each arc a line `a FROM TO WEIGHT`, with vertices numbered from 1. Lines that begin with `c` are comments
//! (Demetrescu, Goldberg and Johnson 2009, "The shortest path problem: ninth DIMACS implementation challenge").

use super::fault::LineFault;
use super::numbers::{Fault, Kind, end, next_count, next_vertex, next_weight, next_word, unexpected};
use super::records::Dialect;
use crate::weight::FileWeight;
use filch_graph::Vertex;
use filch_text::Words;
use std::marker::PhantomData;

const PROBLEM: &str = "the line p sp VERTICES ARCS";

/// What the problem line says.
#[derive(Debug)]
pub(super) struct Dimacs<V, W> {
    pub(super) num_vertices: u64,
    arcs: u64,
    arc: PhantomData<fn() -> (V, W)>,
}

impl<V, W> Dimacs<V, W> {
    pub(super) fn new() -> Self {
        Dimacs { num_vertices: 0, arcs: 0, arc: PhantomData }
    }
}

impl<V: Vertex, W: FileWeight> Dialect for Dimacs<V, W> {
    type Item = (V, V, W);
    const RECORDS: &'static str = "arcs";

    fn head(&mut self, line: &[u8]) -> Result<bool, Fault> {
        let mut words = Words::of(line);
        let Some((place, first)) = words.next() else { return Ok(false) };
        if first[0] == b'c' {
            return Ok(false);
        }
        if first != b"p" {
            return Err((place, unexpected(PROBLEM, Some(first))));
        }
        let (place, kind) = next_word(&mut words, line.len(), || PROBLEM.into())?;
        if kind != b"sp" {
            return Err((place, unexpected("sp, a graph for shortest paths", Some(kind))));
        }
        self.num_vertices = next_count(&mut words, line.len(), "vertices")?;
        self.arcs = next_count(&mut words, line.len(), "arcs")?;
        end(&mut words)?;
        Ok(true)
    }

    fn no_head(&self) -> LineFault {
        LineFault::Expected { expected: PROBLEM.into(), found: "the end of the file".into() }
    }

    fn record(&self, line: &[u8], _: usize, items: &mut Vec<(V, V, W)>) -> Result<bool, Fault> {
        let mut words = Words::of(line);
        let Some((place, first)) = words.next() else { return Ok(false) };
        if first[0] == b'c' {
            return Ok(false);
        }
        if first != b"a" {
            return Err((place, unexpected("a line a FROM TO WEIGHT", Some(first))));
        }
        let u = next_vertex(&mut words, line.len(), self.num_vertices)?;
        let v = next_vertex(&mut words, line.len(), self.num_vertices)?;
        let weight = next_weight(&mut words, line.len(), Kind::Whole)?;
        end(&mut words)?;
        items.push((V::new(u), V::new(v), weight));
        Ok(true)
    }

    fn declared(&self) -> u64 {
        self.arcs
    }
}
