//! What the algorithms must find, by plain matrices and as many rounds as there are vertices.

use std::collections::BTreeSet;

use filch_graph::WeightedCsr;
use filch_graph::bfs::bfs;
use filch_graph::components::components;
use filch_graph::cores::cores;
use filch_graph::forest::forest;
use filch_graph::msf::msf;
use filch_graph::pagerank::{PageRank, Update};
use filch_graph::scc::scc;
use filch_graph::sssp::sssp;
use filch_graph::triangles::triangles;

use crate::multigraph::Multigraph;

const NEVER: f64 = f64::INFINITY;

/// The weight of the lightest arc between each two vertices, or infinity.
type Matrix = Vec<Vec<f64>>;

pub(crate) struct Oracle {
    n: usize,
    arcs: Matrix,
    edges: Matrix,
}

impl Oracle {
    pub(crate) fn new(graph: &Multigraph) -> Self {
        let n = graph.num_vertices;
        let mut arcs = vec![vec![NEVER; n]; n];
        let mut edges = arcs.clone();
        for &(u, v, weight) in &graph.arcs {
            let (u, v, weight) = (u as usize, v as usize, f64::from(weight));
            arcs[u][v] = weight.min(arcs[u][v]);
            (edges[u][v], edges[v][u]) = (weight.min(edges[u][v]), weight.min(edges[u][v]));
        }
        Oracle { n, arcs, edges }
    }

    /// The least sum of weights from each vertex to each, by the algorithm of Floyd and Warshall.
    fn distances(&self, matrix: &Matrix, weight: impl Fn(f64) -> f64) -> Matrix {
        let n = self.n;
        let mut all: Matrix = matrix.iter().map(|row| row.iter().map(|&arc| weight(arc)).collect()).collect();
        for (v, row) in all.iter_mut().enumerate() {
            row[v] = 0.0;
        }
        for middle in 0..n {
            for u in 0..n {
                for v in 0..n {
                    all[u][v] = all[u][v].min(all[u][middle] + all[middle][v]);
                }
            }
        }
        all
    }

    /// For each vertex the smallest one to which `is_joined`.
    fn labels(&self, is_joined: impl Fn(usize, usize) -> bool) -> Vec<u32> {
        (0..self.n).map(|v| (0..self.n).find(|&u| is_joined(u, v)).expect("itself") as u32).collect()
    }

    /// The largest k for which the vertex survives the removal of all that have fewer than k other neighbors left.
    fn coreness(&self) -> Vec<u32> {
        let mut coreness = vec![0; self.n];
        for k in 1..self.n {
            let mut left: BTreeSet<usize> = (0..self.n).collect();
            let has_few = |left: &BTreeSet<usize>, v: usize| {
                left.iter().filter(|&&u| u != v && self.edges[u][v] < NEVER).count() < k
            };
            while let Some(v) = left.iter().copied().find(|&v| has_few(&left, v)) {
                left.remove(&v);
            }
            left.iter().for_each(|&v| coreness[v] = k as u32);
        }
        coreness
    }

    fn triangles(&self) -> u64 {
        let joined = |u: usize, v: usize| self.edges[u][v] < NEVER;
        let pairs = |u: usize| (u + 1..self.n).flat_map(move |v| (v + 1..self.n).map(move |w| (u, v, w)));
        let all = (0..self.n).flat_map(pairs);
        all.filter(|&(u, v, w)| joined(u, v) && joined(v, w) && joined(u, w)).count() as u64
    }

    /// The weight of a minimum spanning forest, by the algorithm of Jarník: again and again the lightest edge that
    /// leaves the tree.
    fn forest_weight(&self) -> f64 {
        let mut inside: BTreeSet<usize> = BTreeSet::new();
        let mut sum = 0.0;
        for root in 0..self.n {
            if !inside.insert(root) {
                continue;
            }
            loop {
                let leaving = inside.iter().flat_map(|&u| (0..self.n).map(move |v| (u, v)));
                let leaving = leaving.filter(|&(u, v)| !inside.contains(&v) && self.edges[u][v] < NEVER);
                let Some((u, v)) = leaving.min_by(|&(a, b), &(c, d)| self.edges[a][b].total_cmp(&self.edges[c][d]))
                else {
                    break;
                };
                sum += self.edges[u][v];
                inside.insert(v);
            }
        }
        sum
    }

