//! The components that remain when one component has its tree.

use super::islands;
use super::look::sample;
use super::patchwork;
use super::result::Counts;
use super::union_find::collect;
use super::worklist::{Cells, Manner, traverse};
use crate::graph::Graph;
use crate::vertex::{AtomicVertex, Vertex};

/// If at most 1/`FEW` of the vertices and of the arcs remain, one worker traverses them.
const FEW: usize = 64;

/// Whether more than one worker should build the trees of `left`.
fn is_much<G: Graph>(graph: &G, left: &[G::Vertex]) -> bool {
    let num_arcs = || filch::map_reduce(left, || 0, |_, &v| graph.degree(v), usize::saturating_add);
    left.len() > graph.num_vertices() / FEW || num_arcs() > graph.num_arcs() / FEW
}

/// Builds trees of all vertices without a parent. None of them may have a neighbor with a parent.
pub(super) fn finish<G: Graph>(graph: &G, parents: &Cells<G::Vertex>, manner: Manner, counts: &mut Counts) {
    let n = parents.len();
    if filch::num_workers() > 1 && islands::are_common(graph, parents) {
        let settled = islands::settle(graph, parents);
        counts.islands += settled.islands;
        if !settled.are_others {
            return;
        }
    }
    let is_open = |v: &G::Vertex| parents[v.index()].load() == G::Vertex::NONE;
    let mut left = collect(n, |piece, list| {
        for v in piece.map(G::Vertex::new).filter(is_open) {
            // In most graphs, most components have a single vertex.
            if graph.degree(v) == 0 {
                parents[v.index()].store(v);
            } else {
                list.push(v);
            }
        }
    })
    .concat();
    while is_much(graph, &left) {
        let hub = sample::<G::Vertex>(left.len()).map(|i| left[i.index()]).max_by_key(|&v| graph.degree(v));
        let hub = hub.expect("some are left, and all samples are among them");
        parents[hub.index()].store(hub);
        counts.add_traversal(traverse(graph, parents, vec![hub], manner));
        let before = left.len();
        left = collect(before, |piece, list| list.extend(left[piece].iter().copied().filter(is_open))).concat();
        if left.len() > before / 2 {
            // There is no giant component, so traversing one component after the other would be almost serial.
            break;
        }
    }
    if filch::num_workers() > 1 && is_much(graph, &left) {
        counts.links += patchwork::patch_among(graph, parents, &left);
    } else {
        patchwork::plain(graph, parents, &mut Vec::new(), left.into_iter());
    }
}
