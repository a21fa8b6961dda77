//! Sweeping: each vertex takes a neighbor that comes before it as its parent, in the order of numbers, by one worker,
//! which notes on the way which edges join trees.
//!
//! A vertex with no such neighbor joins the tree of the first of its other neighbors, or founds one, with that neighbor
//! in it: so all leaves of a star are in one tree, though they come before its center. Trees have numbers, in the order
//! in which they are founded. If a vertex has a neighbor before it that is in another tree than itself, the edge joins
//! the two, unless they are joined already: a union-find of the numbers of trees knows. It is small, because few
//! vertices found trees. In the end, trees hang on each other along these edges: each but the first of its component is
//! rerooted once, by reversing a path in it.
//!
//! A pass may also begin with the largest vertex, where more vertices have neighbors before them then: in a tree with
//! its leaves first, none but the root founds a tree.
//!
//! Rows are read once and in order. Where the vertices are numbered in no order, the reads of the trees of neighbors
//! are at random places, but none waits for another, as each step of a traversal does. So this is fast wherever there
//! are few arcs. The components' `sweep` is similar, without parents.

use super::result::Counts;
use super::worklist::Cells;
use crate::graph::Graph;
use crate::parallel_vec::repeated;
use crate::sets::unite;
use crate::vertex::{AtomicVertex, Vertex};
use filch_algorithms::tabulate;

/// Whether `u` comes before `v` in a pass, which begins with the largest vertex if `REVERSED`.
#[inline(always)]
fn is_before<V: Vertex, const REVERSED: bool>(u: V, v: V) -> bool {
    if REVERSED { u > v } else { u < v }
}

/// For each vertex, a neighbor before it, or the vertex itself if there is none. `None` if several vertices with
/// neighbors have none before them: their trees may be in the same component.
///
/// A parent comes before its child, so there is no cycle, regardless of the schedule. This needs neither claims nor
/// barriers. If the vertices of a component are numbered by rows or levels, it has one such vertex, and its tree is
/// complete.
///
/// Work: O(n) and reading the beginnings of the rows.
pub(super) fn descend<G: Graph, const REVERSED: bool>(graph: &G) -> Option<Vec<<G::Vertex as Vertex>::Atomic>> {
    let before = |v: G::Vertex| graph.neighbors(v).find(|&w| is_before::<G::Vertex, REVERSED>(w, v)).unwrap_or(v);
    let parents = tabulate(graph.num_vertices(), |v| <G::Vertex as Vertex>::Atomic::new(before(G::Vertex::new(v))));
    let is_root = |v: G::Vertex, parent: G::Vertex| v == parent && graph.neighbors(v).any(|w| w != v);
    let roots = filch::map_reduce(
        (0_usize.., &parents),
        || 0,
        |_, (v, parent)| usize::from(is_root(G::Vertex::new(v), parent.load())),
        |a, b| a + b,
    );
    (roots <= 1).then_some(parents)
}

/// Gives parents to the vertices with these numbers, which are some complete components, in ascending order.
///
/// Work: O(n + m log k) for k trees, and in practice O(n + m). Memory: another vertex for each vertex, and some for
/// each tree and each joint.
pub(super) fn sweep<G: Graph>(
    graph: &G,
    parents: &Cells<G::Vertex>,
    vertices: impl DoubleEndedIterator<Item = usize>,
    is_reversed: bool,
    counts: &mut Counts,
) {
    if is_reversed {
        pass::<G, true>(graph, parents, vertices.rev(), counts);
    } else {
        pass::<G, false>(graph, parents, vertices, counts);
    }
}

#[inline(always)]
fn pass<G: Graph, const REVERSED: bool>(
    graph: &G,
    parents: &Cells<G::Vertex>,
    vertices: impl Iterator<Item = usize>,
    counts: &mut Counts,
) {
    let mut trees = repeated(parents.len(), || G::Vertex::NONE);
    // As long as the parents, which the compiler then knows: one check for both.
    let trees = &mut trees[..parents.len()];
    let (mut united, mut joints) = (Vec::new(), Vec::new());
    for index in vertices {
        let v = G::Vertex::new(index);
        let (mut tree, mut parent) = (trees[index], parents[index].load());
        for u in graph.neighbors(v) {
            if !is_before::<G::Vertex, REVERSED>(u, v) {
                continue;
            }
            let other = trees[u.index()];
            if tree == G::Vertex::NONE {
                (tree, parent) = (other, u);
            } else if other != tree && !are_next(&united, tree, other) && join(&mut united, tree, other) {
                joints.push((u, v));
            }
        }
        if tree == G::Vertex::NONE {
            let later = graph.neighbors(v).next().unwrap_or(v);
            parent = v;
            if trees[later.index()] == G::Vertex::NONE {
                tree = G::Vertex::new(united.len());
                united.push(tree);
                trees[later.index()] = tree;
                parents[later.index()].store(v);
            } else {
                (tree, parent) = (trees[later.index()], later);
            }
        }
        trees[index] = tree;
        parents[index].store(parent);
    }
    if !joints.is_empty() {
        join_trees(parents, trees, united.len(), &joints);
    }
    counts.links += joints.len();
}

/// Whether two trees are seen to be united at the first look, as most are where a few hubs have the smallest numbers.
#[inline(always)]
fn are_next<V: Vertex>(united: &[V], a: V, b: V) -> bool {
    united[a.index()] == united[b.index()]
}

/// Unites two trees, by number. Returns false if they are united already. Not inlined: where there is nothing to join,
/// its variables would take registers from the loop.
#[inline(never)]
fn join<V: Vertex>(united: &mut [V], a: V, b: V) -> bool {
    unite(united, 0, a, b).1
}

/// Hangs the trees of each component on its first one. `trees`: the tree of each vertex. Each tree is reached once.
fn join_trees<V: Vertex>(parents: &Cells<V>, trees: &[V], num_trees: usize, joints: &[(V, V)]) {
    let tree = |v: V| trees[v.index()].index();
    // The joints of each tree, in one array: an end in it, and an end outside.
    let arcs = || joints.iter().flat_map(|&(u, v)| [(u, v), (v, u)]);
    let mut ends = vec![0; num_trees];
    arcs().for_each(|(inside, _)| ends[tree(inside)] += 1);
    let mut end = 0;
    for count in &mut ends {
        end += *count;
        *count = end - *count;
    }
    let mut sorted = vec![(V::NONE, V::NONE); 2 * joints.len()];
    for arc in arcs() {
        let place = &mut ends[tree(arc.0)];
        sorted[*place] = arc;
        *place += 1;
    }
    let mut is_hung = vec![false; num_trees];
    let mut stack = Vec::new();
    for root in 0..num_trees {
        if is_hung[root] {
            continue;
        }
        is_hung[root] = true;
        stack.push(root);
        while let Some(from) = stack.pop() {
            let first = from.checked_sub(1).map_or(0, |before| ends[before]);
            for &(above, below) in &sorted[first..ends[from]] {
                let to = tree(below);
                if !is_hung[to] {
                    is_hung[to] = true;
                    hang(parents, below, above);
                    stack.push(to);
                }
            }
        }
    }
}

/// Makes `below` the parent of `v`, `v` the parent of its former parent, and so on up to the root. If `below` is `v`,
/// it becomes the root. Work: the depth of `v`.
pub(super) fn hang<V: Vertex>(parents: &Cells<V>, v: V, below: V) {
    let (mut v, mut below) = (v, below);
    loop {
        let above = parents[v.index()].load();
        parents[v.index()].store(below);
        if above == v {
            return;
        }
        (below, v) = (v, above);
    }
}
