//! PageRank by plain loops, as a baseline and a reference for tests.

use super::{PageRank, Ranks, Update};
use crate::graph::Graph;
use crate::vertex::Vertex;

/// The PageRank of `graph`, by plain serial loops. Shares no code with [`pagerank`](super::pagerank()).
///
/// Work: O(n + m) for each iteration.
pub fn serial<G: Graph>(graph: &G, options: PageRank<'_>) -> Ranks {
    let n = graph.num_vertices();
    let mut scores = vec![1.0 / n as f32; n];
    let mut shares: Vec<f32> = (0..n).map(|v| scores[v] / graph.degree(G::Vertex::new(v)) as f32).collect();
    let mut old_shares = Vec::new();
    let base = (1.0 - options.damping) / n as f64;
    let mut found = Ranks { scores: Vec::new(), iterations: 0, change: 0.0, has_converged: n == 0 };
    while !found.has_converged && found.iterations < options.max_iterations {
        if options.update == Update::Synchronous {
            old_shares.clone_from(&shares);
        }
        let (mut change, mut all_pulled, mut kept, mut sources) = (0.0, 0.0, 0.0, 0);
        for v in 0..n {
            let mut pulled = 0.0;
            for u in graph.in_neighbors(G::Vertex::new(v)) {
                let from = if options.update == Update::Synchronous { &old_shares } else { &shares };
                pulled += f64::from(from[u.index()]);
            }
            pulled *= options.damping;
            let degree = graph.degree(G::Vertex::new(v));
            let score = (base + pulled) as f32;
            change += f64::from((score - scores[v]).abs());
            all_pulled += pulled;
            if degree > 0 {
                kept += pulled;
                sources += 1;
            }
            scores[v] = score;
            shares[v] = score / degree as f32;
        }
        found.has_converged = change < options.tolerance;
        let is_balanced = found.iterations == 0 || change < found.change;
        found.iterations += 1;
        found.change = change;
        let is_last = found.has_converged || found.iterations == options.max_iterations;
        if options.update == Update::InPlace && is_balanced && all_pulled > 0.0 && !is_last {
            let lost = (all_pulled - kept) + (1.0 - options.damping) * kept;
            let factor = options.damping * base * f64::from(sources) / lost;
            if (factor - 1.0).abs() * all_pulled >= options.tolerance {
                for v in 0..n {
                    scores[v] = (base + factor * (f64::from(scores[v]) - base)) as f32;
                    shares[v] = scores[v] / graph.degree(G::Vertex::new(v)) as f32;
                }
            }
        }
    }
    Ranks { scores, ..found }
}
