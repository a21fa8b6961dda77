//! Checks that verifiers accept correct results, and reject each kind of wrong result with the error that describes it.

use std::fmt::Debug;

use filch_graph::verify::{
    BfsSummary, ComponentsSummary, ForestSummary, Wrong, verify_bfs, verify_components, verify_forest,
};
use filch_graph::{Graph, Vertex};

const NONE: u32 = <u32 as Vertex>::NONE;
const UNREACHED: u32 = u32::MAX;

/// A graph type that is independent of those of the crate: a list for each vertex.
struct Lists {
    out: Vec<Vec<u32>>,
    symmetric: bool,
}

impl Lists {
    fn directed(vertices: usize, arcs: &[(u32, u32)]) -> Self {
        let mut out = vec![Vec::new(); vertices];
        for &(u, w) in arcs {
            out[u as usize].push(w);
        }
        Lists { out, symmetric: false }
    }

    fn undirected(vertices: usize, edges: &[(u32, u32)]) -> Self {
        let both: Vec<(u32, u32)> = edges.iter().flat_map(|&(u, w)| [(u, w), (w, u)]).collect();
        Lists { symmetric: true, ..Self::directed(vertices, &both) }
    }
}

impl Graph for Lists {
    type Vertex = u32;

    fn num_vertices(&self) -> usize {
        self.out.len()
    }

    fn num_arcs(&self) -> usize {
        self.out.iter().map(Vec::len).sum()
    }

    fn is_symmetric(&self) -> bool {
        self.symmetric
    }

    fn degree(&self, v: u32) -> usize {
        self.out[v as usize].len()
    }

    fn neighbors(&self, v: u32) -> impl Iterator<Item = u32> + '_ {
        self.out[v as usize].iter().copied()
    }

    /// Verifiers must use only the arcs that leave a vertex.
    fn in_neighbors(&self, v: u32) -> impl Iterator<Item = u32> + '_ {
        assert!(self.symmetric, "a verifier asked for the arcs to {v}");
        self.neighbors(v)
    }
}

