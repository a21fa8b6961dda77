//! Checks that generated graphs match their specifications.

use filch_graph::{BuildError, Csr, GenerateError, Graph, GraphSpec, ParseSpecError};
use std::collections::BTreeSet;

fn generate(spec: &str, seed: u64) -> Csr {
    let spec: GraphSpec = spec.parse().expect("a specification");
    spec.generate(seed).expect("a small graph")
}

/// The sizes of the components, largest first, found one vertex at a time.
fn component_sizes(graph: &Csr) -> Vec<usize> {
    let mut seen = vec![false; graph.num_vertices()];
    let mut sizes = Vec::new();
    for root in 0..graph.num_vertices() {
        let mut stack = Vec::new();
        if !std::mem::replace(&mut seen[root], true) {
            stack.push(root as u32);
            sizes.push(0);
        }
        while let Some(v) = stack.pop() {
            *sizes.last_mut().expect("pushed with the root") += 1;
            for u in graph.neighbors(v) {
                if !std::mem::replace(&mut seen[u as usize], true) {
                    stack.push(u);
                }
            }
        }
    }
    sizes.sort_by(|a, b| b.cmp(a));
    sizes
}

fn sorted_degrees(graph: &Csr) -> Vec<usize> {
    let mut degrees: Vec<usize> = graph.degrees().collect();
    degrees.sort();
    degrees
}

/// All shapes in all numberings.
fn all() -> impl Iterator<Item = String> {
    let shapes = [
        "random(1000,2)",
        "random(1,3)",
        "random(10,20)",
        "random(1000,2,4)",
        "random(9,2,64)",
        "random(9,0)",
        "uniform(8)",
        "uniform(0,2)",
        "kronecker(8)",
        "kronecker(9,4)",
        "kronecker(0)",
        "kronecker(1)",
        "gnm(1,0)",
        "gnm(9,36)",
        "gnm(10,45)",
        "gnm(1000,3000)",
        "geometric(1,0)",
        "geometric(9,8)",
        "geometric(700,5)",
        "geometric(60,3),twice",
        "rmat(0,3)",
        "rmat(8,700)",
        "cube(1)",
        "cube(2)",
        "cube(5)",
        "torus(1)",
        "torus(2)",
        "torus(3)",
        "torus(17)",
        "hypercube(0)",
        "hypercube(1)",
        "hypercube(8)",
        "meshes(1,1)",
        "meshes(1,4)",
        "meshes(7,20)",
        "path(1)",
        "path(2)",
        "path(300)",
        "regular(1,0)",
        "regular(10,9)",
        "regular(11,10)",
        "regular(100,7)",
        "regular(101,6)",
        "bintree(1)",
        "bintree(8)",
        "islands(1,1)",
        "islands(40,3)",
        "islands(7,10,6)",
        "stars(1,0)",
        "stars(1,100)",
        "stars(3,20)",
        "galaxy(1,0)",
        "galaxy(5,20)",
        "cycles(4,3)",
        "cycles(2,30)",
        "cliques(3,1)",
        "cliques(4,7)",
        "lollipop(1,0)",
        "lollipop(6,20)",
        "bipartite(1,1)",
        "bipartite(3,30)",
        "grid(1,9)",
        "grid(9,1)",
        "grid(7,11)",
        "roads(20,30,0)",
        "roads(20,30,40)",
        "roads(20,1,50)",
        "path(5),twice",
        "cliques(2,5),twice",
        "kronecker(6),twice",
    ];
    shapes.into_iter().flat_map(|shape| ["", ",shuffled", ",reversed"].map(|order| format!("{shape}{order}")))
}

#[test]
fn all_are_symmetric_sorted_and_without_duplicates_and_self_loops() {
    for spec in all() {
        let graph = generate(&spec, 3);
        assert!(graph.is_symmetric());
        let mut arcs = BTreeSet::new();
        for v in 0..graph.num_vertices() as u32 {
            assert!(graph.row(v).is_sorted_by(|a, b| a < b), "{spec}: row {v} is not sorted, or has duplicates");
            assert!(!graph.row(v).contains(&v), "{spec}: {v} has a self-loop");
            arcs.extend(graph.row(v).iter().map(|&u| (v, u)));
        }
        assert!(arcs.iter().all(|&(u, v)| arcs.contains(&(v, u))), "{spec}: an arc without its reverse");
        assert_eq!(graph.num_edges() * 2, arcs.len());
    }
}

