//! Coloring: in each round, every vertex gets the color of the first vertex, in a random order, that reaches it over
//! unlabeled vertices of its class. The component of such a vertex is what reaches it within its color (Orzan 2004,
//! "On distributed verification and verified distribution"). The colors are the classes of the next round, because an
//! arc between two colors is in no component. Random orders make it likely that half of those which reach a vertex are
//! no longer in its class after a round, so that the number of rounds is logarithmic even for a chain of components.

use crate::graph::Graph;
use crate::vertex::{AtomicVertex, Vertex};
use filch_algorithms::tabulate;

type Cells<V> = [<V as Vertex>::Atomic];

/// The place of a vertex in a random order, a bijection of the numbers (the finalizer of `SplitMix64`; Steele, Lea and
/// Flood 2014).
#[inline(always)]
fn place<V: Vertex>(v: V, round: usize) -> u64 {
    let mut place = (v.index() as u64) ^ (round as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    place = (place ^ place >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    place = (place ^ place >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    place ^ place >> 31
}

/// Labels the vertices of `left`, which are all unlabeled vertices. Returns the number of rounds. Calls `advance` with
/// numbers of labeled vertices.
pub(super) fn color<G: Graph>(
    graph: &G,
    labels: &Cells<G::Vertex>,
    mut left: Vec<G::Vertex>,
    advance: impl Fn(usize),
) -> usize {
    let own = || tabulate(labels.len(), |v| <G::Vertex as Vertex>::Atomic::new(G::Vertex::new(v)));
    // At first all vertices are in one class.
    let classes = tabulate(labels.len(), |_| <G::Vertex as Vertex>::Atomic::new(G::Vertex::NONE));
    let (colors, smallest) = (own(), own());
    let get = |cells: &Cells<G::Vertex>, v: G::Vertex| cells[v.index()].load();
    let is_open = |v: G::Vertex| get(labels, v) == G::Vertex::NONE;
    let mut rounds = 0;
    while !left.is_empty() {
        filch::for_each(&left, |_, &v| colors[v.index()].store(v));
        spread(graph, &left, &colors, rounds, |v, w| is_open(w) && get(&classes, v) == get(&classes, w));
        // A vertex that keeps its color labels its component.
        let firsts = left.iter().copied().filter(|&v| get(&colors, v) == v);
        let firsts: Vec<_> = firsts.inspect(|&v| labels[v.index()].store(v)).collect();
        filch::traverse(
            firsts,
            || (),
            |list, v| {
                let color = get(&colors, v);
                for u in graph.in_neighbors(v) {
                    if is_open(u) && get(&colors, u) == color && labels[u.index()].replace(G::Vertex::NONE, color) {
                        list.push(u);
                    }
                }
            },
        );
        // From here on no label is read as that of another vertex, so those of this round may become the smallest.
        filch::for_each(&left, |_, &v| {
            if !is_open(v) {
                lower(&smallest[get(labels, v).index()], v);
            }
        });
        filch::for_each(&left, |_, &v| {
            if is_open(v) {
                classes[v.index()].store(get(&colors, v));
            } else {
                labels[v.index()].store(get(&smallest, get(labels, v)));
            }
        });
        let before = left.len();
        left.retain(|&v| is_open(v));
        advance(before - left.len());
        rounds += 1;
    }
    rounds
}

/// Spreads colors along arcs between vertices of the same class until each vertex has the color of the highest place
/// that reaches it. A vertex whose color changes is visited again.
fn spread<G: Graph>(
    graph: &G,
    left: &[G::Vertex],
    colors: &Cells<G::Vertex>,
    round: usize,
    is_inside: impl Fn(G::Vertex, G::Vertex) -> bool + Send + Sync,
) {
    filch::traverse(
        left.iter().copied(),
        || (),
        |list, v| {
            let color = colors[v.index()].load();
            let high = place(color, round);
            for w in graph.neighbors(v) {
                let cell = &colors[w.index()];
                let mut old = cell.load();
                while place(old, round) < high && is_inside(v, w) {
                    if cell.replace(old, color) {
                        list.push(w);
                        break;
                    }
                    old = cell.load();
                }
            }
        },
    );
}

/// Stores the smaller one of `v` and the vertex in `cell`.
fn lower<V: Vertex>(cell: &V::Atomic, v: V) {
    let mut old = cell.load();
    while v < old && !cell.replace(old, v) {
        old = cell.load();
    }
}
