//! Verifies spanning forests of small graphs of all shapes, with a union-find of its own.

use crate::common::lists::{Lists, pools};
use filch::{Batches, Pool};
use filch_graph::forest::{Algorithm, Claims, Forest, ForestError, SpanningForest, forest, serial};
use filch_graph::{Csr, Graph, GraphSpec};
use std::collections::HashSet;

/// The representative of the component of each vertex, by a simple union-find.
fn components(graph: &impl Graph<Vertex = u32>) -> Vec<usize> {
    let mut above: Vec<usize> = (0..graph.num_vertices()).collect();
    fn find(above: &mut [usize], v: usize) -> usize {
        let mut root = v;
        while above[root] != root {
            root = above[root];
        }
        above[v] = root;
        root
    }
    for v in 0..above.len() {
        for w in graph.neighbors(v as u32) {
            let (a, b) = (find(&mut above, v), find(&mut above, w as usize));
            above[a.max(b)] = a.min(b);
        }
    }
    (0..above.len()).map(|v| find(&mut above, v)).collect()
}

/// Checks that the edges exist, that there is no cycle, and that there are as many roots as components. No edge leaves
/// a component, so each has exactly one root.
fn verify(graph: &impl Graph<Vertex = u32>, parents: &[u32]) {
    let n = graph.num_vertices();
    assert_eq!(parents.len(), n);
    for (v, &parent) in parents.iter().enumerate() {
        let is_root = parent as usize == v;
        assert!(is_root || graph.neighbors(v as u32).any(|w| w == parent), "no edge from {v} to its parent {parent}");
    }
    let mut is_sound = vec![false; n];
    for v in 0..n {
        let (mut path, mut at) = (Vec::new(), v);
        while !is_sound[at] && parents[at] as usize != at {
            path.push(at);
            assert!(path.len() <= n, "a cycle above {v}");
            at = parents[at] as usize;
        }
        is_sound[at] = true;
        path.iter().for_each(|&v| is_sound[v] = true);
    }
    let components: HashSet<_> = components(graph).into_iter().collect();
    let roots = (0..n).filter(|&v| parents[v] as usize == v).count();
    assert_eq!(roots, components.len());
}

fn algorithms() -> impl Iterator<Item = Algorithm> {
    let sizes = [Batches::Fixed(1), Batches::Fixed(7), Batches::UpTo(64)];
    let sized = sizes.into_iter().flat_map(|batches| [Algorithm::PseudoDfs(batches), Algorithm::PhasedBfs(batches)]);
    Algorithm::ALL.into_iter().chain(sized)
}

/// The options of a forest: the algorithm, the root and the claims.
type Options = (Algorithm, Option<u32>, Claims);

const DEFAULT: Options = (Algorithm::Auto, None, Claims::Store);

fn check(graph: &impl Graph<Vertex = u32>, options: Options) -> SpanningForest {
    let (algorithm, root, claims) = options;
    let mut builder = Forest::new().algorithm(algorithm).claims(claims);
    if let Some(root) = root {
        builder = builder.root(root);
    }
    let forest = builder.run(graph).expect("the graph is symmetric, and has the root");
    verify(graph, &forest.parents);
    assert_ne!(forest.algorithm, Algorithm::Auto);
    assert!(algorithm == Algorithm::Auto || algorithm == forest.algorithm);
    if let Some(root) = root {
        assert_eq!(forest.parents[root as usize], root, "{options:?}");
    }
    forest
}

/// A random symmetric graph.
fn random(rng: &mut fastrand::Rng, max_n: usize) -> Lists {
    loop {
        let graph = Lists::random(rng, max_n);
        if graph.is_symmetric() {
            return graph;
        }
    }
}

#[test]
fn a_forest_has_a_tree_for_each_component_whatever_the_algorithm_the_pool_and_the_schedule() {
    let pools = pools();
    for seed in 0..120 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let graph = random(&mut rng, [5, 60, 2000][seed as usize % 3]);
        let root = rng.bool().then(|| rng.u32(0..graph.num_vertices() as u32));
        let claims = if rng.bool() { Claims::Store } else { Claims::Exchange };
        let pool = &pools[seed as usize % pools.len()];
        for algorithm in algorithms() {
            pool.run(|_| check(&graph, (algorithm, root, claims)));
        }
    }
}

