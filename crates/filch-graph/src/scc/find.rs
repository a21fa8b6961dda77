//! The steps: a giant component, and the rest.

use super::algorithm::Algorithm;
use super::result::{Counts, StrongComponents};
use super::{color, reach, tarjan, trim};
use crate::bitmap::{Bitmap, ones};
use crate::choose::tuning::{COLORED, SAMPLES, SMALL};
use crate::filled::filled;
use crate::graph::Graph;
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
        _ => pivot(graph).and_then(|pivot| reach::component(graph, pivot)),
    };
    let labels = labels_of::<G::Vertex>(n, component.as_ref());
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

/// The first vertex of a sample with the most arcs in both directions.
fn pivot<G: Graph>(graph: &G) -> Option<usize> {
    let n = graph.num_vertices();
    let arcs = |v: usize| {
        let v = G::Vertex::new(v);
        graph.degree(v).min(graph.in_neighbors(v).count())
    };
    (0..n).step_by((n / SAMPLES).max(1)).rev().max_by_key(|&v| arcs(v))
}

/// The vertices of `component` have its first vertex as their label; the others have none.
fn labels_of<V: Vertex>(n: usize, component: Option<&Bitmap>) -> Vec<V::Atomic> {
    let first = component.and_then(|component| {
        let mut words = 0..component.words().len();
        words.find_map(|word| ones(component.word(word)).next().map(|bit| V::new(word * 64 + bit)))
    });
    let is_inside = |v: usize| component.is_some_and(|component| component.get(v));
    filled(n, |v| V::Atomic::new(first.filter(|_| is_inside(v)).unwrap_or(V::NONE)))
}
