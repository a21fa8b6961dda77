//! The defaults on graphs of all shapes, in all orders, on all kinds of pools: every result is verified by
//! [`filch_graph::verify`].

use crate::common::lists::pools;
use filch::{Pool, Scheduler};
use filch_graph::bfs::{Bfs, Direction, bfs};
use filch_graph::components::{Algorithm as ComponentsAlgorithm, Components, components};
use filch_graph::forest::{Algorithm, Forest, forest};
use filch_graph::verify::{verify_bfs, verify_components, verify_forest};
use filch_graph::{Csr, Graph, GraphSpec};

/// Shapes on each side of the limits in the code: levels of 64 and 512 vertices, hubs of 2^14 arcs, pieces
/// of 2^10 and 2^14 vertices, 8 arcs per vertex.
const SHAPES: [&str; 39] = [
    "path(1)",
    "path(40000)",
    "path(9000),twice",
    "grid(10000,4)",
    "grid(4,10000)",
    "grid(64,600)",
    "grid(65,600)",
    "grid(600,512)",
    "roads(150,200,30)",
    "roads(150,200,55)",
    "torus(140)",
    "meshes(40,140)",
    "cycles(6000,3)",
    "cycles(150,128)",
    "cycles(150,129)",
    "cycles(30,1000)",
    "cliques(90,16)",
    "cliques(90,17)",
    "cliques(20,60)",
    "cliques(1,150),twice",
    "galaxy(200,128)",
    "galaxy(200,129)",
    "galaxy(2,16383)",
    "galaxy(2,16385)",
    "galaxy(1,40000)",
    "stars(10000,1)",
    "stars(300,64)",
    "islands(9000,2)",
    "islands(200,129)",
    "islands(200,130)",
    "islands(2000,3,80)",
    "bintree(14)",
    "bintree(14),twice",
    "lollipop(200,20000)",
    "bipartite(4,9000)",
    "hypercube(12)",
    "regular(20000,8)",
    "regular(9000,9)",
    "kronecker(11),twice",
];

/// Pools of one to five workers and of the chaos scheduler, and one for each other scheduler.
fn all_pools() -> Vec<Pool> {
    let of = |scheduler: Scheduler| {
        let workers = if scheduler == Scheduler::serial() { 1 } else { 2 };
        Pool::builder().workers(workers).scheduler(scheduler).build().expect("threads start")
    };
    pools().into_iter().chain(Scheduler::presets().map(of)).collect()
}

fn check_all(name: &str, graph: &Csr, pool: &Pool) {
    let n = graph.num_vertices();
    let hub = (0..n as u32).rev().max_by_key(|&v| graph.degree(v)).expect("there are vertices");
    let (forest, rooted, labels, searches) = pool.run(|_| {
        let forest = forest(graph).expect("the graph is symmetric");
        let rooted = Forest::new().algorithm(Algorithm::Sweep).root(n as u32 / 2).run(graph);
        let rooted = rooted.expect("the graph has the root");
        let labels = [components(graph), Components::new().algorithm(ComponentsAlgorithm::Sweep).run(graph)];
        (forest, rooted, labels, [hub, 0, n as u32 - 1].map(|root| (root, bfs(graph, root))))
    });
    assert_eq!(rooted.parents[n / 2], n as u32 / 2, "{name}");
    for forest in [forest, rooted] {
        verify_forest(graph, &forest.parents).unwrap_or_else(|wrong| panic!("{name}, {}: {wrong}", forest.algorithm));
    }
    for labels in labels {
        let algorithm = labels.algorithm();
        verify_components(graph, labels.labels()).unwrap_or_else(|wrong| panic!("{name}, {algorithm}: {wrong}"));
    }
    for (root, found) in searches {
        verify_bfs(graph, root, &found.depths, &found.parents).unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
        let arcs: usize =
            found.depths.iter().zip(0..).filter(|(depth, _)| **depth != u32::MAX).map(|(_, v)| graph.degree(v)).sum();
        if found.levels.iter().all(|level| level.direction == Direction::TopDown) {
            assert_eq!(found.num_arcs(), arcs, "{name}: top-down levels read each arc once");
        }
    }
}

