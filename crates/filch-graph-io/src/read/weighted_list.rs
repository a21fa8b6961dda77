//! Edge lists with weights: text with two vertices and a weight per line, as in the `.wel` files of the GAP Benchmark
//! Suite.

use super::error::ReadError;
use super::line::{Rules, vertex};
use super::numbers::{Fault, Kind, end, next_weight, next_word};
use super::options::ReadOptions;
use super::records::Dialect;
use crate::weight::FileWeight;
use filch_graph::Vertex;
use filch_text::Words;
use std::marker::PhantomData;
use std::path::Path;

/// An edge list with weights. It has no header.
#[derive(Debug)]
pub(super) struct WeightedList<V, W> {
    rules: Rules,
    edge: PhantomData<fn() -> (V, W)>,
}

impl<V: Vertex, W> WeightedList<V, W> {
    pub(super) fn new(path: &Path, options: &ReadOptions) -> Result<Self, ReadError> {
        Ok(WeightedList { rules: Rules::of::<V>(path, options)?, edge: PhantomData })
    }
}

impl<V: Vertex, W: FileWeight> Dialect for WeightedList<V, W> {
    type Item = (V, V, W);
    const RECORDS: &'static str = "edges";
    const HAS_HEAD: bool = false;

    fn record(&self, line: &[u8], _: usize, items: &mut Vec<(V, V, W)>) -> Result<bool, Fault> {
        let mut words = Words::of(line);
        if !words.peek() || matches!(line[words.place()], b'#' | b'%') {
            return Ok(false);
        }
        let mut next_vertex = |expected: &str| {
            let (place, word) = next_word(&mut words, line.len(), || expected.to_owned())?;
            vertex(word, &self.rules).map_err(|fault| (place, fault))
        };
        let u = next_vertex("the number of a vertex")?;
        let v = next_vertex("a second vertex and a weight")?;
        let weight = next_weight(&mut words, line.len(), Kind::Real)?;
        end(&mut words)?;
        items.push((V::new(u as usize), V::new(v as usize), weight));
        Ok(true)
    }

    fn highest(items: &[(V, V, W)]) -> Option<u64> {
        items.iter().map(|&(u, v, _)| u.max(v)).max().map(|vertex| vertex.index() as u64)
    }
}
