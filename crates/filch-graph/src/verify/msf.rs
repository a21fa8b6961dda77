//! Checks whether edges are a minimum spanning forest, without searching for one.
//!
//! A spanning forest is a minimum one if no edge of the graph is lighter than the heaviest edge of the forest between
//! its ends. To find the heaviest one, the edges of the forest are linked from the lightest on, by union by size
//! without shortening paths: then a path of links is at most log n long, links are heavier the higher they are, and the
//! last link on the way to where two vertices meet has the weight.

use super::Wrong;
use crate::graph::WeightedGraph;
use crate::vertex::Vertex;
use crate::weight::{InDigits, Weight};

/// Properties of a minimum spanning forest that [`verify_msf`] has accepted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MsfSummary<T = f64> {
    /// The number of trees.
    pub trees: usize,
    /// The sum of all weights.
    pub weight: T,
}

/// Checks whether `edges` are a minimum spanning forest: whether the graph has all of them, regardless of direction,
/// and whether no other spanning forest is lighter.
///
/// ```
/// use filch_graph::verify::verify_msf;
/// use filch_graph::{Csr, WeightedCsr};
///
/// let roads = vec![(0, 1, 7.0), (0, 2, 2.0), (2, 1, 2.5)];
/// let graph: WeightedCsr = Csr::builder(4).symmetrize(true).build_weighted(roads)?;
/// assert_eq!(verify_msf(&graph, &[(0, 2, 2.0), (1, 2, 2.5)])?.weight, 4.5);
/// assert!(verify_msf(&graph, &[(0, 2, 2.0), (1, 0, 7.0)]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Time: O((n + m) log n), serial. Memory: about 40 bytes for each vertex.
///
/// # Errors
///
/// Returns the first error that is found, with the vertices that show it.
pub fn verify_msf<G: WeightedGraph>(
    graph: &G,
    edges: &[(G::Vertex, G::Vertex, G::Weight)],
) -> Result<MsfSummary<<G::Weight as Weight>::Total>, Wrong> {
    let count = graph.num_vertices();
    edges_are_there(graph, edges)?;
    let mut sorted: Vec<_> = edges.iter().map(|&(u, v, weight)| (u.index(), v.index(), weight.canonical())).collect();
    sorted.sort_by(|a, b| a.2.order(&b.2));
    let mut links = Links::new(count);
    for (time, &(from, to, _)) in sorted.iter().enumerate() {
        if !links.join(from, to, time) {
            return Err(Wrong(format!("the edge between {from} and {to} closes a circle")));
        }
    }
    for from in 0..count {
        let row = graph.arcs(G::Vertex::new(from)).map(|(to, weight)| (to.index(), weight));
        for (to, weight) in row.filter(|arc| arc.0 != from) {
            let Some(time) = links.joined(from, to) else {
                return Err(Wrong(format!(
                    "an edge of the graph joins {from} and {to}, \
                     which are in different trees"
                )));
            };
            let heavier = sorted[time].2;
            if weight.canonical().order(&heavier).is_lt() {
                return Err(Wrong(format!(
                    "the edge of the graph between {from} and {to} of \
                     weight {} could replace one of weight {}",
                    InDigits(weight),
                    InDigits(heavier)
                )));
            }
        }
    }
    let weight = Weight::total(sorted.iter().map(|edge| edge.2));
    Ok(MsfSummary { trees: count - edges.len(), weight })
}

/// Fails if the graph does not have an edge.
fn edges_are_there<G: WeightedGraph>(graph: &G, edges: &[(G::Vertex, G::Vertex, G::Weight)]) -> Result<(), Wrong> {
    let count = graph.num_vertices();
    let key = |u: usize, v: usize, weight: G::Weight| (u.min(v), u.max(v), weight.canonical().rank());
    let mut keys: Vec<_> = edges.iter().map(|&(u, v, weight)| key(u.index(), v.index(), weight)).collect();
    keys.sort_unstable();
    // Of edges that are given twice, one closes a circle, which is found later.
    keys.dedup();
    // The edges whose lower end is u are `keys[starts[u]..starts[u + 1]]`.
    let mut starts = vec![0; count + 1];
    keys.iter().filter(|key| key.0 < count).for_each(|key| starts[key.0 + 1] += 1);
    (0..count).for_each(|u| starts[u + 1] += starts[u]);
    let mut is_there = vec![false; keys.len()];
    for u in 0..count {
        for (v, weight) in graph.arcs(G::Vertex::new(u)) {
            let wanted = key(u, v.index(), weight);
            let (start, end) = (starts[wanted.0], starts[wanted.0 + 1]);
            if let Ok(place) = keys[start..end].binary_search(&wanted) {
                is_there[start + place] = true;
            }
        }
    }
    match is_there.iter().position(|is_there| !is_there) {
        None => Ok(()),
        Some(place) => {
            let (from, to, rank) = keys[place];
            let given = edges.iter().find(|edge| key(edge.0.index(), edge.1.index(), edge.2) == (from, to, rank));
            let weight = given.map(|edge| InDigits(edge.2).to_string()).unwrap_or_default();
            Err(Wrong(format!(
                "the forest has an edge between {from} and {to} of weight {weight}, \
                 which the graph does not have"
            )))
        }
    }
}

/// Trees of links, each with the time when it was made.
struct Links {
    above: Vec<usize>,
    times: Vec<usize>,
    sizes: Vec<usize>,
}

/// The time of a root's link.
const NEVER: usize = usize::MAX;

impl Links {
    fn new(count: usize) -> Self {
        Links { above: (0..count).collect(), times: vec![NEVER; count], sizes: vec![1; count] }
    }

    fn root(&self, mut v: usize) -> usize {
        while self.above[v] != v {
            v = self.above[v];
        }
        v
    }

    /// Links the trees of two vertices. Returns false if they are the same.
    fn join(&mut self, u: usize, v: usize, time: usize) -> bool {
        let (u, v) = (self.root(u), self.root(v));
        if u == v {
            return false;
        }
        let (small, large) = if self.sizes[u] < self.sizes[v] { (u, v) } else { (v, u) };
        (self.above[small], self.times[small]) = (large, time);
        self.sizes[large] += self.sizes[small];
        true
    }

    /// The time when two different vertices came into the same tree, if they did.
    fn joined(&self, mut u: usize, mut v: usize) -> Option<usize> {
        let mut time = None;
        while u != v {
            if self.times[u] > self.times[v] {
                (u, v) = (v, u);
            }
            if self.times[u] == NEVER {
                return None;
            }
            time = Some(self.times[u]);
            u = self.above[u];
        }
        time
    }
}