#[test]
fn a_seed_gives_the_same_graph_on_any_number_of_workers() {
    let pools: Vec<_> = (1..=3).map(|n| filch::Pool::builder().workers(n).build().expect("a pool")).collect();
    // Each of these has several blocks of rows or of edges.
    for spec in [
        "random(50000,6)",
        "gnm(9000,90000)",
        "geometric(9000,6)",
        "kronecker(9,600)",
        "torus(100),shuffled",
        "meshes(50,90)",
    ] {
        let [one, two, three] = [0, 1, 2].map(|i| pools[i].run(|_| generate(spec, 7)));
        assert!(one == two && two == three, "{spec}");
    }
}

/// Yasugi et al. (2012), table 2, has 277 arcs less than were drawn; with picks among all vertices it would be 14 less.
#[test]
fn picks_of_few_bits_are_among_the_first_vertices() {
    let graph = generate("random(4000,3,5)", 1);
    assert!((0..4000).all(|v| graph.row(v).iter().all(|&u| v < 32 || u < 32)), "an end of each edge was picked");
    assert!((0..32).all(|v| graph.degree(v) > 200), "375 are expected");
    assert_eq!(generate("random(4000,3,12)", 1), generate("random(4000,3)", 1), "4,096 are all");
}

#[test]
fn another_seed_gives_another_graph_if_it_is_random() {
    for spec in [
        "random(100,2)",
        "gnm(50,99)",
        "geometric(60,4)",
        "uniform(7)",
        "kronecker(7)",
        "rmat(7,300)",
        "torus(10),shuffled",
        "path(50),shuffled",
    ] {
        assert_ne!(generate(spec, 1), generate(spec, 2), "{spec}");
    }
    assert_eq!(generate("torus(10)", 1), generate("torus(10)", 2));
}

#[test]
fn shapes_have_the_vertices_edges_and_degrees_of_their_definitions() {
    // Specification, vertices, edges, smallest and largest degree.
    let known = [
        ("torus(1)", 1, 0, 0, 0),
        ("torus(2)", 4, 4, 2, 2),
        ("cube(1)", 1, 0, 0, 0),
        ("cube(2)", 8, 12, 3, 3),
        ("cube(3)", 27, 81, 6, 6),
        ("cube(7)", 343, 1029, 6, 6),
        ("torus(17)", 289, 578, 4, 4),
        ("hypercube(0)", 1, 0, 0, 0),
        ("hypercube(8)", 256, 1024, 8, 8),
        ("meshes(1,1)", 2, 1, 1, 1),
        // 2 s (s - 1) edges in each mesh, and the link.
        ("meshes(7,20)", 449, 84 + 760 + 1, 2, 4),
        ("path(1)", 1, 0, 0, 0),
        ("path(300)", 300, 299, 1, 2),
        ("regular(10,9)", 10, 45, 9, 9),
        ("regular(100,7)", 100, 350, 7, 7),
        ("regular(101,6)", 101, 303, 6, 6),
        ("gnm(9,36)", 9, 36, 8, 8),
        ("gnm(10,45)", 10, 45, 9, 9),
        ("geometric(9,8)", 9, 36, 8, 8),
        ("bintree(8)", 255, 254, 1, 3),
        ("islands(1,300)", 300, 299, 1, 2),
        ("stars(1,0)", 1, 0, 0, 0),
        ("stars(1,100)", 101, 100, 1, 100),
        ("stars(3,20)", 63, 62, 1, 22),
        ("galaxy(1,100)", 101, 100, 1, 100),
        ("cycles(1,30)", 30, 30, 2, 2),
        ("cliques(1,7)", 7, 21, 6, 6),
        ("lollipop(6,20)", 26, 15 + 20, 1, 6),
        ("bipartite(3,30)", 33, 90, 3, 30),
        ("grid(7,11)", 77, 6 * 11 + 7 * 10, 2, 4),
        ("roads(7,11,0)", 77, 6 * 11 + 7 * 10, 2, 4),
        ("path(5),twice", 10, 9, 1, 2),
        ("cliques(1,5),twice", 10, 10 + 10 + 1, 4, 5),
    ];
    for (shape, vertices, edges, least, largest) in known {
        let in_order = generate(shape, 1);
        let degrees = sorted_degrees(&in_order);
        assert_eq!((in_order.num_vertices(), in_order.num_edges()), (vertices, edges), "{shape}");
        assert_eq!((degrees[0], degrees[vertices - 1]), (least, largest), "{shape}");
        assert_eq!(component_sizes(&in_order), [vertices], "{shape} is connected");
        let shuffled = generate(&format!("{shape},shuffled"), 1);
        assert_eq!(sorted_degrees(&shuffled), degrees, "{shape}: other numbers, but the same degrees");
        assert_eq!(component_sizes(&shuffled), [vertices], "{shape},shuffled is connected");
    }
}

