//! Patchwork: each worker grows trees of its own, by a plain traversal with a stack, and trees are joined where they
//! meet.
//!
//! A worker goes through the vertices in the order of their numbers. From each that is in no tree it grows one, to its
//! end, unless a neighbor is in a tree; then it grows that tree further. So many components are shared out among the
//! workers, and a deep component is grown from as many sides as there are workers. With one worker, this is the serial
//! traversal.
//!
//! **Claims.** A vertex is claimed by a compare-exchange of the cell that says in which tree it is. Its parent has been
//! claimed before: either by the same worker, or the worker has seen the claim. The fences order such claims, so there
//! is no cycle.
//!
//! **Joints.** A worker that finds a neighbor in another tree remembers the edge, one for each pair of trees. In the
//! end, the trees of a component are connected by such edges: consider an edge between two trees, and that of its ends
//! which was visited later. Then the other end was claimed, or was claimed during the visit. Of these edges, a
//! spanning forest of the trees is chosen, and all trees but one of each component are reversed to hang on them.

use super::union_find::hang;
use super::worklist::Cells;
use crate::filled::repeated;
use crate::graph::Graph;
use crate::vertex::{AtomicVertex, Vertex};
use std::collections::HashMap;
use std::sync::atomic::{Ordering, fence};

/// The number of vertices in a piece of work.
const PIECE: usize = 1 << 10;

/// A tree that has been begun: its root, and its vertices, of which some have not been visited.
pub(super) struct Begun<V> {
    pub(super) root: V,
    pub(super) vertices: Vec<V>,
    pub(super) waiting: Vec<V>,
}

/// Gives parents to all vertices that have none. If some have, they must be those of `begun`. Returns the number of
/// joints.
///
/// Work: O(n + m), and the depths of the trees that are joined. With several workers, memory for a vertex for each
/// vertex.
pub(super) fn patch<G: Graph>(graph: &G, parents: &Cells<G::Vertex>, begun: Option<Begun<G::Vertex>>) -> usize {
    let n = parents.len();
    if filch::num_workers() == 1 {
        let mut stack = begun.map_or_else(Vec::new, |begun| begun.waiting);
        plain(graph, parents, &mut stack, (0..n).map(G::Vertex::new));
        return 0;
    }
    let patches = Patches::new(graph, parents);
    let root = begun.as_ref().map(|begun| begun.root);
    if let Some(Begun { root, vertices, .. }) = &begun {
        vertices.iter().for_each(|v| patches.trees[v.index()].store(*root));
    }
    let go_on = || {
        let mut grower = Grower::new(&patches);
        if let Some(Begun { root, waiting, .. }) = begun {
            grower.stack = waiting;
            grower.grow(root);
        }
        grower.joints
    };
    let (first, others) = filch::join(go_on, || patches.grow_from(n, G::Vertex::new));
    join_trees(parents, &[first, others].concat(), root)
}

/// Gives parents to `vertices`, which are some complete components. Returns the number of joints.
pub(super) fn patch_among<G: Graph>(graph: &G, parents: &Cells<G::Vertex>, vertices: &[G::Vertex]) -> usize {
    let patches = Patches::new(graph, parents);
    let joints = patches.grow_from(vertices.len(), |index| vertices[index]);
    join_trees(parents, &joints, None)
}

/// The serial traversal: visits what is on the stack, and then grows a tree from each of `roots` without a parent.
pub(super) fn plain<G: Graph>(
    graph: &G,
    parents: &Cells<G::Vertex>,
    stack: &mut Vec<G::Vertex>,
    roots: impl Iterator<Item = G::Vertex>,
) {
    let is_open = |v: &G::Vertex| parents[v.index()].load() == G::Vertex::NONE;
    let visit_all = |stack: &mut Vec<G::Vertex>| {
        while let Some(v) = stack.pop() {
            for w in graph.neighbors(v).filter(is_open) {
                parents[w.index()].store(v);
                stack.push(w);
            }
        }
    };
    visit_all(stack);
    for root in roots {
        if is_open(&root) {
            parents[root.index()].store(root);
            stack.push(root);
            visit_all(stack);
        }
    }
}

struct Patches<'g, G: Graph> {
    graph: &'g G,
    parents: &'g Cells<G::Vertex>,
    /// For each vertex in a tree, the root of that tree.
    trees: Vec<<G::Vertex as Vertex>::Atomic>,
}

impl<'g, G: Graph> Patches<'g, G> {
    fn new(graph: &'g G, parents: &'g Cells<G::Vertex>) -> Self {
        Patches { graph, parents, trees: repeated(parents.len(), || AtomicVertex::new(G::Vertex::NONE)) }
    }

