//! Compares distances from many sources with the serial searches.

use crate::common::heard::Heard;
use crate::common::lists::{Lists, pools};
use crate::common::shapes::{degenerate, generated, oriented};
use filch_graph::distances::{Distances, UNREACHED, distances, serial};
use filch_graph::sssp::{self, SsspError};
use filch_graph::verify::{verify_distances, verify_sssp};
use filch_graph::{Csr, Graph};

#[test]
fn rows_are_those_of_the_serial_searches_on_any_pool() {
    let pools = pools();
    for seed in 0..240 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let graph = Lists::random(&mut rng, [6, 60, 400][seed as usize % 3]);
        let (csr, n) = (Csr::<u32>::from(&graph), graph.num_vertices() as u32);
        let sources: Vec<u32> = (0..rng.usize(0..150)).map(|_| rng.u32(0..n)).collect();
        let (expected, pool) = (serial(&graph, &sources), &pools[seed as usize % pools.len()]);
        assert_eq!(pool.run(|_| distances(&graph, &sources)), expected);
        assert_eq!(pool.run(|_| distances(&csr, &sources)), expected);
        verify_distances(&graph, &sources, expected.values()).unwrap();
        // Any other number anywhere is noticed.
        if let Some(at) = (0..expected.values().len()).nth(rng.usize(0..500)) {
            let mut wrong = expected.into_values();
            wrong[at] = rng.choice([0, 1, 2, UNREACHED]).filter(|other| *other != wrong[at]).unwrap_or(77);
            verify_distances(&graph, &sources, &wrong).unwrap_err();
            verify_distances(&graph, &sources, &wrong[1..]).unwrap_err();
        }
        let weighted = csr.with_uniform_weights(1..=9, seed);
        let found = pool.run(|_| Distances::new().run_weighted(&weighted, &sources)).unwrap();
        for (at, &source) in sources.iter().enumerate().take(5) {
            assert_eq!(found.row(at), sssp::serial(&weighted, source).unwrap().distances);
            verify_sssp(&weighted, source, found.row(at)).unwrap();
        }
    }
}

#[test]
fn all_shapes_and_all_pairs() {
    let mut rng = fastrand::Rng::with_seed(3);
    let pools = pools();
    let mut graphs: Vec<Lists> = generated().iter().map(|(_, graph)| oriented(&mut rng, graph, 0.7)).collect();
    graphs.extend(degenerate());
    for (graph, pool) in graphs.iter().zip(pools.iter().cycle()) {
        let all: Vec<u32> = (0..graph.num_vertices() as u32).collect();
        let (expected, heard) = (serial(graph, &all), Heard::default());
        let found = pool.run(|_| Distances::new().watch(&heard).run(graph, &all));
        assert_eq!(found, expected);
        assert_eq!(heard.passes(), [("searching", all.len())]);
        assert!(all.iter().all(|&v| found.row(v as usize)[v as usize] == 0));
    }
}

#[test]
fn a_path_is_as_long_as_it_is() {
    let path = Lists::directed(5000, &(1..5000).map(|v| (v - 1, v)).collect::<Vec<_>>());
    let found = distances(&path, &[0, 4000]);
    assert!((0..5000).all(|v| found.row(0)[v] == v as u32));
    assert!((0..5000).all(|v| found.row(1)[v] == v.checked_sub(4000).map_or(UNREACHED, |distance| distance as u32)));
}

#[test]
fn the_first_source_that_reaches_a_negative_weight_says_so() {
    let graph = Csr::<u32>::from(&Lists::directed(4, &[(0, 1), (2, 3)]));
    let graph = graph.with_weights(|u, _| if u == 2 { -1.0_f32 } else { 1.0 });
    let heard = Heard::default();
    assert!(Distances::new().watch(&heard).run_weighted(&graph, &[0, 1]).is_ok());
    assert_eq!(heard.passes(), [("searching", 2)]);
    let error = SsspError::NegativeWeight { from: 2, to: 3, weight: -1.0 };
    assert_eq!(Distances::new().run_weighted(&graph, &[0, 2]), Err(error));
}

#[test]
#[should_panic(expected = "the source is vertex 9, but the graph has only 3 vertices")]
fn sources_must_be_vertices() {
    distances(&Lists::directed(3, &[]), &[1, 9]);
}