#[test]
fn separate_shapes_are_as_many_components_and_missing_roads_are_about_as_many_as_said() {
    assert_eq!(component_sizes(&generate("galaxy(5,20),shuffled", 1)), [21; 5]);
    assert_eq!(component_sizes(&generate("cycles(4,9),reversed", 1)), [9; 4]);
    assert_eq!(component_sizes(&generate("cliques(3,8)", 1)), [8; 3]);
    // An edge joins one clique of the first copy with one of the second.
    assert_eq!(component_sizes(&generate("cliques(3,8),twice", 1)), [16, 8, 8, 8, 8]);
    assert_eq!(generate("roads(90,90,100)", 1).num_edges(), 0);
    // 19,800 edges, each there with probability 0.6; six standard deviations are 414.
    let roads = generate("roads(100,100,40)", 1).num_edges();
    assert!((11_880_usize.abs_diff(roads)) < 414, "{roads} edges");
}

#[test]
fn reversed_numbers_count_from_the_other_end() {
    let (natural, reversed) = (generate("lollipop(4,9),twice", 1), generate("lollipop(4,9),twice,reversed", 1));
    let last = natural.num_vertices() as u32 - 1;
    for v in 0..=last {
        let row: Vec<u32> = natural.row(v).iter().rev().map(|&u| last - u).collect();
        assert_eq!(reversed.row(last - v), row);
    }
}

#[test]
fn neighbors_in_row_order_are_those_of_the_definitions() {
    assert_eq!(generate("torus(4)", 0).row(5), [1, 4, 6, 9]);
    assert_eq!(generate("torus(4)", 0).row(0), [1, 3, 4, 12]);
    assert_eq!(generate("hypercube(4)", 0).row(5), [1, 4, 7, 13]);
    assert_eq!(generate("path(4)", 0).row(2), [1, 3]);
    assert_eq!(generate("bintree(3)", 0).row(1), [0, 3, 4]);
    assert_eq!(generate("regular(8,3)", 0).row(7), [0, 3, 6]);
    assert_eq!((generate("islands(2,3)", 0).row(3), generate("islands(2,3)", 0).row(4)), (&[4][..], &[3, 5][..]));
    assert_eq!(generate("stars(2,2)", 0).row(3), [0, 4, 5]);
    let meshes = generate("meshes(2,3)", 0);
    // The link joins the last vertex of the first mesh and the first of the second one.
    assert_eq!((meshes.row(0), meshes.row(3), meshes.row(4)), (&[1, 2][..], &[1, 2, 4][..], &[3, 5, 7][..]));
    assert_eq!(meshes.row(8), [5, 7, 9, 11]);
}

#[test]
fn without_its_link_a_graph_of_meshes_falls_into_the_two() {
    let linked = generate("meshes(6,9)", 0);
    let edges = (0..117).flat_map(|u| linked.row(u).iter().map(move |&v| (u, v)));
    let edges = edges.filter(|&(u, v)| (u < 36) == (v < 36));
    let cut = Csr::builder(117).assume_symmetric(true).build(edges).expect("all in range");
    assert_eq!(cut.num_edges() + 1, linked.num_edges());
    assert_eq!(component_sizes(&cut), [81, 36]);
}

#[test]
fn islands_are_paths_and_come_after_their_torus() {
    for labels in ["", ",shuffled"] {
        assert_eq!(component_sizes(&generate(&format!("islands(50,3){labels}"), 1)), [3; 50]);
        let with_torus = generate(&format!("islands(50,3,5){labels}"), 1);
        assert_eq!((with_torus.num_vertices(), with_torus.num_edges()), (175, 2 * 25 + 2 * 50));
        let sizes = component_sizes(&with_torus);
        assert_eq!((sizes[0], &sizes[1..]), (25, &[3; 50][..]));
    }
    assert_eq!(generate("islands(2,2,3)", 0).row(8), [2, 5, 6, 7]);
    assert_eq!(generate("islands(2,2,3)", 0).row(9), [10]);
}

#[test]
fn shuffled_labels_are_spread_over_memory() {
    let graph = generate("torus(100),shuffled", 1);
    let far = (0..10_000_u32).flat_map(|v| graph.row(v).iter().filter(move |&&u| u.abs_diff(v) > 1000)).count();
    // Two random places of 10,000 are within 1,000 of each other with probability 0.19.
    assert!((31_500..33_300).contains(&far), "{far} of 40,000 neighbors are far away");
}

