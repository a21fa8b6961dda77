//! The spanning trees of the papers, verified on graphs of all shapes under all schedulers.

// The graphs and pools of the tests of `filch-graph`.
#[allow(dead_code)]
#[path = "../../filch-graph/tests/graphs/common"]
mod common {
    pub(crate) mod lists;
    pub(crate) mod schedulers;
    pub(crate) mod shapes;
}

use clap::ValueEnum;
use common::lists::{Lists, pools};
use common::schedulers::all_pools;
use common::shapes::{degenerate, generated, spec};
use filch::{Batches, Pool};
use filch_graph::verify::verify_forest;
use filch_graph::{Csr, Graph};
use filch_papers::trees::{
    Algorithm, ArrayRows, Bound, C_LIMIT, Claims, FAR, LinkedRows, MAX_DEPTH, Options, Rows, Sharing, StageInput,
    Times, Tree, TreeError, grow_virtually, read_by_stride, spanning_tree,
};

/// All but the recursion without a bound, which may fail.
fn algorithms() -> impl Iterator<Item = Algorithm> {
    Algorithm::value_variants().iter().copied().filter(|&algorithm| algorithm != Algorithm::Unbounded)
}

fn with(algorithm: Algorithm) -> Options {
    Options { algorithm, ..Options::default() }
}

/// Builds trees on `rows`, whose edges are those of `graph`, and verifies them.
fn check<R: Rows<Vertex = u32>>(graph: &Csr, rows: &R, options: Options) -> Tree {
    let tree = spanning_tree(rows, options).expect("the graph is undirected, and has the root");
    verify_forest(graph, &tree.parents).unwrap_or_else(|wrong| panic!("{options:?}: {wrong}"));
    if let Some(root) = options.root {
        assert_eq!(tree.parents[root as usize], root, "{options:?}");
    }
    tree
}

/// One worker, which does what the serial program does.
fn alone() -> Pool {
    Pool::builder().workers(1).build().expect("threads start")
}

#[test]
fn every_algorithm_builds_trees_of_every_shape_under_every_scheduler() {
    let pools = all_pools();
    for (name, graph) in generated() {
        let (arrays, linked) = (ArrayRows::new(&graph, 3), LinkedRows::new(&graph, 3).expect("few arcs"));
        let root = graph.num_vertices() as u32 / 3;
        for (turn, pool) in pools.iter().enumerate() {
            for (place, algorithm) in algorithms().enumerate() {
                // Their threads know nothing of schedulers.
                let has_threads = matches!(algorithm, Algorithm::StubTree | Algorithm::CopiedHalf | Algorithm::SpmdBfs);
                if has_threads && turn > 3 {
                    continue;
                }
                let options = Options {
                    claims: if (turn + place).is_multiple_of(2) { Claims::Fence } else { Claims::Exchange },
                    root: turn.is_multiple_of(3).then_some(root),
                    depth: [None, Some(3), Some(0)][turn % 3].filter(|_| algorithm.is_bounded()),
                    array: [None, Some(1), Some(4)][turn % 3],
                    stages: if turn % 4 < 2 { StageInput::List } else { StageInput::Array },
                    batches: [Batches::Adaptive, Batches::Fixed(1), Batches::Fixed(9)][turn % 3],
                    swaps: !turn.is_multiple_of(4),
                    ..with(algorithm)
                };
                let tree = pool.run(|_| match turn % 3 {
                    0 => check(&graph, &graph, options),
                    1 => check(&graph, &arrays, options),
                    _ => check(&graph, &linked, options),
                });
                assert_eq!(tree.parents.len(), graph.num_vertices(), "{name}");
            }
        }
    }
}

#[test]
fn loops_and_parallel_edges_and_no_edges_and_no_vertices_are_no_obstacle() {
    for pool in pools().iter().take(4) {
        for lists in degenerate() {
            let graph = Csr::from(&lists);
            let linked = LinkedRows::new(&graph, 1).expect("few arcs");
            for &algorithm in Algorithm::value_variants() {
                pool.run(|_| check(&graph, &graph, with(algorithm)));
                pool.run(|_| check(&graph, &linked, with(algorithm)));
            }
        }
    }
}

