//! The unvisited vertices of a piece of a graph, as a list.

use super::{Bitmap, WORDS, ones};
use crate::choose::tuning::AHEAD;
use crate::graph::Graph;
use crate::vertex::Vertex;
use std::ops::Range;

/// The place of a row is read before the row.
const FAR: usize = 2 * AHEAD;

/// The open vertices of up to [`WORDS`] words of a bitmap. In a symmetric graph, those without arcs are left out.
pub(crate) struct Unvisited<V> {
    vertices: [V; WORDS * 64],
    len: usize,
}

impl<V: Vertex> Unvisited<V> {
    /// Lists the vertices of `words` that are not `closed`, and closes those that have no arcs. Whether a vertex has
    /// arcs is unpredictable, so the loop contains no branch on it.
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
        Unvisited { vertices, len }
    }

    /// Calls `body` with each vertex, and prefetches its row some vertices earlier.
    #[inline(always)]
    pub(crate) fn for_each<G: Graph<Vertex = V>>(&self, graph: &G, mut body: impl FnMut(V)) {
        let vertices = &self.vertices[..self.len];
        vertices.iter().take(FAR).for_each(|&v| graph.prefetch_neighbors(v));
        for (index, &v) in vertices.iter().enumerate() {
            if let Some(&later) = vertices.get(index + FAR) {
                graph.prefetch_neighbors(later);
            }
            body(v);
        }
    }
}