#[test]
fn shapes_of_all_kinds_have_forests() {
    let pools = pools();
    let specs = [
        "torus(40)",
        "torus(40),shuffled",
        "meshes(10,40)",
        "meshes(10,40),shuffled",
        "hypercube(11)",
        "kronecker(10)",
        "uniform(10,2)",
        "random(3000,1)",
        "bintree(11),shuffled",
        "regular(500,4)",
        "islands(700,3)",
        "islands(700,3),shuffled",
        "islands(300,10,50),shuffled",
        "islands(12,129,20),shuffled",
        "islands(12,130,20),shuffled",
        "stars(3,1000),shuffled",
    ];
    for (spec, pool) in specs.iter().zip(pools.iter().cycle()) {
        let spec: GraphSpec = spec.parse().expect("a specification");
        let graph: Csr = spec.generate(7).expect("a graph");
        for algorithm in algorithms() {
            pool.run(|_| check(&graph, (algorithm, Some(0), Claims::Store)));
        }
    }
}

#[test]
fn meshes_are_deep() {
    let mut rng = fastrand::Rng::with_seed(4);
    let graph = Lists::mesh(&mut rng, 90);
    for pool in pools() {
        for claims in [Claims::Store, Claims::Exchange] {
            let forest = pool.run(|_| check(&graph, (Algorithm::Auto, None, claims)));
            assert_eq!(forest.algorithm, Algorithm::PseudoDfs(Batches::Adaptive), "{}", forest.reason);
        }
    }
}

#[test]
fn a_long_path_needs_no_stack() {
    let n = 100_000;
    for spec in [format!("path({n})"), format!("path({n}),shuffled")] {
        let graph: Csr = spec.parse::<GraphSpec>().expect("a specification").generate(3).expect("a graph");
        for algorithm in Algorithm::ALL {
            // This takes as many phases as there are vertices.
            if !matches!(algorithm, Algorithm::PhasedBfs(_)) {
                check(&graph, (algorithm, None, Claims::Store));
            }
        }
    }
}

#[test]
fn a_star_and_no_vertices_and_one_and_loops_and_parallel_edges() {
    let star: Vec<_> = (1..5000).map(|v| (4999 - v, 4999)).collect();
    let graphs = [
        Lists::undirected(5000, &star),
        Lists::undirected(0, &[]),
        Lists::undirected(1, &[]),
        Lists::undirected(1, &[(0, 0), (0, 0)]),
        Lists::undirected(4, &[(0, 0), (1, 3), (3, 1), (1, 3), (2, 2)]),
        Lists::undirected(300, &[]),
    ];
    let pools = pools();
    for graph in &graphs {
        for pool in &pools {
            for algorithm in algorithms() {
                pool.run(|_| check(graph, (algorithm, None, Claims::Store)));
            }
        }
    }
}

/// Many components, none of them large, and the same beside two large ones.
#[test]
fn many_components_are_all_found() {
    let n = 9_000;
    let triples: Vec<_> = (0..n / 3).flat_map(|i| [(3 * i, 3 * i + 1), (3 * i + 2, 3 * i)]).collect();
    let mut rng = fastrand::Rng::with_seed(5);
    let mut names: Vec<u32> = (0..n).collect();
    rng.shuffle(&mut names);
    let shuffled: Vec<_> = triples.iter().map(|&(u, v)| (names[u as usize], names[v as usize])).collect();
    let halves = (0..n).filter(|v| v % 10 != 0).map(|v| (v, v / 4 * 2 + v % 2));
    let large: Vec<_> = halves.map(|(u, v)| (names[u as usize], names[v as usize])).collect();
    for edges in [triples, shuffled, large] {
        let graph = Lists::undirected(n as usize, &edges);
        for pool in pools() {
            for algorithm in Algorithm::ALL {
                pool.run(|_| check(&graph, (algorithm, Some(17), Claims::Store)));
            }
        }
    }
}