#[test]
fn specifications_come_back_from_their_text() {
    for spec in all() {
        let parsed: GraphSpec = spec.parse().expect("a specification");
        assert_eq!(parsed.to_string().parse(), Ok(parsed));
        assert_eq!(parsed.to_string(), spec);
    }
    assert_eq!("kronecker(21,16)".parse::<GraphSpec>().map(|spec| spec.to_string()), Ok("kronecker(21)".into()));
    assert_eq!(
        " torus( 20 ) , shuffled ".parse::<GraphSpec>().map(|spec| spec.to_string()),
        Ok("torus(20),shuffled".into())
    );
}

#[test]
fn invalid_specifications_are_refused_with_what_was_expected() {
    let message = |text: &str| text.parse::<GraphSpec>().expect_err(text).to_string();
    assert!(message("tours(5)").starts_with("no shape is called \"tours\": expected random(vertices,picks) or "));
    for text in ["", "(", "5", "torus2000", "torus 5(3)"] {
        assert!(matches!(text.parse::<GraphSpec>(), Err(ParseSpecError::UnknownShape { .. })), "{text}");
    }
    assert_eq!(
        message("torus"),
        "\"torus\" does not have the form torus(side), optionally followed by \",twice\" and \",shuffled\" or \
         \",reversed\""
    );
    for text in [
        "torus(5",
        "torus(5)x",
        "torus(5),",
        "torus(5),sorted",
        "torus,shuffled",
        "torus(5)shuffled",
        "torus(5),shuffled,twice",
        "torus(5),reversed,shuffled",
    ] {
        assert!(matches!(text.parse::<GraphSpec>(), Err(ParseSpecError::BadForm { .. })), "{text}");
    }
    assert_eq!(message("meshes(5)"), "\"meshes(5)\" has 1 numbers, but meshes(first_side,second_side) was expected");
    assert!(matches!("torus(1,2)".parse::<GraphSpec>(), Err(ParseSpecError::WrongCount { found: 2, .. })));
    for text in
        ["torus()", "torus(-1)", "torus(+1)", "torus(x)", "torus(1.5)", "torus(18446744073709551616)", "path(1,)"]
    {
        assert!(matches!(text.parse::<GraphSpec>(), Err(ParseSpecError::BadNumber { .. })), "{text}");
    }
}

#[test]
fn invalid_sizes_and_sizes_that_overflow_are_errors() {
    let error = |text: &str| text.parse::<GraphSpec>().expect(text).generate::<u32>(1).expect_err(text);
    for text in [
        "torus(0)",
        "path(0)",
        "random(0,2)",
        "bintree(0)",
        "meshes(0,5)",
        "meshes(5,0)",
        "gnm(0,0)",
        "gnm(4,7)",
        "geometric(3,3)",
        "geometric(0,0)",
        "regular(5,5)",
        "regular(5,3)",
        "islands(0,3)",
        "islands(3,0,5)",
        "stars(0,4)",
        "galaxy(0,4)",
        "cycles(3,2)",
        "cliques(3,0)",
        "lollipop(0,4)",
        "bipartite(0,4)",
        "grid(4,0)",
        "roads(4,4,101)",
    ] {
        assert!(matches!(error(text), GenerateError::OutOfRange { .. }), "{text}");
    }
    assert_eq!(error("torus(0)").to_string(), "torus(0): a side of at least 1 was expected");
    for text in [
        "torus(4294967296)",
        "gnm(10000000000,1)",
        "hypercube(64)",
        "kronecker(99999999999)",
        "bintree(64)",
        "kronecker(60)",
        "random(9223372036854775807,3)",
        "meshes(4294967295,4294967295)",
        "islands(4294967296,4294967296)",
        "stars(2,18446744073709551615)",
        "grid(4294967296,4294967296)",
        "path(9223372036854775808),twice",
        "uniform(5,18446744073709551615)",
    ] {
        assert!(matches!(error(text), GenerateError::TooLarge { .. }), "{text}");
    }
    for text in ["torus(65536)", "hypercube(32)", "path(4294967296)", "kronecker(32,0)", "random(4294967296,1)"] {
        let expected = |error| matches!(error, GenerateError::Build(BuildError::TooManyVertices { .. }));
        assert!(expected(error(text)), "{text}");
    }
    let wide = "hypercube(63)".parse::<GraphSpec>().expect("a specification").generate::<u64>(1);
    assert!(matches!(wide, Err(GenerateError::Build(BuildError::OutOfMemory { .. }))));
}