/// Two components and an isolated vertex with a self-loop:
///
/// ```text
/// 0 - 1 - 2 - 3 - 0,  4 - 5 - 6 (with 5 - 6 twice),  7 - 7
/// ```
fn example() -> Lists {
    Lists::undirected(8, &[(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (5, 6), (7, 7)])
}

/// A copy of `right`, with `wrong` at `place`.
fn but<T: Copy>(right: &[T], place: usize, wrong: T) -> Vec<T> {
    let mut changed = right.to_vec();
    changed[place] = wrong;
    changed
}

/// Checks that the answer is rejected with a message that contains all of these words.
#[track_caller]
fn rejected<S: Debug>(answer: Result<S, Wrong>, words: &[&str]) {
    let error = answer.unwrap_err();
    for word in words {
        assert!(error.to_string().contains(word), "{word:?}: {error}");
    }
}

const FOREST: [u32; 8] = [1, 2, 2, 2, 5, 6, 6, 7];

#[test]
fn a_spanning_forest_is_accepted() {
    assert_eq!(verify_forest(&example(), &FOREST), Ok(ForestSummary { roots: 3, edges: 5 }));
    assert_eq!(verify_forest(&Lists::directed(0, &[]), &[]), Ok(ForestSummary { roots: 0, edges: 0 }));
    // In a tree, the direction of an arc does not matter.
    let path = Lists::directed(3, &[(0, 1), (2, 1)]);
    for parents in [[0, 0, 1], [1, 1, 1], [1, 2, 2]] {
        assert_eq!(verify_forest(&path, &parents), Ok(ForestSummary { roots: 1, edges: 2 }));
    }
}

#[test]
fn a_wrong_forest_is_rejected_with_the_reason() {
    let graph = example();
    let reject = |parents: &[u32], words: &[&str]| rejected(verify_forest(&graph, parents), words);
    reject(&FOREST[1..], &["7 parents", "8 vertices"]);
    reject(&but(&FOREST, 4, NONE), &["vertex 4 has no parent"]);
    reject(&but(&FOREST, 4, 8), &["vertex 4 is 8", "below 8"]);
    // A vertex in the same component, and one in another component.
    for found in [6, 0] {
        reject(&but(&FOREST, 4, found), &["vertex 4", "no edge of the graph joins the two"]);
    }
    reject(&but(&FOREST, 2, 1), &["lead back to 1"]);
    reject(&[1, 2, 3, 0, 5, 6, 6, 7], &["lead back to 0"]);
    reject(&but(&FOREST, 0, 0), &["0 and 2"]);
    let all_roots: Vec<u32> = (0..8).collect();
    reject(&all_roots, &["0 and 1"]);
    // A cycle that can be reached from a vertex outside of it.
    let lasso = Lists::undirected(4, &[(0, 1), (1, 2), (2, 3), (3, 1)]);
    rejected(verify_forest(&lasso, &[1, 2, 3, 1]), &["lead back to 1"]);
}

const LABELS: [u32; 8] = [0, 0, 0, 0, 4, 4, 4, 7];

#[test]
fn right_labels_are_accepted_also_against_the_direction_of_arcs() {
    assert_eq!(verify_components(&example(), &LABELS), Ok(ComponentsSummary { components: 3, largest: 4 }));
    let empty = Lists::directed(0, &[]);
    assert_eq!(verify_components(&empty, &[]), Ok(ComponentsSummary { components: 0, largest: 0 }));
    let directed = Lists::directed(4, &[(2, 0), (2, 1)]);
    assert_eq!(verify_components(&directed, &[0, 0, 0, 3]), Ok(ComponentsSummary { components: 2, largest: 3 }));
}

#[test]
fn wrong_labels_are_rejected_with_the_reason() {
    let graph = example();
    let reject = |labels: &[u32], words: &[&str]| rejected(verify_components(&graph, labels), words);
    reject(&[], &["0 labels", "8 vertices"]);
    reject(&but(&LABELS, 7, 8), &["vertex 7 is 8", "below 8"]);
    reject(&but(&LABELS, 5, 5), &["joins 4 and 5", "4 and 5: expected the same"]);
    // The second component is merged with the first, and the third with the second.
    reject(&[0, 0, 0, 0, 0, 0, 0, 7], &["vertex 4 is 0", "not connected: expected 4"]);
    reject(&but(&LABELS, 7, 4), &["vertex 7 is 4", "not connected: expected 7"]);
    // Two components have exchanged their labels.
    reject(&[4, 4, 4, 4, 0, 0, 0, 7], &["vertex 0 is 4", "not connected: expected 0"]);
    reject(&[0, 0, 0, 0, 6, 6, 6, 7], &["vertex 4 is 6", "expected 4, the smallest"]);
}

/// Vertex 0 leads to 1 and 2, which both lead to 3. Vertex 4 leads to 3 and 5, and no arc leads to 4.
fn diamond() -> Lists {
    Lists::directed(6, &[(0, 1), (0, 2), (1, 3), (2, 3), (3, 0), (4, 3), (4, 5)])
}
const DEPTHS: [u32; 6] = [0, 1, 1, 2, UNREACHED, UNREACHED];
const NEARER: [u32; 6] = [0, 0, 0, 1, NONE, NONE];

#[test]
fn a_breadth_first_search_is_accepted_whichever_of_the_possible_parents_it_chose() {
    for parent in [1, 2] {
        let summary = verify_bfs(&diamond(), 0, &DEPTHS, &but(&NEARER, 3, parent)).unwrap();
        assert_eq!(summary, BfsSummary { levels: vec![1, 2, 1], arcs: 5 });
        assert_eq!(summary.reached(), 4);
    }
    let path = Lists::undirected(4, &[(0, 3), (3, 2)]);
    let summary = verify_bfs(&path, 2, &[2, UNREACHED, 0, 1], &[3, NONE, 2, 2]).unwrap();
    assert_eq!(summary.levels, [1, 1, 1]);
}

#[test]
fn wrong_depths_are_rejected_with_the_reason() {
    let graph = diamond();
    let reject = |depths: &[u32], words: &[&str]| rejected(verify_bfs(&graph, 0, depths, &NEARER), words);
    reject(&DEPTHS[1..], &["5 depths and 6 parents"]);
    reject(&but(&DEPTHS, 3, 3), &["vertex 3 has depth 3: expected 2"]);
    reject(&but(&DEPTHS, 3, 1), &["vertex 3 has depth 1: expected 2"]);
    reject(&but(&DEPTHS, 0, 1), &["vertex 0 has depth 1: expected 0"]);
    reject(&but(&DEPTHS, 3, UNREACHED), &["vertex 3 was not reached: expected depth 2"]);
    reject(&but(&DEPTHS, 5, 3), &["vertex 5 has depth 3", "none"]);
}

#[test]
fn wrong_parents_are_rejected_with_the_reason() {
    let graph = diamond();
    let reject = |parents: &[u32], words: &[&str]| rejected(verify_bfs(&graph, 0, &DEPTHS, parents), words);
    reject(&NEARER[1..], &["6 depths and 5 parents"]);
    reject(&but(&NEARER, 0, 3), &["root 0 is 3"]);
    reject(&but(&NEARER, 3, NONE), &["vertex 3 was reached but has no parent", "depth 1"]);
    reject(&but(&NEARER, 5, 4), &["vertex 5 is 4", "none"]);
    // No arc between the two, an arc in the other direction only, not a vertex.
    for found in [0, 5, 6] {
        reject(&but(&NEARER, 3, found), &["vertex 3", "no arc leads from there to 3"]);
    }
    reject(&but(&NEARER, 1, 3), &["no arc leads from there to 1"]);
    reject(&but(&NEARER, 3, 4), &["vertex 3 is 4", "not reached"]);
    let level = Lists::directed(4, &[(0, 1), (0, 2), (1, 2)]);
    let answer = verify_bfs(&level, 0, &[0, 1, 1, UNREACHED], &[0, 0, 1, NONE]);
    rejected(answer, &["vertex 2 is 1 at depth 1", "depth 0"]);
    rejected(verify_bfs(&graph, 6, &DEPTHS, &NEARER), &["root is 6"]);
}

/// The distances between all pairs of vertices (Floyd and Warshall).
fn distances(graph: &Lists) -> Vec<Vec<u32>> {
    let count = graph.num_vertices();
    let mut far = vec![vec![UNREACHED; count]; count];
    for (u, row) in far.iter_mut().enumerate() {
        graph.out[u].iter().for_each(|&w| row[w as usize] = 1);
        row[u] = 0;
    }
    for via in 0..count {
        for from in 0..count {
            for to in 0..count {
                let detour = far[from][via].saturating_add(far[via][to]);
                far[from][to] = far[from][to].min(detour);
            }
        }
    }
    far
}

/// On random graphs, the results that follow from the distances are accepted. If a label, depth or parent is changed,
/// the result is accepted if and only if it is still correct.
#[test]
fn exactly_the_results_that_follow_from_all_distances_are_accepted() {
    for seed in 0..200 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let count = rng.usize(1..14);
        let arcs: Vec<(u32, u32)> =
            (0..rng.usize(0..2 * count)).map(|_| (rng.u32(0..count as u32), rng.u32(0..count as u32))).collect();
        let directed = Lists::directed(count, &arcs);
        let (place, wrong) = (rng.usize(0..count), rng.u32(0..count as u32));

        let connected = distances(&Lists::undirected(count, &arcs));
        let smallest = |row: &Vec<u32>| row.iter().position(|&far| far != UNREACHED).unwrap() as u32;
        let labels: Vec<u32> = connected.iter().map(smallest).collect();
        assert!(verify_components(&directed, &labels).is_ok(), "seed {seed}");
        let changed = verify_components(&directed, &but(&labels, place, wrong));
        assert_eq!(changed.is_ok(), wrong == labels[place], "seed {seed}");

        let root = rng.usize(0..count);
        let depths = &distances(&directed)[root];
        let leads_on =
            |u: usize, v: usize| directed.out[u].contains(&(v as u32)) && depths[u].checked_add(1) == Some(depths[v]);
        let parent = |v: usize| if v == root { Some(v) } else { (0..count).find(|&u| leads_on(u, v)) };
        let parents: Vec<u32> = (0..count).map(|v| parent(v).map_or(NONE, |u| u as u32)).collect();
        assert!(verify_bfs(&directed, root as u32, depths, &parents).is_ok(), "seed {seed}");
        let changed = verify_bfs(&directed, root as u32, &but(depths, place, wrong), &parents);
        assert_eq!(changed.is_ok(), wrong == depths[place], "seed {seed}");
        let changed = verify_bfs(&directed, root as u32, depths, &but(&parents, place, wrong));
        let as_good = if place == root { wrong as usize == root } else { leads_on(wrong as usize, place) };
        assert_eq!(changed.is_ok(), as_good, "seed {seed}");
    }
}

/// All 4^4 choices of parents in a square with a diagonal. Correct ones are the spanning trees, of which there are 8 by
/// the theorem of Kirchhoff, with any of the 4 vertices as root.
#[test]
fn exactly_the_rooted_spanning_trees_are_accepted() {
    let graph = Lists::undirected(4, &[(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)]);
    let choices = (0..256_u32).map(|code| [0, 2, 4, 6].map(|shift| code >> shift & 3));
    assert_eq!(choices.filter(|parents| verify_forest(&graph, parents).is_ok()).count(), 8 * 4);
}
