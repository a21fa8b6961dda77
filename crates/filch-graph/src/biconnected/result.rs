//! The components, and what follows from them.

use crate::graph::Graph;
use crate::vertex::{AtomicVertex, Vertex};
use filch_algorithms::{histogram, map, pack_indices, tabulate};

/// The biconnected components of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BiconnectedComponents<V = u32> {
    /// For each vertex the component in which it is nearer to the smallest vertex of its connected component: the
    /// smallest vertex there other than the head. This smallest vertex itself has its own number.
    labels: Vec<V>,
    /// The head of each component, by its label: its vertex that is nearest to the smallest vertex of the connected
    /// component. `NONE` where there is no such component.
    heads: Vec<V>,
    /// For each bridge, the end that is not the head, in ascending order.
    bridges: Vec<V>,
}

impl<V: Vertex> BiconnectedComponents<V> {
    /// Components whose labels are known, given the parents of all vertices in a breadth-first search.
    pub(super) fn of_parents<G: Graph<Vertex = V>>(graph: &G, labels: Vec<V>, parents: &[V]) -> Self {
        let heads = tabulate(labels.len(), |_| V::Atomic::new(V::NONE));
        // The topmost vertices of a component have the same parent, so those who write a head write the same vertex.
        filch::for_each((0_usize.., parents), |_, (v, &parent)| {
            if labels[v] != labels[parent.index()] {
                heads[labels[v].index()].store(parent);
            }
        });
        Self::of_heads(graph, labels, AtomicVertex::into_vertices(heads))
    }

    /// Components whose labels and heads are known.
    pub(super) fn of_heads<G: Graph<Vertex = V>>(graph: &G, labels: Vec<V>, heads: Vec<V>) -> Self {
        let sizes = histogram(labels.len(), labels.len(), |v| labels[v].index());
        let is_bridge = |v: usize| {
            sizes[v] == 1 && heads[v] != V::NONE && {
                let mut edges = graph.neighbors(V::new(v)).filter(|&u| u == heads[v]);
                edges.next().is_some() && edges.next().is_none()
            }
        };
        let bridges = map(&pack_indices(labels.len(), is_bridge), |&v| V::new(v));
        BiconnectedComponents { labels, heads, bridges }
    }

    /// For each vertex, the label of the component of the edges by which it is reached from the smallest vertex of its
    /// connected component. This smallest vertex has its own number, which is the label of no component.
    ///
    /// The label of a component is its smallest vertex other than its [`head`](Self::head). So the vertices with the
    /// same label and the head are a component.
    pub fn labels(&self) -> &[V] {
        &self.labels
    }

    /// The head of the component with this label: its vertex that is nearest to the smallest vertex of the connected
    /// component. `None` if this is not the label of a component.
    ///
    /// # Panics
    ///
    /// Panics if `label` is not a vertex of the graph.
    pub fn head(&self, label: V) -> Option<V> {
        Some(self.heads[label.index()]).filter(|&head| head != V::NONE)
    }

    /// The label of the component of the edge between `u` and `v`. Unspecified if there is no such edge.
    ///
    /// # Panics
    ///
    /// Panics if `u` or `v` is not a vertex of the graph.
    pub fn label_of(&self, u: V, v: V) -> V {
        // The head has another label. All others have that of the component.
        let (of_u, of_v) = (self.labels[u.index()], self.labels[v.index()]);
        if self.heads[of_v.index()] == u { of_v } else { of_u }
    }

    /// The number of components. Work: O(n), in parallel.
    pub fn count(&self) -> usize {
        filch_algorithms::reduce(&self.heads, || 0, |&head| usize::from(head != V::NONE), |a, b| a + b)
    }

    /// The vertices that are in several components, in ascending order. Work: O(n), in parallel.
    pub fn articulation_points(&self) -> Vec<V> {
        let n = self.labels.len();
        // Those without a head are counted apart.
        let headed = histogram(n, n + 1, |label| self.heads[label].index().min(n));
        let is_below_head = |v: usize| usize::from(self.heads[self.labels[v].index()] != V::NONE);
        map(&pack_indices(n, |v| headed[v] + is_below_head(v) > 1), |&v| V::new(v))
    }

    /// The bridges, each as the head of the component and the other end, in the order of the latter.
    pub fn bridges(&self) -> impl Iterator<Item = (V, V)> + '_ {
        self.bridges.iter().map(|&v| (self.heads[v.index()], v))
    }
}
