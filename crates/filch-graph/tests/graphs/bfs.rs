//! Compares breadth-first search with the serial search.

use crate::common::lists::{Lists, pools};
use filch_graph::bfs::{Bfs, BfsTree, Direction, Output, UNREACHED, bfs, serial};
use filch_graph::{Csr, Graph, Vertex};

const DIRECTIONS: [Direction; 3] = [Direction::Auto, Direction::TopDown, Direction::BottomUp];

type Options = (Direction, Output);

const DEFAULT: Options = (Direction::Auto, Output::Both);

fn options() -> impl Iterator<Item = Options> {
    let outputs = [Output::Both, Output::Parents];
    DIRECTIONS.into_iter().flat_map(move |direction| outputs.map(|output| (direction, output)))
}

fn search<V: Vertex>((direction, output): Options) -> Bfs<'static, V> {
    Bfs::new().direction(direction).output(output)
}

/// Compares a result with `depths`, which must be exact.
fn check(graph: &Lists, root: u32, depths: &[u32], found: &BfsTree, options: Options) {
    let (direction, output) = options;
    if output != Output::Parents {
        assert_eq!(found.depths, depths, "{options:?}");
    } else {
        assert!(found.depths.is_empty());
    }
    assert_eq!(found.parents.len(), depths.len());
    for (v, &parent) in found.parents.iter().enumerate() {
        match depths[v] {
            UNREACHED => assert_eq!(parent, u32::NONE, "{options:?}"),
            0 => assert_eq!((v as u32, parent), (root, root)),
            depth => {
                assert_eq!(depths[parent as usize], depth - 1, "{options:?}");
                assert!(graph.neighbors(parent).any(|w| w as usize == v), "{parent} -> {v}, {options:?}");
            }
        }
    }
    for (depth, level) in found.levels.iter().enumerate() {
        let is_here = |&&d: &&u32| d == depth as u32;
        assert_eq!(level.vertices, depths.iter().filter(is_here).count(), "{options:?}");
        assert!(direction == Direction::Auto || level.direction == direction);
    }
    assert_eq!(found.num_reached(), depths.iter().filter(|&&depth| depth != UNREACHED).count());
}

#[test]
fn depths_are_exact_and_parents_are_one_level_up_on_any_graph_and_pool() {
    let pools = pools();
    for seed in 0..60 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let graph = Lists::random(&mut rng, [5, 60, 700][seed as usize % 3]);
        let (csr, root) = (Csr::<u32>::from(&graph), rng.u32(0..graph.num_vertices() as u32));
        let (wide, depths) = (Csr::<u64>::from(&graph), serial(&graph, root).depths);
        let pool = &pools[seed as usize % pools.len()];
        for options in options() {
            check(&graph, root, &depths, &pool.run(|_| search(options).run(&graph, root)), options);
            check(&graph, root, &depths, &pool.run(|_| search(options).run(&csr, root)), options);
            let wide = pool.run(|_| search(options).run(&wide, u64::from(root)));
            let parents = wide.parents.iter().map(|&v| if v == u64::NONE { u32::NONE } else { v as u32 }).collect();
            let found = BfsTree { depths: wide.depths, parents, levels: wide.levels };
            check(&graph, root, &depths, &found, options);
        }
    }
}

#[test]
fn meshes_are_searched_to_their_far_end() {
    let mut rng = fastrand::Rng::with_seed(1);
    let graph = Lists::mesh(&mut rng, 40);
    let depths = serial(&graph, 7).depths;
    for pool in pools() {
        for options in options() {
            check(&graph, 7, &depths, &pool.run(|_| search(options).run(&graph, 7)), options);
        }
    }
}

/// Both directions are used, so that levels pass from lists to bitmaps and back.
#[test]
fn a_search_of_a_dense_graph_with_a_tail_goes_both_ways() {
    let mut rng = fastrand::Rng::with_seed(5);
    let mut edges: Vec<_> = (0..40_000).map(|_| (rng.u32(0..5000), rng.u32(0..5000))).collect();
    edges.extend((5000..5020).map(|v| (v - 1, v)));
    let graph = Lists::undirected(5020, &edges);
    let depths = serial(&graph, 0).depths;
    for pool in pools() {
        let found = pool.run(|_| bfs(&graph, 0));
        check(&graph, 0, &depths, &found, DEFAULT);
        for direction in [Direction::TopDown, Direction::BottomUp] {
            assert!(found.levels.iter().any(|level| level.direction == direction), "{:?}", found.levels);
        }
        assert!(found.num_arcs() < graph.num_arcs());
    }
}

/// By then, one worker has searched the tail, and its vertices are no longer listed.
#[test]
fn a_search_goes_up_in_a_dense_graph_after_a_long_tail() {
    const TAIL: u32 = 1200;
    let mut rng = fastrand::Rng::with_seed(6);
    let mut edges: Vec<_> = (0..40_000).map(|_| (TAIL + rng.u32(0..5000), TAIL + rng.u32(0..5000))).collect();
    edges.extend((0..TAIL).map(|v| (v, v + 1)));
    let graph = Lists::undirected(TAIL as usize + 5000, &edges);
    let depths = serial(&graph, 0).depths;
    for pool in pools() {
        for options in options().filter(|options| options.0 == Direction::Auto) {
            let found = pool.run(|_| search(options).run(&graph, 0));
            check(&graph, 0, &depths, &found, options);
            assert!(found.levels.iter().any(|level| level.direction == Direction::BottomUp), "{options:?}");
        }
    }
}

