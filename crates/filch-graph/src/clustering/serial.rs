//! Triangles at each vertex by plain loops, as a baseline and a reference for tests.

use crate::graph::Graph;
use crate::vertex::Vertex;

/// The number of triangles that each vertex of a symmetric graph is in, by plain serial loops: each triangle is found
/// from its vertex of the lowest degree, along sorted rows of the neighbors of higher degree (Latapy 2008, "Main-memory
/// triangle computations for very large (sparse (power-law)) graphs"). Shares no code with
/// [`clustering`](super::clustering()).
///
/// Work: O(m^1.5). The result is unspecified for a directed graph.
pub fn serial<G: Graph>(graph: &G) -> Vec<u64> {
    let n = graph.num_vertices();
    let degree = |v: usize| (graph.degree(G::Vertex::new(v)), v);
    let (mut starts, mut higher): (Vec<usize>, Vec<G::Vertex>) = (vec![0], Vec::with_capacity(graph.num_arcs() / 2));
    let mut row = Vec::new();
    for v in 0..n {
        row.clear();
        row.extend(graph.neighbors(G::Vertex::new(v)).filter(|u| degree(u.index()) > degree(v)));
        row.sort_unstable();
        row.dedup();
        higher.extend_from_slice(&row);
        starts.push(higher.len());
    }
    let row = |v: usize| &higher[starts[v]..starts[v + 1]];
    let mut triangles = vec![0; n];
    for u in 0..n {
        for v in row(u) {
            let (others, mut at) = (row(v.index()), 0);
            for w in row(u) {
                while at < others.len() && others[at] < *w {
                    at += 1;
                }
                if at < others.len() && others[at] == *w {
                    [u, v.index(), w.index()].iter().for_each(|&x| triangles[x] += 1);
                    at += 1;
                }
            }
        }
    }
    triangles
}
