//! The Louvain method in plain loops, as a baseline and a reference for tests.

use crate::graph::WeightedGraph;
use crate::vertex::Vertex;
use crate::watch::look_at;
use crate::weight::Weight;
use std::collections::BTreeMap;

/// For each vertex of a symmetric graph, the smallest vertex of its community, by the Louvain method (Blondel,
/// Guillaume, Lambiotte and Lefebvre 2008, "Fast unfolding of communities in large networks"): in the order of their
/// numbers, vertices move to the community with the largest gain, again and again until none moves, or a
/// thousand times; then communities become vertices. Shares no code with [`communities`](super::communities()).
///
/// Work: O(n + m) for each pass, of which there are usually some ten. Memory: two words for each arc. The result is
/// unspecified if the graph is directed or a weight is negative.
pub fn serial<G: WeightedGraph>(graph: &G, resolution: f64) -> Vec<G::Vertex> {
    let n = graph.num_vertices();
    let row = |v: usize| -> Vec<(usize, f64)> {
        let weight = |u: usize, weight: f64| if u == v { 2.0 * weight } else { weight };
        graph.arcs(G::Vertex::new(v)).map(|(u, w)| (u.index(), weight(u.index(), w.rounded()))).collect()
    };
    let mut rows: Vec<_> = (0..n).map(row).collect();
    let mut community: Vec<usize> = (0..n).collect();
    loop {
        let found = passes(&rows, resolution);
        let mut numbers = BTreeMap::new();
        for &of in &found {
            let next = numbers.len();
            numbers.entry(of).or_insert(next);
        }
        community.iter_mut().for_each(|of| *of = numbers[&found[*of]]);
        if numbers.len() == rows.len() {
            break;
        }
        let mut merged = vec![BTreeMap::new(); numbers.len()];
        for (v, row) in rows.iter().enumerate() {
            for &(u, weight) in row {
                *merged[numbers[&found[v]]].entry(numbers[&found[u]]).or_insert(0.0) += weight;
            }
        }
        rows = merged.into_iter().map(|row| row.into_iter().collect()).collect();
    }
    let mut smallest = vec![G::Vertex::NONE; n];
    let label = |(v, of): (usize, usize)| {
        smallest[of] = smallest[of].min(G::Vertex::new(v));
        smallest[of]
    };
    community.into_iter().enumerate().map(label).collect()
}

/// The community of each vertex after no vertex moves any more. A loop has twice its weight.
fn passes(rows: &[Vec<(usize, f64)>], resolution: f64) -> Vec<usize> {
    let degrees: Vec<f64> = rows.iter().map(|row| row.iter().map(|arc| arc.1).sum()).collect();
    let (scale, mut totals) = (resolution / degrees.iter().sum::<f64>(), degrees.clone());
    let mut community: Vec<usize> = (0..rows.len()).collect();
    let mut weights = vec![0.0; rows.len()];
    // Many more than there are, unless rounding makes gains of losses.
    const MOST_PASSES: usize = 1000;
    for _ in 0..MOST_PASSES {
        let mut has_moved = false;
        for (v, row) in rows.iter().enumerate() {
            look_at(v);
            let own = community[v];
            row.iter().filter(|arc| arc.0 != v).for_each(|&(u, weight)| weights[community[u]] += weight);
            totals[own] -= degrees[v];
            let gain = |of: usize| weights[of] - scale * degrees[v] * totals[of];
            // More than by rounding.
            let (mut best, mut most) = (own, gain(own) + 1e-10 * degrees[v]);
            for of in row.iter().map(|&(u, _)| community[u]) {
                if gain(of) > most {
                    (best, most) = (of, gain(of));
                }
            }
            totals[best] += degrees[v];
            row.iter().for_each(|&(u, _)| weights[community[u]] = 0.0);
            has_moved |= best != own;
            community[v] = best;
        }
        if !has_moved {
            break;
        }
    }
    community
}