    /// Grows trees from `count` vertices that are in none, on all workers.
    fn grow_from(&self, count: usize, vertex: impl Fn(usize) -> G::Vertex + Send + Sync) -> Vec<Joint<G::Vertex>> {
        filch::map_reduce(
            0..count.div_ceil(PIECE),
            Vec::new,
            |_, piece| {
                let mut grower = Grower::new(self);
                grower.grow_all((piece * PIECE..count.min((piece + 1) * PIECE)).map(&vertex));
                grower.joints
            },
            |mut a, b| {
                a.extend(b);
                a
            },
        )
    }

    fn tree(&self, v: G::Vertex) -> G::Vertex {
        self.trees[v.index()].load()
    }

    /// Puts `v` into a tree, if it is in none.
    #[inline(always)]
    fn claim(&self, v: G::Vertex, tree: G::Vertex, parent: G::Vertex) -> bool {
        fence(Ordering::Release);
        let is_claimed = self.trees[v.index()].replace(G::Vertex::NONE, tree);
        if is_claimed {
            self.parents[v.index()].store(parent);
        }
        is_claimed
    }
}

/// An edge between two trees.
#[derive(Clone, Copy)]
struct Joint<V> {
    trees: [V; 2],
    ends: [V; 2],
}

struct Grower<'p, 'g, G: Graph> {
    patches: &'p Patches<'g, G>,
    stack: Vec<G::Vertex>,
    joints: Vec<Joint<G::Vertex>>,
}

impl<'p, 'g, G: Graph> Grower<'p, 'g, G> {
    fn new(patches: &'p Patches<'g, G>) -> Self {
        Grower { patches, stack: Vec::new(), joints: Vec::new() }
    }

    fn grow_all(&mut self, vertices: impl Iterator<Item = G::Vertex>) {
        let patches = self.patches;
        for v in vertices {
            if patches.tree(v) != G::Vertex::NONE {
                continue;
            }
            let beside = patches.graph.neighbors(v).find(|&w| patches.tree(w) != G::Vertex::NONE);
            fence(Ordering::Acquire);
            let (tree, parent) = beside.map_or((v, v), |w| (patches.tree(w), w));
            if patches.claim(v, tree, parent) {
                self.stack.push(v);
                self.grow(tree);
            }
        }
    }

    /// Visits what is on the stack, which is in this tree.
    fn grow(&mut self, tree: G::Vertex) {
        let patches = self.patches;
        // Where the joints of this tree begin, and the tree of the last one, of which there are usually many in a row.
        let (first, mut last) = (self.joints.len(), tree);
        while let Some(v) = self.stack.pop() {
            for w in patches.graph.neighbors(v) {
                let mut other = patches.tree(w);
                if other == G::Vertex::NONE {
                    if patches.claim(w, tree, v) {
                        self.stack.push(w);
                        continue;
                    }
                    other = patches.tree(w);
                }
                if other != tree && other != last {
                    last = other;
                    if !self.joints[first..].iter().rev().take(MEMORY).any(|joint| joint.trees[1] == other) {
                        self.joints.push(Joint { trees: [tree, other], ends: [v, w] });
                    }
                }
            }
        }
    }
}

/// The number of joints that are searched for one to the same tree. More of them are harmless.
const MEMORY: usize = 16;

/// Joins the trees of each component. If `root` is the root of one of them, it stays a root. Returns the number of
/// joints that were needed.
fn join_trees<V: Vertex>(parents: &Cells<V>, joints: &[Joint<V>], root: Option<V>) -> usize {
    if joints.is_empty() {
        return 0;
    }
    // The trees that have joints, by number.
    let mut numbers: HashMap<V, usize> = HashMap::new();
    let mut number = |tree: V| {
        let next = numbers.len();
        *numbers.entry(tree).or_insert(next)
    };
    let first = root.map(&mut number);
    let mut joined: Vec<Vec<(usize, [V; 2])>> = Vec::new();
    for &Joint { trees: [a, b], ends: [v, w] } in joints {
        let (a, b) = (number(a), number(b));
        joined.resize_with(joined.len().max(a.max(b) + 1), Vec::new);
        joined[a].push((b, [v, w]));
        joined[b].push((a, [w, v]));
    }
    let mut is_joined = vec![false; joined.len()];
    let (mut stack, mut needed) = (Vec::new(), 0);
    for start in first.into_iter().chain(0..joined.len()) {
        if std::mem::replace(&mut is_joined[start], true) {
            continue;
        }
        stack.push(start);
        while let Some(tree) = stack.pop() {
            for &(other, [above, below]) in &joined[tree] {
                if !std::mem::replace(&mut is_joined[other], true) {
                    hang(parents, below, above);
                    needed += 1;
                    stack.push(other);
                }
            }
        }
    }
    needed
}
