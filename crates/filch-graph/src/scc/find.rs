//! The steps: a giant component, and the rest.

use super::algorithm::Algorithm;
use super::result::{Counts, StrongComponents};
use super::{color, tarjan, trim};
use crate::choose::tuning::{COLORED, SMALL};
use crate::graph::Graph;
use crate::parallel_vec::filled;
use crate::sets::{Bitmap, Reach, start};
use crate::vertex::{AtomicVertex, Vertex};
use crate::watch::{Pass, Watch};

/// The labels of all vertices, and how they were found.
pub(super) fn find<G: Graph>(graph: &G, algorithm: Algorithm, watch: &dyn Watch) -> StrongComponents<G::Vertex> {
    let n = graph.num_vertices();
    let advance = |count: usize| watch.advance(count);
    watch.begin(Pass::new("labeling", "vertices", n));
    let is_small = n + graph.num_arcs() < SMALL;
    let component = match algorithm {
        Algorithm::Tarjan => None,
        Algorithm::Auto if is_small => None,
        _ => start(graph).and_then(|pivot| component(graph, pivot)),
    };
    let none = |_| G::Vertex::NONE;
    let labels = match &component {
        Some(component) => component.labels(none),
        None => filled(n, |v| <G::Vertex as Vertex>::Atomic::new(none(v))),
    };
    let count =
        |component: Bitmap| (0..component.words().len()).map(|word| component.word(word).count_ones() as usize).sum();
    let searched = component.map_or(0, count);
    let mut counts = Counts { searched, ..Counts::default() };
    advance(searched);
    let is_colored = match algorithm {
        Algorithm::Tarjan => false,
        Algorithm::Auto => !is_small && filch::num_workers() >= COLORED,
        Algorithm::Color => true,
    };
    if is_colored {
        let open = |labels: &[<G::Vertex as Vertex>::Atomic]| -> Vec<G::Vertex> {
            let open = (0..n).filter(|&v| labels[v].load() == G::Vertex::NONE);
            open.map(G::Vertex::new).collect()
        };
        counts.trimmed = trim::trim(graph, &labels, &open(&labels));
        advance(counts.trimmed);
        let left = open(&labels);
        counts.colored = left.len();
        counts.rounds = color::color(graph, &labels, left, advance);
        return StrongComponents { labels: AtomicVertex::into_vertices(labels), counts };
    }
    let mut labels = AtomicVertex::into_vertices(labels);
    counts.serial = n - searched;
    if counts.serial > 0 {
        tarjan::label(graph, &mut labels, advance);
    }
    StrongComponents { labels, counts }
}

/// The component of `pivot`: the vertices that it reaches and that reach it. `None` if the graph is deep.
fn component<G: Graph>(graph: &G, pivot: usize) -> Option<Bitmap> {
    let n = graph.num_vertices();
    let forward = Reach::<G, true, false>::run(graph, pivot, Bitmap::new(n))?.reached;
    // Paths to the pivot from vertices that it reaches stay among these, so no other is searched.
    let outside = Bitmap::new(n);
    filch::for_each(0..forward.words().len(), |_, word| {
        outside.put_word(word, !forward.word(word) & outside.mask(word));
    });
    let backward = Reach::<G, false, true>::run(graph, pivot, outside)?.reached;
    filch::for_each(0..forward.words().len(), |_, word| {
        forward.put_word(word, forward.word(word) & backward.word(word));
    });
    Some(forward)
}