#[test]
fn auto_distinguishes_row_order_and_shallow_and_deep_graphs() {
    let pool = Pool::builder().workers(2).build().expect("two threads");
    for (spec, expected) in [
        ("torus(20)", Algorithm::Serial),
        ("torus(100)", Algorithm::Descend),
        ("meshes(30,100)", Algorithm::Descend),
        ("hypercube(13)", Algorithm::Descend),
        ("torus(100),reversed", Algorithm::Descend),
        ("roads(100,100,30)", Algorithm::Sweep),
        ("islands(5000,2)", Algorithm::Sweep),
        ("galaxy(200,129),reversed", Algorithm::Sweep),
        ("torus(100),shuffled", Algorithm::PseudoDfs(Batches::Adaptive)),
        ("bintree(14),shuffled", Algorithm::PseudoDfs(Batches::Adaptive)),
        ("path(20000),shuffled", Algorithm::Sweep),
        ("stars(10000,1),shuffled", Algorithm::Sweep),
        ("islands(5000,3),shuffled", Algorithm::Sweep),
        ("hypercube(13),shuffled", Algorithm::Pull),
        ("kronecker(13)", Algorithm::Pull),
        ("random(10000,2)", Algorithm::Pull),
    ] {
        let graph: Csr = spec.parse::<GraphSpec>().expect("a specification").generate(3).expect("a graph");
        let forest = pool.run(|_| check(&graph, DEFAULT));
        assert_eq!(forest.algorithm, expected, "{spec}: {}, {}", forest.reason, forest.facts);
    }
}

#[test]
fn the_algorithm_is_chosen_by_the_giant_component_even_if_the_root_is_outside_of_it() {
    let giant = (1..20_000).flat_map(|v| [(v, 1 + v * 7 % 19_999), (v, 1 + v * v % 19_999)]);
    let graph = Lists::undirected(20_002, &giant.chain([(0, 20_001)]).collect::<Vec<(u32, u32)>>());
    for pool in pools() {
        let [outside, inside] =
            [0, 5].map(|root| pool.run(|_| check(&graph, (Algorithm::Auto, Some(root), Claims::Store)).algorithm));
        assert_eq!(outside, inside);
    }
}

#[test]
fn the_serial_traversal_is_a_forest_too_and_trees_are_counted() {
    let mut rng = fastrand::Rng::with_seed(2);
    for _ in 0..20 {
        let graph = random(&mut rng, 500);
        verify(&graph, &serial(&graph));
        let trees: HashSet<_> = components(&graph).into_iter().collect();
        assert_eq!(check(&graph, DEFAULT).num_trees(), trees.len());
    }
}

#[test]
fn phases_make_trees_of_the_smallest_depth() {
    let graph: Csr = "torus(9),shuffled".parse::<GraphSpec>().expect("a specification").generate(3).expect("a graph");
    for pool in pools() {
        let options = (Algorithm::PhasedBfs(Batches::Adaptive), Some(5), Claims::Exchange);
        let forest = pool.run(|_| check(&graph, options));
        let depths = filch_graph::bfs::serial(&graph, 5).depths;
        for v in (0..81).filter(|&v| v != 5) {
            assert_eq!(depths[v], depths[forest.parents[v] as usize] + 1);
        }
    }
}

#[test]
fn directed_graphs_and_roots_out_of_range_are_errors() {
    let directed = Lists::directed(2, &[(0, 1)]);
    let error = forest(&directed).expect_err("it is directed");
    assert_eq!(error, ForestError::Directed);
    let graph = Lists::undirected(2, &[(0, 1)]);
    let error = Forest::new().root(2).run(&graph).expect_err("0 and 1");
    assert_eq!(error, ForestError::NoSuchRoot { root: 2, num_vertices: 2 });
    assert!(error.to_string().contains("vertex 2"));
}
