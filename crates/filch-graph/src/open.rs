//! Lists of the vertices that are still to be looked at, a piece of the graph at a time.

use crate::bitmap::{Bitmap, ones};
use crate::graph::Graph;
use crate::vertex::Vertex;
use std::ops::Range;

/// Words of the bitmaps in a piece of the work: enough to hint ahead, few enough for the stack.
pub(crate) const WORDS: usize = 8;

/// How many rows ahead are hinted at: far enough for memory to answer.
const AHEAD: usize = 16;

/// The vertices of up to [`WORDS`] words that are open and, if that is easily told, have arcs.
pub(crate) struct Open<V> {
    vertices: [V; WORDS * 64],
    len: usize,
}

impl<V: Vertex> Open<V> {
    /// Closes those that have no arcs. Which ones these are is not to be guessed, so there is no branch for it.
    #[inline(always)]
    pub(crate) fn of<G: Graph<Vertex = V>>(graph: &G, closed: &Bitmap, words: Range<usize>) -> Self {
        let (mut vertices, mut len) = ([V::NONE; WORDS * 64], 0);
        let (is_symmetric, num_words) = (graph.is_symmetric(), words.len());
        assert!(num_words <= WORDS);
        for word in words {
            let (old, mut alone) = (closed.word(word), 0);
            for bit in ones(!old & closed.mask(word)) {
                let v = V::new(word * 64 + bit);
                let has_arcs = !is_symmetric || graph.degree(v) > 0;
                vertices[len] = v;
                len += usize::from(has_arcs);
                alone |= u64::from(!has_arcs) << bit;
            }
            if alone != 0 {
                closed.put_word(word, old | alone);
            }
        }
        Open { vertices, len }
    }

    /// Calls `body` with each, and hints at its row some time before.
    #[inline(always)]
    pub(crate) fn for_each<G: Graph<Vertex = V>>(&self, graph: &G, mut body: impl FnMut(V)) {
        let vertices = &self.vertices[..self.len];
        vertices.iter().take(AHEAD).for_each(|&v| graph.prefetch_neighbors(v));
        for (index, &v) in vertices.iter().enumerate() {
            if let Some(&later) = vertices.get(index + AHEAD) {
                graph.prefetch_neighbors(later);
            }
            body(v);
        }
    }
}
