//! Checks that a watch receives all passes completely, and does not affect the result.

use crate::common::heard::Heard;

use filch_graph::{Csr, Graph, GraphSpec, Rules};

fn edges(m: usize) -> Vec<(u32, u32)> {
    let mut random = fastrand::Rng::with_seed(1);
    (0..m).map(|_| (random.u32(..1000), random.u32(..1000))).collect()
}

#[test]
fn each_pass_of_building_is_reported_to_its_end_and_the_graph_is_the_same() {
    // More than one block of edges.
    let parts = vec![edges(600_000), edges(3)];
    let m = 600_003;
    for directed in [false, true] {
        let heard = Heard::default();
        let builder = Csr::builder(1000).symmetrize(!directed);
        let graph = builder.build_watched(parts.clone(), &heard).unwrap();
        assert!(graph == builder.build_parts(parts.clone()).unwrap());
        let arcs = graph.num_arcs();
        let once = [("counting", m), ("sorting", m), ("ordering", arcs)];
        let expected = if directed { [once, once].concat() } else { once.to_vec() };
        assert_eq!(heard.passes(), expected);
    }
    let heard = Heard::default();
    let graph = Csr::builder(1000).build_watched(parts, &()).unwrap();
    let rules = Rules { symmetrize: true, remove_duplicates: true, ..Rules::default() };
    assert!(graph.clone().by_rules(rules, &heard).unwrap() == graph.by_rules(rules, &()).unwrap());
    assert_eq!(heard.passes()[..2], [("counting", m), ("sorting", m)]);
}

#[test]
fn each_pass_of_generating_is_reported_to_its_end_and_the_graph_is_the_same() {
    for (spec, names) in [
        ("random(20000,2)", &["counting", "sorting", "ordering"][..]),
        ("uniform(10)", &["counting", "sorting", "ordering"]),
        ("kronecker(12)", &["drawing", "counting", "sorting", "ordering"]),
        ("gnm(2000,9000)", &["counting", "sorting", "ordering"]),
        ("geometric(3000,4)", &["drawing", "counting", "sorting", "ordering"]),
        ("geometric(30,0)", &["drawing", "counting", "sorting", "ordering"]),
        ("torus(100)", &["counting", "writing"]),
        ("path(10000),shuffled", &["counting", "writing"]),
    ] {
        let (heard, spec) = (Heard::default(), spec.parse::<GraphSpec>().unwrap());
        let graph: Csr = spec.generate_watched(7, &heard).unwrap();
        assert!(graph == spec.generate(7).unwrap(), "{spec}");
        assert_eq!(heard.names(), names, "{spec}");
    }
}
