//! Graphs of all shapes that the generators have, and degenerate ones.

use super::lists::Lists;
use filch_graph::{Csr, GraphSpec};

/// A graph of each family, with its name.
pub(crate) fn generated() -> Vec<(&'static str, Csr)> {
    let specs = [
        "random(700,3)",
        "uniform(9,6)",
        "kronecker(9,8)",
        "gnm(400,900)",
        "geometric(500,6)",
        "torus(23)",
        "torus(23),shuffled",
        "hypercube(8)",
        "meshes(7,18)",
        "path(900)",
        "path(900),shuffled",
        "regular(300,7)",
        "regular(301,6),shuffled",
        "bintree(9)",
        "islands(40,9)",
        "islands(40,9,12),shuffled",
        "stars(30,20)",
        "stars(30,20),shuffled",
    ];
    specs.into_iter().map(|name| (name, spec(name))).collect()
}

/// The graph of a specification.
pub(crate) fn spec(text: &str) -> Csr {
    text.parse::<GraphSpec>().expect("a specification").generate(5).expect("there is memory")
}

/// Undirected graphs with self-loops, parallel edges, no edges or no vertices.
pub(crate) fn degenerate() -> Vec<Lists> {
    vec![
        Lists::undirected(0, &[]),
        Lists::undirected(1, &[]),
        Lists::undirected(1, &[(0, 0)]),
        Lists::undirected(70, &[]),
        Lists::undirected(3, &[(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)]),
        Lists::undirected(4, &[(0, 1), (0, 1), (1, 2), (1, 2), (2, 0), (0, 0), (0, 0), (2, 3)]),
        Lists::undirected(2, &[(0, 1), (0, 1), (0, 1)]),
    ]
}

/// Directed graphs from the arcs of an undirected one: those to larger numbers, and some of the others.
pub(crate) fn oriented(rng: &mut fastrand::Rng, graph: &Csr, back: f64) -> Lists {
    let n = filch_graph::Graph::num_vertices(graph);
    let mut arcs = Vec::new();
    for u in 0..n as u32 {
        arcs.extend(graph.row(u).iter().filter(|&&v| u < v || rng.f64() < back).map(|&v| (u, v)));
    }
    Lists::directed(n, &arcs)
}
