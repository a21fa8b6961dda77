//! What a rank finds of the components on its own.

use crate::ghosts::Ghosts;
use crate::graph::ClusterGraph;
use crate::wire::Wire;
use filch_algorithms::tabulate;
use filch_graph::components::Components;
use filch_graph::{AtomicVertex, Graph, Vertex};

/// The own vertices of a rank and the arcs between them, as a graph of their places.
struct Own<'g, V> {
    graph: &'g ClusterGraph<V>,
    num_arcs: usize,
}

impl<'g, V: Vertex> Own<'g, V> {
    fn new(graph: &'g ClusterGraph<V>) -> Self {
        let count = |place: usize| graph.split(graph.out.row(place))[1].len();
        let num_arcs = filch::map_reduce(0..graph.here.len(), || 0, |_, place| count(place), |a, b| a + b);
        Own { graph, num_arcs }
    }

    fn places<'r>(&self, row: &'r [V]) -> impl Iterator<Item = V> + use<'r, V> {
        let start = self.graph.here.start;
        self.graph.split(row)[1].iter().map(move |v| V::new(v.index() - start))
    }
}

impl<V: Vertex> Graph for Own<'_, V> {
    type Vertex = V;

    fn num_vertices(&self) -> usize {
        self.graph.here.len()
    }

    fn num_arcs(&self) -> usize {
        self.num_arcs
    }

    fn is_symmetric(&self) -> bool {
        self.graph.is_symmetric()
    }

    fn degree(&self, v: V) -> usize {
        self.graph.split(self.graph.out.row(v.index()))[1].len()
    }

    fn neighbors(&self, v: V) -> impl Iterator<Item = V> + '_ {
        self.places(self.graph.out.row(v.index()))
    }

    fn in_neighbors(&self, v: V) -> impl Iterator<Item = V> + '_ {
        self.places(self.graph.into().row(v.index()))
    }
}

/// For each own vertex, the place of the smallest one of its component in the graph of own vertices.
pub(super) fn labels<V: Vertex>(graph: &ClusterGraph<V>) -> Vec<V> {
    Components::new().run(&Own::new(graph)).into_labels()
}

/// A forest of names that says what the arcs to ghosts unite. `names` has the names of the ghosts.
pub(super) fn forest<V: Vertex + Wire>(
    graph: &ClusterGraph<V>,
    labels: &[V],
    ghosts: &Ghosts<V>,
    names: Vec<V>,
) -> Vec<(V, V)> {
    let own = labels.len();
    // Each name of a ghost once, and its place in this list for each ghost.
    let mut foreign = names.clone();
    foreign.sort_unstable();
    foreign.dedup();
    let mut places = names;
    filch::for_each(&mut places[..], |_, name| *name = V::new(foreign.partition_point(|other| other < name)));
    // Trees of own places, and then of the places in the list: the parent of a node is a smaller one or itself.
    let parents =
        tabulate(own + foreign.len(), |node| V::Atomic::new(V::new(labels.get(node).map_or(node, |l| l.index()))));
    filch::for_each(0..own, |_, place| {
        let [before, _, behind] = graph.split(graph.out.row(place));
        let mut last = None;
        for v in before.iter().chain(behind) {
            let node = own + places[ghosts.place(v.index())].index();
            if last.replace(node) != Some(node) {
                link::<V>(&parents, V::new(place), V::new(node));
            }
        }
    });
    let name = |node: usize| if node < own { V::new(graph.here.start + node) } else { foreign[node - own] };
    let edge = |node: usize| {
        let root = root::<V>(&parents, V::new(node)).index();
        // Own vertices that are not the smallest of their component have been united with it before.
        let is_name = node >= own || labels[node].index() == node;
        (is_name && root != node).then(|| (name(node), name(root)))
    };
    (0..own + foreign.len()).filter_map(edge).collect()
}

fn root<V: Vertex>(parents: &[V::Atomic], mut node: V) -> V {
    loop {
        let parent = parents[node.index()].load();
        if parent == node {
            return node;
        }
        node = parent;
    }
}

/// Unites the trees of two nodes. Only roots are hooked, to smaller nodes, by a compare-exchange; so there is no circle
/// whatever other workers do. Paths are halved.
fn link<V: Vertex>(parents: &[V::Atomic], a: V, b: V) {
    let halved = |mut node: V| loop {
        let cell = &parents[node.index()];
        let parent = cell.load();
        if parent == node {
            return node;
        }
        let above = parents[parent.index()].load();
        if above != parent {
            // If it fails, another worker has made the path shorter.
            cell.replace(parent, above);
        }
        node = above;
    };
    let (mut a, mut b) = (halved(a), halved(b));
    while a != b {
        let (low, high) = (a.min(b), a.max(b));
        if parents[high.index()].replace(high, low) {
            return;
        }
        (a, b) = (halved(low), halved(high));
    }
}