fn generate(spec: &str, seed: u64) -> Csr {
    spec.parse::<GraphSpec>().expect(spec).generate(seed).expect(spec)
}

#[test]
fn every_shape_in_every_order_has_right_results_by_the_defaults() {
    let pools = all_pools();
    let specs = ["", ",shuffled", ",reversed"].iter().flat_map(|order| SHAPES.map(|shape| format!("{shape}{order}")));
    for (spec, pool) in specs.zip(pools.iter().cycle()) {
        check_all(&format!("{spec} on {pool:?}"), &generate(&spec, 5), pool);
    }
}

/// Two or three shapes of random sizes, in a random order, with random edges between them.
#[test]
fn shapes_that_are_drawn_and_mixed_have_right_results_by_the_defaults() {
    let pools = all_pools();
    for seed in 0..30 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut edges = Vec::new();
        let mut n = 0;
        for _ in 0..rng.usize(2..4) {
            let (few, many) = (rng.usize(3..70), rng.usize(3..400));
            let shape = match rng.usize(0..9) {
                0 => format!("path({})", few * many),
                1 => format!("grid({few},{many})"),
                2 => format!("galaxy({few},{many})"),
                3 => format!("cycles({few},{many})"),
                4 => format!("cliques({},{few})", many / 10 + 1),
                5 => format!("stars({many},{few})"),
                6 => format!("lollipop({few},{many})"),
                7 => format!("roads({few},{many},40)"),
                _ => format!("random({},2)", few * many),
            };
            let order = rng.choice(["", ",shuffled", ",reversed", ",twice,shuffled"]).expect("there are some");
            let part = generate(&format!("{shape}{order}"), seed);
            let arcs = (0..part.num_vertices() as u32).flat_map(|u| part.row(u).iter().map(move |&v| (u, v)));
            edges.extend(arcs.filter(|(u, v)| u < v).map(|(u, v)| (n + u, n + v)));
            n += part.num_vertices() as u32;
        }
        for _ in 0..rng.usize(0..4) {
            edges.push((rng.u32(0..n), rng.u32(0..n)));
        }
        let graph: Csr = Csr::builder(n as usize).symmetrize(true).build(edges).expect("a small graph");
        check_all(&format!("seed {seed}"), &graph, &pools[seed as usize % pools.len()]);
    }
}

/// Directed graphs: weak components follow arcs both ways, and searches only forwards.
#[test]
fn components_of_directed_graphs_are_weak_however_the_vertices_are_numbered() {
    for (seed, pool) in (0..48).zip(all_pools().iter().cycle()) {
        let mut rng = fastrand::Rng::with_seed(seed);
        let n = rng.u32(2..40_000);
        let reach = rng.u32(1..=n.min(2000));
        // Arcs to numbers nearby, up or down, from most vertices.
        let mut arcs = Vec::new();
        for u in (0..n).filter(|u| u % 10 != 7) {
            arcs.push((u, (u.saturating_sub(reach / 2) + rng.u32(0..reach)).min(n - 1)));
        }
        let graph: Csr = Csr::builder(n as usize).build(arcs).expect("a small graph");
        assert!(!graph.is_symmetric());
        let found =
            pool.run(|_| [components(&graph), Components::new().algorithm(ComponentsAlgorithm::Sweep).run(&graph)]);
        for found in found {
            verify_components(&graph, found.labels()).unwrap_or_else(|wrong| panic!("seed {seed}: {wrong}"));
        }
        for direction in [Direction::Auto, Direction::TopDown, Direction::BottomUp] {
            // Bottom-up alone reads everything at each of many levels.
            if direction != Direction::BottomUp || n < 2000 {
                let found = pool.run(|_| Bfs::new().direction(direction).run(&graph, 0));
                verify_bfs(&graph, 0, &found.depths, &found.parents)
                    .unwrap_or_else(|wrong| panic!("seed {seed}, {direction}: {wrong}"));
            }
        }
    }
}