/// The vertices are found in the same order, whether the rest of a row or its upper half could have moved.
#[test]
fn on_one_worker_the_parallel_forms_build_the_tree_of_the_serial_form() {
    let pool = alone();
    for (name, graph) in generated() {
        let rows = LinkedRows::new(&graph, 8).expect("few arcs");
        let build = |algorithm| pool.run(|_| check(&graph, &rows, Options { depth: Some(5), ..with(algorithm) }));
        let serial = build(Algorithm::Staged);
        for algorithm in [Algorithm::ShortTerm, Algorithm::LongTerm, Algorithm::LongTermHalves, Algorithm::Synched] {
            let tree = build(algorithm);
            assert_eq!(tree.parents, serial.parents, "{name}");
            let counts = tree.counts;
            assert_eq!((counts.stages, counts.overflowed), (serial.counts.stages, serial.counts.overflowed), "{name}");
            assert_eq!(counts.moved, 0, "nothing moves");
            if algorithm != Algorithm::ShortTerm {
                assert_eq!(counts.allocations, serial.counts.allocations, "{name}: there is one list");
            }
        }
    }
}

/// A stage goes down a path by the root of its part and as many levels as the bound; the next vertex overflows.
#[test]
fn stages_and_allocations_on_a_path_follow_from_the_bound() {
    let pool = alone();
    let graph = spec("path(1000)");
    for depth in [0, 1, C_LIMIT] {
        for algorithm in [Algorithm::Staged, Algorithm::ShortTerm, Algorithm::LongTerm] {
            let tree = pool.run(|_| check(&graph, &graph, Options { depth: Some(depth), ..with(algorithm) }));
            let expected = 999 / (depth + 1);
            let counts = tree.counts;
            assert_eq!([counts.stages, counts.overflowed, counts.allocations], [expected; 3], "{algorithm}");
            let capacity = if algorithm == Algorithm::ShortTerm { 3 } else { 600 };
            assert_eq!(counts.space_overhead(), (capacity - 1) as f64);
        }
    }
}

/// Neither the size of the arrays nor where stages find them changes what is found, on one worker.
#[test]
fn arrays_of_any_size_in_lists_or_arrays_collect_the_same_vertices() {
    let (pool, graph) = (alone(), spec("torus(60)"));
    for algorithm in algorithms().filter(|algorithm| algorithm.has_stages()) {
        let build = |array, stages| {
            let options = Options { array, stages, depth: Some(7), ..with(algorithm) };
            pool.run(|_| check(&graph, &graph, options))
        };
        let usual = build(None, StageInput::Array);
        for array in [1, 2, 30, 4000] {
            let [tree, linked] = [StageInput::Array, StageInput::List].map(|input| build(Some(array), input));
            assert_eq!(tree, linked, "{algorithm}");
            let (counts, expected) = (tree.counts, usual.counts);
            assert_eq!((counts.stages, counts.overflowed), (expected.stages, expected.overflowed), "{algorithm}");
            assert_eq!(counts.unused, counts.allocations * array - counts.overflowed);
            assert!(tree.parents == usual.parents && counts.allocations >= counts.overflowed.div_ceil(array));
            // Each list of a short-term form is of one call.
            let lists = if algorithm == Algorithm::ShortTerm { counts.overflowed } else { counts.stages };
            assert!(counts.allocations <= counts.overflowed / array + lists, "{algorithm}: {counts:?}");
        }
    }
}

/// The number of stages of a binary tree in table 2 of Yasugi et al. (2012).
#[test]
fn a_tree_of_fewer_levels_than_the_bound_takes_no_further_stage() {
    let graph = spec("bintree(12)");
    for pool in pools() {
        let tree = pool.run(|_| check(&graph, &graph, with(Algorithm::LongTerm)));
        assert_eq!((tree.counts.stages, tree.counts.allocations), (0, 0));
    }
}