#[test]
fn a_second_component_as_dense_as_the_first_is_not_read() {
    const SIZE: u32 = 3000;
    let mut rng = fastrand::Rng::with_seed(7);
    let mut edges: Vec<_> = (0..32 * SIZE).map(|_| (rng.u32(0..SIZE), rng.u32(0..SIZE))).collect();
    edges.extend(edges.clone().into_iter().map(|(u, v)| (SIZE + u, SIZE + v)));
    let graph = Lists::undirected(2 * SIZE as usize, &edges);
    let depths = serial(&graph, 0).depths;
    for pool in pools() {
        let found = pool.run(|_| bfs(&graph, 0));
        check(&graph, 0, &depths, &found, DEFAULT);
        assert!(found.num_arcs() <= graph.num_arcs() / 2, "{} of {}", found.num_arcs(), graph.num_arcs());
    }
}

/// A clique, each vertex of which begins a row of a mesh: many arcs at first, then levels of constant size, which are
/// wide enough to be shared.
#[test]
fn a_frontier_that_stays_small_does_not_read_the_rest_on_each_level() {
    const WIDTH: u32 = 520;
    const ROWS: u32 = 40;
    let mut edges: Vec<_> = (0..WIDTH).flat_map(|u| (0..u).map(move |v| (u, v))).collect();
    for v in WIDTH..WIDTH * ROWS {
        edges.push((v - WIDTH, v));
        if v % WIDTH > 0 {
            edges.push((v - 1, v));
        }
    }
    let graph = Lists::undirected((WIDTH * ROWS) as usize, &edges);
    let depths = serial(&graph, 0).depths;
    for pool in pools() {
        let found = pool.run(|_| bfs(&graph, 0));
        check(&graph, 0, &depths, &found, DEFAULT);
        assert!(found.levels.iter().any(|level| level.direction == Direction::BottomUp), "{:?}", found.levels);
        assert!(found.num_arcs() <= 4 * graph.num_arcs(), "{} of {}", found.num_arcs(), graph.num_arcs());
    }
}

#[test]
fn arcs_are_followed_along_their_direction_only() {
    let graph = Lists::directed(4, &[(0, 1), (1, 2), (3, 2), (2, 2)]);
    for direction in DIRECTIONS {
        let found = Bfs::new().direction(direction).run(&graph, 1);
        assert_eq!(found.depths, [UNREACHED, 0, 1, UNREACHED]);
        assert_eq!(found.parents, [u32::NONE, 1, 1, u32::NONE]);
        assert_eq!(found.max_depth(), 1);
    }
}

#[test]
fn the_serial_search_counts_every_arc_of_what_it_reaches() {
    let graph = Lists::undirected(5, &[(0, 1), (1, 2), (0, 2), (3, 4), (2, 2)]);
    let found = serial(&graph, 0);
    assert_eq!(found.depths, [0, 1, 1, UNREACHED, UNREACHED]);
    assert_eq!((found.num_arcs(), found.num_reached()), (7, 3));
}

#[test]
#[should_panic = "the source is vertex 3, but the graph has only 3 vertices"]
fn a_root_out_of_range_is_refused() {
    bfs(&Lists::directed(3, &[(0, 1)]), 3);
}

#[test]
fn a_search_from_several_sources_finds_the_nearest_and_ends_where_it_is_told_to() {
    let mut rng = fastrand::Rng::with_seed(11);
    for pool in pools() {
        for round in 0..4 {
            let lists = if round % 3 == 0 { Lists::mesh(&mut rng, 60) } else { Lists::random(&mut rng, 3_000) };
            let graph: Csr = Csr::from(&lists);
            let n = graph.num_vertices() as u32;
            let sources: Vec<u32> = (0..rng.usize(1..4)).map(|_| rng.u32(0..n)).collect();
            let targets: Vec<u32> = (0..rng.usize(1..4)).map(|_| rng.u32(0..n)).collect();
            let each: Vec<_> = sources.iter().map(|&source| serial(&graph, source).depths).collect();
            let all: Vec<u32> = (0..n as usize).map(|v| each.iter().map(|of| of[v]).min().unwrap()).collect();
            let within = |most: u32| Vec::from_iter(all.iter().map(|&d| if d <= most { d } else { UNREACHED }));
            let max_depth = rng.u32(0..5);
            let farthest = targets.iter().map(|&v| all[v as usize]).max().unwrap();
            for direction in DIRECTIONS {
                let check = |search: Bfs<'_>, expected: Vec<u32>| {
                    let found = pool.run(|_| search.direction(direction).run_from(&graph, &sources));
                    assert_eq!(found.depths, expected, "{direction}");
                    let reached = expected.iter().filter(|&&depth| depth != UNREACHED).count();
                    assert_eq!(found.num_reached(), reached);
                    let parents = pool.run(|_| search.output(Output::Parents).run_from(&graph, &sources));
                    for v in 0..n {
                        let path = found.path_to(v);
                        assert_eq!(found.depth(v), path.as_ref().map(|path| path.len() as u32 - 1));
                        assert_eq!(parents.depth(v), found.depth(v));
                        let Some(path) = path else { continue };
                        assert!(sources.contains(&path[0]) && path[path.len() - 1] == v);
                        assert!(path.windows(2).all(|pair| graph.row(pair[0]).contains(&pair[1])));
                    }
                };
                check(Bfs::new(), all.clone());
                check(Bfs::new().max_depth(max_depth), within(max_depth));
                check(Bfs::new().targets(&targets), within(farthest));
            }
        }
    }
    let path = Csr::builder(2).build([(0, 1)]).unwrap();
    assert_eq!(Bfs::new().run_from(&path, &[]).num_reached(), 0);
}
