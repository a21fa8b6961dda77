//! Checks trussness.

use super::Wrong;
use super::triangles::simple_lists;
use crate::graph::Graph;
use crate::vertex::Vertex;

/// Properties of trussness that [`verify_truss`] has accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrussSummary {
    /// The largest trussness, 0 if there are no edges.
    pub largest: u32,
    /// The number of edges of this trussness.
    pub innermost: usize,
}

/// Checks whether `trussness` is the trussness of each of `edges`, and these are the edges of an undirected graph, each
/// as its ends in ascending order, in the order of these pairs. Self-loops are no edges here, and parallel edges count
/// once.
///
/// No value is too high: each edge is in as many triangles as its value demands whose other edges have the same value
/// or more. No value is too low: if edges are removed in ascending order of their values, all of value k can be removed
/// while at most k - 2 triangles are left with them.
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::verify::verify_truss;
///
/// let graph: Csr = Csr::builder(4).symmetrize(true).build(vec![(0, 1), (1, 2), (2, 0), (2, 3)])?;
/// let edges = [(0, 1), (0, 2), (1, 2), (2, 3)];
/// assert_eq!(verify_truss(&graph, &edges, &[3, 3, 3, 2])?.innermost, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Time: O(m^1.5 log d) for the largest degree d, serial: for graphs of very high degree this is much more than most of
/// the other verifiers take. Memory: some 70 bytes for each edge.
///
/// # Errors
///
/// Returns the first error that is found, with the edge that shows it, or says that the graph is directed.
///
/// # Panics
///
/// Panics if an arc of the graph leads to a number that is not a vertex.
pub fn verify_truss<G: Graph>(
    graph: &G,
    edges: &[(G::Vertex, G::Vertex)],
    trussness: &[u32],
) -> Result<TrussSummary, Wrong> {
    let lists = simple_lists(graph)?;
    let larger = |v: usize| lists[v].iter().filter(move |u| u.index() > v).map(move |&u| (G::Vertex::new(v), u));
    if !(0..lists.len()).flat_map(larger).eq(edges.iter().copied()) {
        return Err(Wrong("the edges are not those of the graph, in the order of their ends".into()));
    }
    if trussness.len() != edges.len() {
        return Err(Wrong(format!(
            "{} values were found, expected one for each of {} edges",
            trussness.len(),
            edges.len()
        )));
    }
    // For each triangle with an edge, the other two edges.
    let number = |u: G::Vertex, v: G::Vertex| edges.binary_search(&(u.min(v), u.max(v))).ok();
    let triangles = |edge: usize| {
        let (u, v) = edges[edge];
        let (u, v) = if lists[u.index()].len() < lists[v.index()].len() { (u, v) } else { (v, u) };
        lists[u.index()].iter().filter_map(move |&w| Some((number(v, w)?, number(u, w)?)))
    };
    let mut left = vec![0_usize; edges.len()];
    for edge in 0..edges.len() {
        left[edge] = triangles(edge).count();
        let value = trussness[edge];
        let inside = triangles(edge).filter(|&(a, b)| trussness[a] >= value && trussness[b] >= value).count();
        let (u, v) = edges[edge];
        if value < 2 || inside < value as usize - 2 {
            return Err(Wrong(format!(
                "the trussness of the edge between {u} and {v} is {value}, but it is in {inside} triangles of edges \
                 with as much or more"
            )));
        }
    }
    let mut order: Vec<usize> = (0..edges.len()).collect();
    order.sort_by_key(|&edge| trussness[edge]);
    let (mut is_removed, mut waits) = (vec![false; edges.len()], vec![false; edges.len()]);
    for same in order.chunk_by(|&a, &b| trussness[a] == trussness[b]) {
        let value = trussness[same[0]];
        let may_go = |left: usize| left + 2 <= value as usize;
        let mut stack: Vec<usize> = same.iter().copied().filter(|&edge| may_go(left[edge])).collect();
        stack.iter().for_each(|&edge| waits[edge] = true);
        while let Some(edge) = stack.pop() {
            is_removed[edge] = true;
            for (a, b) in triangles(edge).filter(|&(a, b)| !is_removed[a] && !is_removed[b]) {
                for other in [a, b] {
                    left[other] -= 1;
                    if trussness[other] == value && !waits[other] && may_go(left[other]) {
                        waits[other] = true;
                        stack.push(other);
                    }
                }
            }
        }
        if let Some(&edge) = same.iter().find(|&&edge| !is_removed[edge]) {
            let (u, v) = edges[edge];
            return Err(Wrong(format!(
                "the trussness of the edge between {u} and {v} is {value}: expected more, because it is in a truss of \
                 {expected} or more",
                expected = value + 1
            )));
        }
    }
    let largest = order.last().map_or(0, |&edge| trussness[edge]);
    Ok(TrussSummary { largest, innermost: trussness.iter().filter(|&&value| value == largest).count() })
}
