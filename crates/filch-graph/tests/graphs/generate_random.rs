//! Checks that random graphs have the distributions of their specifications.

use filch_graph::{Csr, Graph, GraphSpec};

fn generate(text: &str, seed: u64) -> Csr {
    text.parse::<GraphSpec>().expect("a specification").generate(seed).expect("a small graph")
}

fn sorted_degrees(graph: &Csr) -> Vec<usize> {
    let mut degrees: Vec<usize> = graph.degrees().collect();
    degrees.sort_unstable();
    degrees
}

#[test]
fn a_graph_of_m_edges_has_exactly_m_and_points_have_their_nearest_neighbors_at_least() {
    for (n, m) in [(1000, 3000), (1001, 3000), (2, 1), (3, 2), (300, 44_000)] {
        let graph = generate(&format!("gnm({n},{m})"), 4);
        assert_eq!((graph.num_vertices(), graph.num_edges()), (n, m));
    }
    let graph = generate("geometric(5000,6)", 4);
    assert!((15_000..=30_000).contains(&graph.num_edges()) && graph.degrees().all(|degree| degree >= 6));
    // Numbers are those of cells, 50 to a side: half of the neighbors are not far.
    let near = |v: u32| graph.row(v).iter().filter(|&&u| u.abs_diff(v) < 250).count();
    assert!((0..5000).map(near).sum::<usize>() > graph.num_arcs() / 2);
}

#[test]
fn each_vertex_of_a_random_graph_has_picked_about_the_given_number_of_neighbors() {
    let graph = generate("random(20000,2)", 1);
    // Two edges per vertex, except for some self-loops and duplicates. Fewer than ten of each are likely.
    assert!((39_970..=40_000).contains(&graph.num_edges()), "{} edges", graph.num_edges());
    // A degree is 2 plus a Poisson number of mean 2, so it is 2 with probability exp(-2) = 0.135.
    let least = graph.degrees().filter(|&degree| degree <= 2).count();
    assert!((2500..2950).contains(&least), "{least} vertices that no vertex has picked");
}

#[test]
fn quadrants_of_an_rmat_graph_have_their_shares() {
    let (scale, edges) = (20, 100_000.0);
    let graph = generate("rmat(20,100000)", 1);
    let half = 1 << (scale - 1);
    let of = |u_is_upper: bool, v_is_upper: bool| {
        let is_of = |u: u32, v: u32| u < v && (u >= half) == u_is_upper && (v >= half) == v_is_upper;
        (0..1 << scale).map(|u| graph.neighbors(u).filter(|&v| is_of(u, v)).count()).sum::<usize>()
    };
    // A self-loop is left out: it has A or D at each bit.
    let self_loops = |first: f64| edges * first * 0.8_f64.powi(scale - 1);
    let expected = [edges * 0.5 - self_loops(0.5), edges * 0.2, edges * 0.3 - self_loops(0.3)];
    for (found, expected) in [of(false, false), of(false, true), of(true, true)].into_iter().zip(expected) {
        // Six standard deviations.
        assert!((found as f64 - expected).abs() < 6.0 * expected.sqrt(), "{found}, {expected} expected");
    }
}

#[test]
fn quadrants_of_a_kronecker_graph_have_their_shares() {
    let graph = generate("kronecker(14)", 1);
    let degrees = sorted_degrees(&graph);
    // Shuffling labels does not change degrees. If k of the 14 bits of a vertex are ones, it is the first end of an
    // edge with probability (A + B)^(14 - k) (C + D)^k, the second end with the same probability, and both ends with
    // A^(14 - k) D^k.
    let isolated = |ones: i32| {
        let touched =
            2.0 * (0.76_f64.powi(14 - ones) * 0.24_f64.powi(ones) - 0.57_f64.powi(14 - ones) * 0.05_f64.powi(ones));
        (1.0 - touched).powi(16 << 14)
    };
    let mut of_14 = 1.0;
    let mut expected = 0.0;
    for ones in 0..=14 {
        expected += of_14 * isolated(ones);
        of_14 *= f64::from(14 - ones) / f64::from(ones + 1);
    }
    let found = degrees.iter().filter(|degree| **degree == 0).count();
    // At most six standard deviations.
    assert!((found as f64 - expected).abs() < 6.0 * 64.0, "{found} isolated vertices, {expected} expected");
}

#[test]
fn the_edges_of_all_parts_together_are_those_of_the_graph() {
    let specs = "kronecker(7) rmat(7,500) uniform(6,3) random(50,4) random(50,4,3) gnm(40,90) torus(7) cube(4) \
                 hypercube(5) meshes(4,3) path(30) regular(30,5) bintree(5) islands(5,4,6) stars(4,5) galaxy(4,5) \
                 cycles(4,5) cliques(4,5) lollipop(6,9) bipartite(4,9) grid(6,7) roads(9,9,40) torus(6),shuffled \
                 bintree(5),reversed roads(9,9,40),shuffled gnm(1,0)";
    for spec in specs.split(' ').filter(|spec| !spec.is_empty()) {
        let spec: GraphSpec = spec.parse().unwrap();
        for (seed, count) in [(1, 1), (2, 3), (3, 7)] {
            let parts = spec.in_parts::<u32>(seed).unwrap();
            let start = |part: usize| parts.len() * part / count;
            let mut edges = Vec::new();
            (0..count).for_each(|part| parts.edges(start(part)..start(part + 1), &mut edges));
            let simple = Csr::builder(parts.num_vertices()).symmetrize(true);
            let built = simple.remove_duplicates(true).remove_self_loops(true).build(edges).unwrap();
            assert_eq!(built, spec.generate::<u32>(seed).unwrap(), "{spec}");
        }
    }
    for spec in ["geometric(30,3)", "path(9),twice"] {
        let error = spec.parse::<GraphSpec>().unwrap().in_parts::<u32>(1).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("{spec}: expected a graph that can be generated in parts: not `geometric`, and not `twice`")
        );
    }
}