/// Table 3 of Yasugi et al. (2012) has two orders of magnitude on a torus of sixteen million vertices.
#[test]
fn long_term_lists_take_few_of_the_allocations_of_short_term_lists() {
    let graph = spec("torus(300)");
    for pool in pools().iter().take(4) {
        let build = |algorithm| pool.run(|_| check(&graph, &graph, with(algorithm))).counts;
        let (short, long) = (build(Algorithm::ShortTerm), build(Algorithm::LongTerm));
        // Each stage begins an array in each list, so a small graph has not the ratio of a large one.
        assert!(short.allocations > 10 * long.allocations, "{short:?} {long:?}");
        assert!(long.allocations <= long.overflowed / 600 + long.stages + long.moved + 1, "{long:?}");
        assert!(short.allocations >= short.overflowed / 3, "{short:?}");
    }
}

/// Figure 13 of Yasugi et al. (2012): one worker crosses the link, and has all that is behind it to itself.
#[test]
fn behind_a_link_a_depth_limit_leaves_a_mesh_to_one_worker() {
    let graph = spec("meshes(30,60)");
    for pool in pools() {
        let limited = pool.run(|_| check(&graph, &graph, with(Algorithm::DepthLimited))).counts;
        assert!(limited.largest_serial >= 60 * 60, "{limited:?}");
    }
    let bounded = alone().run(|_| check(&graph, &graph, with(Algorithm::LongTerm))).counts;
    assert!(bounded.stages > 1, "the second mesh is shared out in stages: {bounded:?}");
}

#[test]
fn levels_are_counted_by_all_breadth_first_searches() {
    let graph = spec("torus(23),shuffled");
    for pool in pools() {
        for algorithm in [Algorithm::CilkBfs, Algorithm::SpmdBfs, Algorithm::StashedBfs] {
            let options = Options { claims: Claims::Exchange, ..with(algorithm) };
            let tree = pool.run(|_| check(&graph, &graph, options));
            assert_eq!(tree.counts.stages, 22, "{algorithm}: the farthest vertices are 11 + 11 steps away");
            let depths = filch_graph::bfs::serial(&graph, 0).depths;
            for v in 1..23 * 23 {
                assert_eq!(depths[v], depths[tree.parents[v] as usize] + 1, "{algorithm}");
            }
        }
    }
}

#[test]
fn without_swaps_a_traversal_leaves_half_filled_batches_and_fetches_them_again() {
    let (pool, graph) = (alone(), spec("torus(60)"));
    let build = |swaps| {
        let options = Options { swaps, batches: Batches::Fixed(16), ..with(Algorithm::StashedDfs) };
        pool.run(|_| check(&graph, &graph, options)).counts.traversal
    };
    let (swapped, left) = (build(true), build(false));
    assert!(swapped.swaps > 0 && left.swaps == 0, "{swapped:?} {left:?}");
    assert!(left.tasks > 2 * swapped.tasks, "{swapped:?} {left:?}");
}

#[test]
fn a_stub_tree_has_the_square_of_the_threads_where_a_random_walk_finds_so_many() {
    let graph = spec("torus(200),shuffled");
    for workers in [1, 2, 4] {
        let pool = Pool::builder().workers(workers).build().expect("threads start");
        for algorithm in [Algorithm::StubTree, Algorithm::CopiedHalf] {
            let counts = pool.run(|_| check(&graph, &graph, with(algorithm))).counts;
            assert_eq!(counts.stub, workers * workers);
            assert!(workers > 1 || counts.steals == 0, "{counts:?}");
            assert!(counts.copied >= if algorithm == Algorithm::CopiedHalf { counts.steals } else { 0 });
        }
    }
}

/// Calls `f` on a thread with a small stack, for a pool whose workers have stacks of that size, too.
fn on_small_stacks<T: Send>(workers: usize, f: impl FnOnce() -> T + Send) -> T {
    let bytes = 1 << 20;
    let pool = Pool::builder().workers(workers).stack_size(bytes).build().expect("threads start");
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(bytes);
        let thread = builder.spawn_scoped(scope, || pool.run(|_| f())).expect("a thread starts");
        thread.join().expect("no panic")
    })
}

