//! Sweeping: each vertex takes the label of a smaller neighbor, in the order of numbers.
//!
//! If the vertices are numbered by rows or levels, the smaller neighbors of a vertex have their labels when its turn
//! comes, and what is read and written lies in order in memory. So this is faster than any traversal, and on many
//! graphs it is all there is to do. With numbers in no order, labels are read at random places, but no read waits for
//! another, as each step of a traversal does; so one worker is fast if there are few arcs.
//!
//! Labels form [trees](Trees), in which the label of a vertex is never larger than the vertex. There are three steps:
//!
//! 1. The vertices are cut into pieces, some for each worker. Within a piece, labels are plain numbers, because only
//!    one worker writes them: each vertex takes the label of its first smaller neighbor in the piece. If there are few
//!    arcs, its other smaller neighbors are followed, too, and trees that turn out to be connected are merged.
//! 2. Arcs between pieces are linked as in Afforest. If there are many of them, the first step is abandoned, and one
//!    worker takes it for all vertices.
//! 3. Arcs that the first step has left out are followed. If most vertices have the same label, only those of the
//!    others are.

use crate::choose::is_near;
use crate::choose::tuning::{PIECE, PIECES, SAMPLES, SMALL, SWEEP_WORTH, VERTICES_PER_LINK};
use crate::graph::Graph;
use crate::parallel_vec::repeated;
use crate::sets::{Trees, unite};
use crate::vertex::{AtomicVertex, Vertex};
use crate::watch::look_at;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The labels of the components of `graph`.
pub(super) fn sweep<G: Graph, const DIRECTED: bool>(graph: &G) -> Vec<G::Vertex> {
    if graph.num_arcs() / SWEEP_WORTH <= graph.num_vertices() {
        return label::<G, DIRECTED, true>(graph);
    }
    let labels = label::<G, DIRECTED, false>(graph);
    let frequent = frequent(&labels);
    let (n, trees) = (labels.len(), trees_of(labels));
    let has_linked = filch::map_reduce(
        0..n.div_ceil(SMALL),
        || false,
        |_, piece| link_rest::<G, DIRECTED>(graph, &trees, piece * SMALL..n.min((piece + 1) * SMALL), frequent),
        |a, b| a | b,
    );
    if has_linked {
        trees.flatten(None);
    }
    trees.into_vertices()
}

fn trees_of<V: Vertex>(labels: Vec<V>) -> Trees<V> {
    Trees::of(labels.into_iter().map(AtomicVertex::new).collect())
}

/// The labels after the first two steps.
fn label<G: Graph, const DIRECTED: bool, const ALL: bool>(graph: &G) -> Vec<G::Vertex> {
    let n = graph.num_vertices();
    let workers = filch::num_workers();
    let mut labels = repeated(n, || G::Vertex::new(0));
    let piece = n.div_ceil(workers * PIECES).max(SMALL);
    let mut found = None;
    // Near memory, one worker has swept it before others have begun.
    if workers > 1 && !is_near(n, size_of::<G::Vertex>()) {
        let room = AtomicUsize::new(n / VERTICES_PER_LINK);
        let pieces = (0_usize.., filch::chunks_mut(&mut labels, piece));
        found = filch::map_reduce(
            pieces,
            || Some(Labeled::new()),
            |_, (index, labels)| label_piece::<G, DIRECTED, ALL, true>(graph, index * piece, labels, &room),
            |a, b| Some(a?.and(b?)),
        );
    }
    let Some(Labeled { links, has_merged }) = found else {
        let room = AtomicUsize::new(0);
        let alone = label_piece::<G, DIRECTED, ALL, false>(graph, 0, &mut labels, &room);
        let alone = alone.expect("there is no other piece");
        if alone.has_merged {
            flatten(&mut labels);
        }
        return labels;
    };
    if !has_merged && links.is_empty() {
        return labels;
    }
    let trees = trees_of(labels);
    filch::for_each(&links, |_, &(u, v)| _ = trees.link(u, v));
    trees.flatten(None);
    trees.into_vertices()
}

/// Sets the label of each vertex to its root, by one worker. A label is not larger than its vertex, so the label of a
/// label is a root already when the turn of the vertex comes.
fn flatten<V: Vertex>(labels: &mut [V]) {
    for index in 0..labels.len() {
        look_at(index);
        labels[index] = labels[labels[index].index()];
    }
}

/// What the first step leaves to do.
struct Labeled<V> {
    /// For the second step.
    links: Vec<(V, V)>,
    /// Whether trees were merged, so that there are labels of labels.
    has_merged: bool,
}

impl<V> Labeled<V> {
    fn new() -> Self {
        Labeled { links: Vec::new(), has_merged: false }
    }

    fn and(mut self, other: Self) -> Self {
        self.links.extend(other.links);
        Labeled { links: self.links, has_merged: self.has_merged | other.has_merged }
    }
}

