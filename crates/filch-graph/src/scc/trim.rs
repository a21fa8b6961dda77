//! Trimming: a vertex to which no arc leads from unlabeled vertices, or from which none leads to them, is a component.
//! Labeling it may leave others in this state.

use crate::graph::Graph;
use crate::vertex::{AtomicVertex, Vertex};
use filch_algorithms::tabulate;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Labels vertices of `left`, which are all unlabeled vertices, and returns their number.
///
/// Each arc decrements the count at one of its ends at most once, because a vertex is visited once. The decrement that
/// makes a count 0 is unique, and a vertex both of whose counts become 0 is visited by whoever labels it first.
pub(super) fn trim<G: Graph>(graph: &G, labels: &[<G::Vertex as Vertex>::Atomic], left: &[G::Vertex]) -> usize {
    let is_open = |v: G::Vertex| labels[v.index()].load() == G::Vertex::NONE;
    let zeros = || tabulate(labels.len(), |_| AtomicUsize::new(0));
    let (into, out) = (zeros(), zeros());
    filch::for_each(left, |_, &v| {
        let count = |neighbors: usize, counts: &[AtomicUsize]| counts[v.index()].store(neighbors, Ordering::Relaxed);
        count(graph.in_neighbors(v).filter(|&u| u != v && is_open(u)).count(), &into);
        count(graph.neighbors(v).filter(|&w| w != v && is_open(w)).count(), &out);
    });
    let claim = |v: G::Vertex| labels[v.index()].replace(G::Vertex::NONE, v);
    let is_alone = |v: G::Vertex| [&into, &out].iter().any(|counts| counts[v.index()].load(Ordering::Relaxed) == 0);
    let roots: Vec<_> = left.iter().copied().filter(|&v| is_alone(v) && claim(v)).collect();
    let trimmed = filch::traverse(
        roots,
        || 0,
        |list, v| {
            *list.workspace() += 1;
            for w in graph.neighbors(v).filter(|&w| w != v && is_open(w)) {
                if into[w.index()].fetch_sub(1, Ordering::Relaxed) == 1 && claim(w) {
                    list.push(w);
                }
            }
            for u in graph.in_neighbors(v).filter(|&u| u != v && is_open(u)) {
                if out[u.index()].fetch_sub(1, Ordering::Relaxed) == 1 && claim(u) {
                    list.push(u);
                }
            }
        },
    );
    trimmed.workspaces.into_iter().sum()
}