#[test]
fn a_recursion_without_a_bound_ends_with_an_error_before_a_small_stack_does() {
    for workers in [1, 3] {
        for deep in ["path(200000)", "torus(400)", "hypercube(16)"] {
            let graph = spec(deep);
            let result = on_small_stacks(workers, || spanning_tree(&graph, with(Algorithm::Unbounded)));
            match result.expect_err("the graph is too deep") {
                TreeError::StackExhausted { depth } => assert!(depth > 50, "{deep}: {depth}"),
                TreeError::UnknownStack if !cfg!(target_os = "linux") => {}
                other => panic!("{deep}: {other}"),
            }
        }
    }
}

#[test]
fn a_shallow_graph_needs_no_bound() {
    let graph = spec("bintree(12)");
    match on_small_stacks(3, || spanning_tree(&graph, with(Algorithm::Unbounded))) {
        Ok(tree) => assert_eq!(verify_forest(&graph, &tree.parents).expect("a tree").roots, 1),
        Err(error) => assert!(matches!(error, TreeError::UnknownStack) && !cfg!(target_os = "linux"), "{error}"),
    }
}

/// Yasugi et al. (2012), section 6.1: depth-limited programs accept the graphs on which others overflow.
#[test]
fn bounded_recursions_fit_on_small_stacks_however_deep_the_graph() {
    let in_stages =
        [Algorithm::Staged, Algorithm::ShortTerm, Algorithm::LongTerm, Algorithm::LongTermHalves, Algorithm::Synched];
    for deep in ["path(200000)", "torus(400)", "hypercube(16)", "stars(3,50000)", "galaxy(1,200000)"] {
        let graph = spec(deep);
        for algorithm in in_stages.into_iter().chain([Algorithm::CilkBfs, Algorithm::HelpFirst]) {
            on_small_stacks(7, || check(&graph, &graph, with(algorithm)));
        }
    }
}

#[test]
fn directed_graphs_and_roots_out_of_range_and_unsynchronized_claims_are_refused() {
    let directed = Csr::from(&Lists::directed(2, &[(0, 1)]));
    let error = spanning_tree(&directed, with(Algorithm::Stack)).expect_err("it is directed");
    assert!(matches!(error, TreeError::Directed), "{error}");
    let graph = spec("path(2)");
    let error = spanning_tree(&graph, Options { root: Some(2), ..Options::default() }).expect_err("0 and 1");
    assert!(error.to_string().contains("vertex 2"), "{error}");
    let pool = Pool::builder().workers(2).build().expect("threads start");
    for &algorithm in Algorithm::value_variants() {
        let options = Options { claims: Claims::Alone, ..with(algorithm) };
        match pool.run(|_| spanning_tree(&graph, options)) {
            Ok(tree) => assert!(algorithm.is_serial() && verify_forest(&graph, &tree.parents).is_ok()),
            Err(error) => {
                assert!(!algorithm.is_serial() && matches!(error, TreeError::Unsynchronized { workers: 2 }), "{error}");
            }
        }
        alone().run(|_| check(&graph, &graph, options));
    }
}

/// `uniform` has rows that are longer than those which are followed one by one, so a level takes the most stack.
#[test]
fn the_largest_bound_fits_on_a_usual_stack_and_a_larger_one_is_refused() {
    let pool = Pool::builder().workers(3).build().expect("threads start");
    let graph = spec("uniform(13,32)");
    for algorithm in Algorithm::value_variants().iter().copied().filter(|algorithm| algorithm.is_bounded()) {
        let at = |depth| Options { depth: Some(depth), ..with(algorithm) };
        pool.run_on_worker(|_| check(&graph, &graph, at(MAX_DEPTH)));
        let error = pool.run(|_| spanning_tree(&graph, at(MAX_DEPTH + 1))).expect_err("it may be too deep");
        assert!(matches!(error, TreeError::TooDeep { depth: 257, most: 256 }), "{algorithm}: {error}");
    }
    // Others have no bound that could be too large.
    check(&graph, &graph, Options { depth: Some(usize::MAX), ..with(Algorithm::Stack) });
}

#[test]
fn a_scan_by_any_stride_reads_each_edge_from_both_ends() {
    let graph = spec("torus(23)");
    let rows = LinkedRows::new(&graph, 4).expect("few arcs");
    let marks: Vec<u32> = (0..graph.num_vertices() as u32).collect();
    // Each vertex is read from its four neighbors.
    let expected: u64 = marks.iter().map(|&mark| 4 * u64::from(mark)).sum();
    for stride in [1, 2, 528, 529, FAR, usize::MAX] {
        assert_eq!(read_by_stride(&graph, &marks, stride), expected);
        assert_eq!(read_by_stride(&rows, &marks, stride), expected);
    }
}