/// The first step, for the vertices from `start` on. If `ALL`, all of their smaller neighbors are followed. If `CUT`,
/// some are in other pieces. `None` if that leaves more links than there is `room` for.
fn label_piece<G: Graph, const DIRECTED: bool, const ALL: bool, const CUT: bool>(
    graph: &G,
    start: usize,
    labels: &mut [G::Vertex],
    room: &AtomicUsize,
) -> Option<Labeled<G::Vertex>> {
    let mut found = Labeled::new();
    let mut counted = 0;
    for index in 0..labels.len() {
        look_at(index);
        let v = G::Vertex::new(start + index);
        let mut row = Row { v, label: v, outside: None };
        // Loops, not `any`, whose body the compiler often calls for each arc: that takes twice the time of this step.
        let mut is_done = false;
        for u in graph.neighbors(v) {
            is_done = row.follow::<ALL, CUT>(u, start, labels, &mut found);
            if is_done {
                break;
            }
        }
        if DIRECTED && !is_done {
            for u in graph.in_neighbors(v) {
                if row.follow::<ALL, CUT>(u, start, labels, &mut found) {
                    break;
                }
            }
        }
        labels[index] = row.label;
        if !CUT {
            continue;
        }
        if row.label == v {
            found.links.extend(row.outside.map(|u| (u, v)));
        }
        if found.links.len() >= counted + PIECE {
            let new = found.links.len() - counted;
            room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |room| room.checked_sub(new)).ok()?;
            counted += new;
        }
    }
    Some(found)
}

/// A vertex in the first step.
struct Row<V> {
    v: V,
    label: V,
    /// A smaller neighbor in another piece.
    outside: Option<V>,
}

impl<V: Vertex> Row<V> {
    /// Follows the arc to `u`. Returns whether the other arcs can be left out.
    #[inline(always)]
    fn follow<const ALL: bool, const CUT: bool>(
        &mut self,
        u: V,
        start: usize,
        labels: &mut [V],
        found: &mut Labeled<V>,
    ) -> bool {
        if u >= self.v {
            return false;
        }
        if CUT && u.index() < start {
            if ALL {
                found.links.push((u, self.v));
            } else {
                self.outside = self.outside.or(Some(u));
            }
            return false;
        }
        let other = labels[u.index() - start];
        if other != self.label {
            if self.label == self.v {
                self.label = other;
            } else {
                self.merge(other, start, labels);
                found.has_merged = true;
            }
        }
        !ALL
    }

    /// Merges the tree of `other` with that of the label, which becomes their root.
    #[inline(always)]
    fn merge(&mut self, other: V, start: usize, labels: &mut [V]) {
        let is_root = |labels: &[V], v: V| labels[v.index() - start] == v;
        // A hub before which its neighbors come has one such root after the other.
        if other > self.label && is_root(labels, other) && is_root(labels, self.label) {
            labels[other.index() - start] = self.label;
        } else {
            self.label = merge(labels, start, self.label, other);
        }
    }
}

/// Merges the trees of two labels of a piece. Returns the root. Not inlined: where there is nothing to merge, its
/// variables would take registers from the loop.
#[inline(never)]
fn merge<V: Vertex>(labels: &mut [V], start: usize, a: V, b: V) -> V {
    unite(labels, start, a, b).0
}

/// A label that most of a sample of the vertices have.
fn frequent<V: Vertex>(labels: &[V]) -> Option<V> {
    let mut sample: Vec<V> = labels.iter().step_by((labels.len() / SAMPLES).max(1)).copied().collect();
    sample.sort_unstable();
    let middle = *sample.get(sample.len() / 2)?;
    (sample.iter().filter(|&&label| label == middle).count() * 2 > sample.len()).then_some(middle)
}

/// The third step, for some vertices. Returns whether any labels differed.
fn link_rest<G: Graph, const DIRECTED: bool>(
    graph: &G,
    trees: &Trees<G::Vertex>,
    vertices: Range<usize>,
    frequent: Option<G::Vertex>,
) -> bool {
    let mut has_linked = false;
    for v in vertices.map(G::Vertex::new) {
        let label = trees.above(v);
        if Some(label) == frequent {
            continue;
        }
        let mut link = |u: G::Vertex| {
            if trees.above(u) != label {
                has_linked = true;
                trees.link(u, v);
            }
        };
        if frequent.is_none() && !DIRECTED {
            // Each edge is seen from both ends; once is enough.
            graph.neighbors(v).filter(|&u| u < v).for_each(&mut link);
            continue;
        }
        graph.neighbors(v).for_each(&mut link);
        if DIRECTED && frequent.is_some() {
            graph.in_neighbors(v).for_each(&mut link);
        }
    }
    has_linked
}
