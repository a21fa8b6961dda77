//! Checks biconnected components.

use super::Wrong;
use crate::graph::Graph;
use crate::vertex::Vertex;

/// Properties of biconnected components that [`verify_biconnected`] has accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BiconnectedSummary {
    /// The number of components.
    pub components: usize,
    /// The number of vertices in the largest component, 0 if there is none.
    pub largest: usize,
}

/// Checks the biconnected components of an undirected graph, in which self-loops do not count. `labels` has for each
/// vertex the smallest vertex, other than the head, of the component by which it is reached from the smallest vertex of
/// its connected component, where the head is the vertex nearest to that one. `points` are the articulation points in
/// ascending order, and `bridges` the bridges, each as its head and its other end.
///
/// By the definition: edges are in one component if they are on one cycle. Each edge outside of a depth-first search
/// tree makes one of the edges between its ends (as in Gabow 2000, "Path-based depth-first search"), and cycles that
/// share an edge are in one component.
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::verify::verify_biconnected;
///
/// let graph: Csr = Csr::builder(4).symmetrize(true).build(vec![(0, 1), (1, 2), (2, 0), (2, 3)])?;
/// let summary = verify_biconnected(&graph, &[0, 1, 1, 3], &[2], [(2, 3)])?;
/// assert_eq!((summary.components, summary.largest), (2, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Time: almost O(n + m), serial. Memory: some 80 bytes for each vertex.
///
/// # Errors
///
/// Returns the first error that is found, with the vertex that shows it.
///
/// # Panics
///
/// Panics if an arc of the graph leads to a number that is not a vertex.
pub fn verify_biconnected<G: Graph>(
    graph: &G,
    labels: &[G::Vertex],
    points: &[G::Vertex],
    bridges: impl IntoIterator<Item = (G::Vertex, G::Vertex)>,
) -> Result<BiconnectedSummary, Wrong> {
    let count = graph.num_vertices();
    if labels.len() != count {
        return Err(Wrong::length(labels.len(), "labels", count));
    }
    let Tree { parents, mut tops } = Tree::of(graph);
    // For each vertex the topmost vertex below the head of its component; for that one the smallest, and how many.
    let (mut smallest, mut sizes) = (vec![count; count], vec![0_usize; count]);
    let mut times_head = vec![0_usize; count];
    for v in 0..count {
        let top = find(&mut tops, v);
        smallest[top] = smallest[top].min(v);
        sizes[top] += 1;
        times_head[parents[v]] += usize::from(top == v && parents[v] != v);
    }
    for v in 0..count {
        let expected = smallest[find(&mut tops, v)];
        if labels[v].index() != expected {
            return Err(Wrong(format!("the label of vertex {v} is {}: expected {expected}", labels[v])));
        }
    }
    let is_point = |v: &usize| times_head[*v] + usize::from(parents[*v] != *v) > 1;
    let expected: Vec<usize> = (0..count).filter(is_point).collect();
    differ("articulation points", points.iter().map(|v| v.index()).collect(), expected)?;
    let is_bridge = |v: &usize| {
        let edges = || graph.neighbors(G::Vertex::new(*v)).filter(|u| u.index() == parents[*v]).count();
        tops[*v] == *v && sizes[*v] == 1 && parents[*v] != *v && edges() == 1
    };
    let expected: Vec<_> = (0..count).filter(is_bridge).map(|v| (parents[v], v)).collect();
    let mut found: Vec<_> = bridges.into_iter().map(|(u, v)| (u.index(), v.index())).collect();
    found.sort_unstable_by_key(|&(_, v)| v);
    differ("bridges", found, expected)?;
    let is_component = |v: &usize| tops[*v] == *v && parents[*v] != *v;
    let components = (0..count).filter(is_component);
    let largest = components.clone().map(|top| sizes[top] + 1).max().unwrap_or(0);
    Ok(BiconnectedSummary { components: components.count(), largest })
}

/// Fails if two lists are not equal.
fn differ<T: PartialEq + std::fmt::Debug>(what: &str, found: Vec<T>, expected: Vec<T>) -> Result<(), Wrong> {
    if found == expected {
        return Ok(());
    }
    let at = found.iter().zip(&expected).position(|(found, expected)| found != expected);
    let at = at.unwrap_or(found.len().min(expected.len()));
    let item = |list: &[T]| list.get(at).map_or("none".to_owned(), |item| format!("{item:?}"));
    let (found, expected) = (item(&found), item(&expected));
    Err(Wrong(format!("of the {what}, number {at} is {found}: expected {expected}")))
}

struct Tree {
    /// The parent of each vertex in a depth-first search from the smallest vertices. That of a root is the root itself.
    parents: Vec<usize>,
    /// Leads from each vertex to the topmost vertex below the head of its component.
    tops: Vec<usize>,
}

impl Tree {
    fn of<G: Graph>(graph: &G) -> Self {
        let count = graph.num_vertices();
        let (mut parents, mut numbers) = (vec![count; count], vec![count; count]);
        let (mut order, mut path) = (Vec::with_capacity(count), Vec::new());
        for root in 0..count {
            if parents[root] != count {
                continue;
            }
            parents[root] = root;
            path.push((root, graph.neighbors(G::Vertex::new(root))));
            numbers[root] = order.len();
            order.push(root);
            while let Some((v, arcs)) = path.last_mut() {
                let v = *v;
                match arcs.find(|w| parents[w.index()] == count) {
                    None => _ = path.pop(),
                    Some(w) => {
                        parents[w.index()] = v;
                        numbers[w.index()] = order.len();
                        order.push(w.index());
                        path.push((w.index(), graph.neighbors(w)));
                    }
                }
            }
        }
        let mut tops: Vec<usize> = (0..count).collect();
        for &v in &order {
            // An edge to an ancestor: the edges between are in one component with that below the ancestor.
            for ancestor in graph.neighbors(G::Vertex::new(v)).map(Vertex::index).filter(|&u| numbers[u] < numbers[v]) {
                let mut top = find(&mut tops, v);
                while numbers[parents[top]] > numbers[ancestor] {
                    tops[top] = parents[top];
                    top = find(&mut tops, top);
                }
            }
        }
        Tree { parents, tops }
    }
}

/// Where `tops` lead from a vertex, by path halving.
fn find(tops: &mut [usize], mut v: usize) -> usize {
    while tops[v] != v {
        tops[v] = tops[tops[v]];
        v = tops[v];
    }
    v
}