#[test]
#[should_panic(expected = "a stride of 1 or more")]
fn a_stride_of_0_is_refused() {
    let graph = spec("path(2)");
    read_by_stride(&graph, &[0, 0], 0);
}

// On virtual workers.

const TIMES: Times = Times { edge: 10, call: 20, look: 100, steal: 700, stage: 300 };

const SHARINGS: [Sharing; 4] = [Sharing::WorkFirst, Sharing::Halves, Sharing::HelpFirst, Sharing::Idempotent];

#[test]
fn all_vertices_are_claimed_in_a_possible_time_however_work_is_shared() {
    for (graph, vertices) in [("torus(30)", 900), ("hypercube(9)", 512), ("bintree(9)", 511), ("stars(1,700)", 701)] {
        let rows = ArrayRows::new(&spec(graph), 2);
        for sharing in SHARINGS {
            for bound in [Bound::None, Bound::Stages(5), Bound::Serial(5)] {
                let run = |workers| grow_virtually(&rows, 0, (sharing, bound, TIMES), workers, 1);
                let (alone, many) = (run(1), run(7));
                assert_eq!([alone.vertices, many.vertices], [vertices; 2], "{graph} {sharing:?} {bound:?}");
                assert_eq!((alone.steals, alone.serial_ns), (0, many.serial_ns));
                let least = alone.serial_ns + 20 * (vertices as u64 - 1);
                assert!(alone.time_ns >= least && 7 * many.time_ns >= least, "{alone:?} {many:?}");
                assert_eq!(many, run(7), "it is the same each time");
                assert!(many.stages == 0 || matches!(bound, Bound::Stages(_)), "{many:?}");
            }
        }
    }
}

/// What one virtual worker finds is what the serial program finds.
#[test]
fn one_worker_has_the_stages_of_the_serial_program() {
    for graph in ["torus(40)", "hypercube(10)", "random(2000,2,4)", "path(500)"] {
        let rows = ArrayRows::new(&spec(graph), 2);
        for depth in [3, 30] {
            let options = Options { algorithm: Algorithm::Staged, depth: Some(depth), ..Options::default() };
            let counts = spanning_tree(&rows, options).expect("it is connected").counts;
            for sharing in [Sharing::WorkFirst, Sharing::Halves] {
                let course = grow_virtually(&rows, 0, (sharing, Bound::Stages(depth), TIMES), 1, 1);
                let expected = (counts.stages, counts.overflowed);
                assert_eq!((course.stages, course.overflowed), expected, "{graph} to {depth}");
            }
        }
    }
}

#[test]
fn work_scales_behind_a_link_in_stages_but_not_below_a_depth_limit() {
    let rows = ArrayRows::new(&spec("meshes(60,240)"), 2);
    let run = |bound| grow_virtually(&rows, 0, (Sharing::Halves, bound, TIMES), 8, 1);
    let (limited, staged) = (run(Bound::Serial(10)), run(Bound::Stages(30)));
    assert!(limited.largest_serial >= 240 * 240, "{limited:?}");
    assert!(2 * staged.time_ns < limited.time_ns, "{staged:?} {limited:?}");
}

#[test]
fn without_a_fence_calls_are_got_twice_and_without_a_bound_they_are_deep() {
    let rows = ArrayRows::new(&spec("torus(60)"), 2);
    let run = |sharing, bound| grow_virtually(&rows, 0, (sharing, bound, TIMES), 16, 1);
    let courses = SHARINGS.map(|sharing| run(sharing, Bound::None));
    assert!(courses[..3].iter().all(|course| course.twice == 0) && courses[3].twice > 0, "{courses:?}");
    let bounded = run(Sharing::WorkFirst, Bound::Stages(30));
    assert!(bounded.deepest <= 32 && courses[0].deepest > 200, "{bounded:?} {:?}", courses[0]);
}
