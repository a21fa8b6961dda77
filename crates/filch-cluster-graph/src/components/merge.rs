//! Forests of names, merged.

use filch_graph::Vertex;

/// For each name that is not the smallest of its tree in the union of these edges, an edge to the smallest.
pub(super) fn star<V: Vertex>(edges: Vec<(V, V)>) -> Vec<(V, V)> {
    let mut names = edges.iter().flat_map(|&(a, b)| [a, b]).collect::<Vec<_>>();
    names.sort_unstable();
    names.dedup();
    // The parent of each name, by their places: a smaller name or itself.
    let mut parents = (0..names.len()).collect::<Vec<_>>();
    for (a, b) in edges {
        let place = |name: V| names.partition_point(|&other| other < name);
        let (a, b) = (root(&mut parents, place(a)), root(&mut parents, place(b)));
        parents[a.max(b)] = a.min(b);
    }
    let stars = (0..names.len()).filter_map(|place| {
        let root = root(&mut parents, place);
        (root != place).then(|| (names[place], names[root]))
    });
    stars.collect()
}

fn root(parents: &mut [usize], mut place: usize) -> usize {
    while parents[place] != place {
        parents[place] = parents[parents[place]];
        place = parents[place];
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_edges_join_have_the_smallest_of_them_as_their_star() {
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..300 {
            let n = 1 + random.u32(..30);
            let edges = (0..random.u32(..40)).map(|_| (random.u32(..n), random.u32(..n))).collect::<Vec<_>>();
            let mut labels = (0..n).collect::<Vec<_>>();
            // As often as a path can be long.
            for &(a, b) in edges.iter().cycle().take(edges.len() * n as usize) {
                let low = labels[a as usize].min(labels[b as usize]);
                (labels[a as usize], labels[b as usize]) = (low, low);
            }
            let expected = (0..n).filter(|&v| labels[v as usize] != v).map(|v| (v, labels[v as usize]));
            assert_eq!(star(edges.clone()), expected.collect::<Vec<_>>(), "{edges:?}");
        }
    }
}