    /// The scores of the graph without self-loops, by a thousand rounds of the definition.
    fn scores(&self, damping: f64) -> Vec<f64> {
        let leads = |u: usize, v: usize| u != v && self.arcs[u][v] < NEVER;
        let degree = |u: usize| (0..self.n).filter(|&v| leads(u, v)).count() as f64;
        let mut scores = vec![1.0 / self.n as f64; self.n];
        for _ in 0..1000 {
            let pulled = |v: usize| (0..self.n).filter(|&u| leads(u, v)).map(|u| scores[u] / degree(u)).sum::<f64>();
            scores = (0..self.n).map(|v| (1.0 - damping) / self.n as f64 + damping * pulled(v)).collect();
        }
        scores
    }

    /// Checks every algorithm on the graphs that `read` returns: directed or not, and without self-loops or with them.
    pub(crate) fn check(&self, read: &dyn Fn(bool, bool) -> WeightedCsr, what: &str) {
        let [arcs, edges] = [read(true, false), read(false, false)];
        let [plain_arcs, plain_edges] = [arcs.clone(), edges.clone()].map(WeightedCsr::without_weights);
        let all_distances = self.distances(&self.arcs, |arc| arc);
        let all_steps = self.distances(&self.arcs, |arc| if arc < NEVER { 1.0 } else { NEVER });
        for root in 0..self.n {
            let found = sssp(&arcs, root as u32).expect("no weight is negative");
            assert_eq!(found.distances, all_distances[root], "{what}");
            let depth = |&depth: &u32| if depth == u32::MAX { NEVER } else { f64::from(depth) };
            let depths: Vec<f64> = bfs(&plain_arcs, root as u32).depths.iter().map(depth).collect();
            assert_eq!(depths, all_steps[root], "{what}");
        }
        let [one_way, both] = [&self.arcs, &self.edges].map(|matrix| self.distances(matrix, |arc| arc));
        let labels = self.labels(|u, v| both[u][v] < NEVER);
        assert_eq!(components(&plain_edges).labels(), labels, "{what}");
        let strong = self.labels(|u, v| one_way[u][v] < NEVER && one_way[v][u] < NEVER);
        assert_eq!(scc(&plain_arcs).labels(), strong, "{what}");

        let forest = forest(&plain_edges).expect("it is undirected");
        let roots: Vec<usize> = (0..self.n).filter(|&v| forest.parents[v] as usize == v).collect();
        let different: BTreeSet<u32> = roots.iter().map(|&root| labels[root]).collect();
        assert_eq!(
            (roots.len(), different),
            (labels.iter().collect::<BTreeSet<_>>().len(), labels.iter().copied().collect())
        );
        for (v, &parent) in forest.parents.iter().enumerate() {
            assert!(parent as usize == v || self.edges[v][parent as usize] < NEVER, "{what}");
        }
        assert_eq!(msf(&edges).weight, self.forest_weight(), "{what}");

        assert_eq!(cores(&plain_edges).expect("it is undirected").coreness, self.coreness(), "{what}");
        assert_eq!(triangles(&plain_edges).expect("it is undirected").count, self.triangles(), "{what}");
        let simple = read(true, true).without_weights();
        let options = PageRank::new().tolerance(1e-7).max_iterations(1000).update(Update::Synchronous);
        let scores = options.run(&simple).scores;
        for (found, expected) in scores.iter().zip(self.scores(0.85)) {
            assert!((f64::from(*found) - expected).abs() < 1e-5, "{found}, expected {expected}: {what}");
        }
        assert_eq!(scores.len(), self.n);
    }
}
