//! Checks random walks by the verifier, and how often steps are taken by their probabilities.

use crate::common::heard::Heard;
use crate::common::lists::{Lists, pools};
use crate::common::shapes::{degenerate, generated};
use crate::common::sizes_of;
use filch_graph::verify::verify_walks;
use filch_graph::walks::{RandomWalks, WalkError, Walks, random_walks, serial, serial_weighted};
use filch_graph::{Csr, Graph, Vertex, WeightedGraph};

#[test]
fn steps_are_arcs_and_walks_are_the_same_on_any_pool() {
    let pools = pools();
    for seed in 0..240 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let graph = Lists::random(&mut rng, [6, 60, 900][seed as usize % 3]);
        let (csr, wide) = (Csr::<u32>::from(&graph), Csr::<u64>::from(&graph));
        let n = graph.num_vertices() as u32;
        let starts: Vec<u32> = (0..rng.usize(0..300)).map(|_| rng.u32(0..n)).collect();
        let length = rng.usize(0..20);
        let options = RandomWalks::new().length(length).seed(seed);
        let options = if rng.bool() { options } else { options.node2vec(0.25, rng.choice([0.5, 4.0]).unwrap()) };
        verify_walks(&graph, &starts, length, options.run(&graph, &starts).iter()).unwrap();
        // In the order of its rows, which may be another one.
        let found = options.run(&csr, &starts);
        verify_walks(&graph, &starts, length, found.iter()).unwrap();
        let pool = &pools[seed as usize % pools.len()];
        assert!(pool.run(|_| options.run(&csr, &starts)) == found, "seed {seed}");
        let wide_starts: Vec<u64> = starts.iter().map(|&v| v.into()).collect();
        let wide_found = pool.run(|_| options.run(&wide, &wide_starts));
        assert!(wide_found.iter().zip(found.iter()).all(|(a, b)| a.iter().copied().eq(b.iter().map(|&v| v.into()))));
        let weighted = csr.with_uniform_weights(1..=9, seed);
        let found = options.run_weighted(&weighted, &starts).unwrap();
        verify_walks(&graph, &starts, length, found.iter()).unwrap();
        assert!(pool.run(|_| options.run_weighted(&weighted, &starts)) == Ok(found), "seed {seed}");
        verify_walks(&graph, &starts, length, serial(&graph, &starts, options).iter()).unwrap();
        verify_walks(&graph, &starts, length, serial_weighted(&weighted, &starts, options).iter()).unwrap();
    }
}

#[test]
fn all_shapes_have_walks() {
    let mut graphs: Vec<Csr> = degenerate().iter().map(Csr::from).collect();
    graphs.extend(generated().into_iter().map(|(_, graph)| graph));
    for (graph, pool) in graphs.iter().zip(pools().iter().cycle()) {
        let starts: Vec<u32> = (0..graph.num_vertices() as u32).collect();
        let heard = Heard::default();
        let found = pool.run(|_| RandomWalks::new().watch(&heard).node2vec(2.0, 0.5).run(graph, &starts));
        verify_walks(graph, &starts, 80, found.iter()).unwrap();
        assert_eq!((found.count(), heard.passes()), (starts.len(), vec![("walking", starts.len())]));
        assert_eq!(random_walks(graph, &starts).into_steps().len(), 81 * starts.len());
    }
}

/// How often walks of two steps by way of vertex 0 end at each vertex, of those that come from vertex 1.
fn ends(found: &Walks, n: usize) -> Vec<f64> {
    let mut counts = vec![0.0; n];
    found.iter().filter(|walk| walk[..2] == [1, 0]).for_each(|walk| counts[walk[2] as usize] += 1.0);
    let total: f64 = counts.iter().sum();
    counts.iter().map(|count| count / total).collect()
}

#[track_caller]
fn are_near(found: &[f64], shares: &[f64]) {
    let total: f64 = shares.iter().sum();
    // Of some 40,000 draws: five standard deviations.
    assert!(found.iter().zip(shares).all(|(found, share)| (found - share / total).abs() < 0.0125), "{found:?}");
}

/// Vertex 0 has arcs to 1 to 4, of which 1 has arcs to 0 and 2.
#[test]
fn steps_are_as_frequent_as_their_probabilities() {
    let edges = [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2)];
    let graph: Csr = Csr::builder(5).symmetrize(true).build(edges).unwrap();
    let starts = vec![1_u32; 80_000];
    let weight = |v: usize| [0.0, 1.0, 2.0, 3.0, 0.0][v];
    let weighted = graph.clone().with_weights(|u, v| if u == 0 { weight(v) } else { 1.0 });
    for (p, q) in [(1.0, 1.0), (0.25, 4.0), (3.0, 0.5), (1e9, 1e-3), (0.5, 1e6)] {
        let options = RandomWalks::new().length(2).node2vec(p, q).seed(9);
        for found in [options.run(&graph, &starts), serial(&graph, &starts, options)] {
            are_near(&ends(&found, 5), &[0.0, 1.0 / p, 1.0, 1.0 / q, 1.0 / q]);
        }
        for found in [options.run_weighted(&weighted, &starts).unwrap(), serial_weighted(&weighted, &starts, options)] {
            are_near(&ends(&found, 5), &[0.0, 1.0 / p, 2.0, 3.0 / q, 0.0]);
            assert!(found.iter().all(|walk| walk[1..] != [0, 4]), "no arc of weight 0 is taken");
        }
    }
}

#[test]
fn a_walk_that_hardly_goes_back_ends_at_the_end_of_a_path_and_elsewhere_goes_on() {
    let (far, near) = (f64::MAX / 4.0, 1.0);
    let graph: Csr = Csr::builder(4).symmetrize(true).build([(0, 1), (1, 2), (1, 3)]).unwrap();
    let weighted = graph.clone().with_weights(|_, _| 2.5);
    let options = RandomWalks::new().length(5).node2vec(far, near);
    // At an end the arc back is the only one, however little it weighs.
    for found in [options.run(&graph, &[0; 50]), options.run_weighted(&weighted, &[0; 50]).unwrap()] {
        for walk in found.iter() {
            assert_eq!(walk.len(), 6);
            assert!(walk[..3] == [0, 1, 2] || walk[..3] == [0, 1, 3], "{walk:?}");
        }
    }
}

#[test]
fn walks_end_where_no_arc_leaves_and_negative_weights_are_refused() {
    let graph = Csr::<u32>::from(&Lists::directed(4, &[(0, 1), (1, 2)]));
    let found = random_walks(&graph, &[0, 3, 2]);
    assert!(found.iter().eq([&[0, 1, 2][..], &[3], &[2]]));
    assert_eq!(found.into_steps()[2..5], [2, u32::NONE, u32::NONE]);
    let closed = graph.clone().with_weights(|u, _| if u == 1 { 0.0 } else { 0.5_f32 });
    assert_eq!(RandomWalks::new().run_weighted(&closed, &[0]).unwrap().walk(0), [0, 1]);
    let negative = graph.clone().with_weights(|u, _| if u == 1 { -3 } else { 1_i64 });
    let error = RandomWalks::new().run_weighted(&negative, &[0]).unwrap_err();
    assert_eq!(error, WalkError { from: 1, to: 2, weight: -3.0 });
    assert_eq!(random_walks(&Lists::directed(0, &[]), &[]).count(), 0);
    assert_eq!(RandomWalks::new().length(0).run(&graph, &[1]).walk(0), [1]);
}

#[test]
fn the_largest_weights_are_drawn_like_others_and_infinite_ones_are_refused() {
    let graph = Csr::<u32>::from(&Lists::directed(4, &[(0, 1), (0, 2), (0, 3)]));
    let heavy = graph.with_weights(|_, v| if v == 3 { f64::MIN_POSITIVE } else { f64::MAX });
    let found = RandomWalks::new().run_weighted(&heavy, &[0; 1000]).unwrap();
    let count = |v: u32| found.iter().filter(|walk| walk[1..] == [v]).count();
    // Ten standard deviations.
    assert!(count(1).abs_diff(500) < 160 && count(1) + count(2) == 1000);
    for weight in [f64::INFINITY, f64::NAN] {
        let error = RandomWalks::new().run_weighted(&Weighs(&heavy, weight), &[0]).unwrap_err();
        assert_eq!((error.from, error.to), (0, 1));
    }
}

/// A graph whose arcs all have a weight that those of the library cannot have.
struct Weighs<'a>(&'a Csr<u32, f64>, f64);

impl Graph for Weighs<'_> {
    sizes_of!(0);

    fn neighbors(&self, v: u32) -> impl Iterator<Item = u32> + '_ {
        self.0.neighbors(v)
    }

    fn in_neighbors(&self, v: u32) -> impl Iterator<Item = u32> + '_ {
        self.0.in_neighbors(v)
    }
}

impl WeightedGraph for Weighs<'_> {
    type Weight = f64;

    fn arcs(&self, v: u32) -> impl Iterator<Item = (u32, f64)> + '_ {
        self.0.neighbors(v).map(|w| (w, self.1))
    }
}

#[test]
#[should_panic(expected = "the steps of all walks must fit in memory")]
fn walks_that_no_memory_has_room_for_are_refused() {
    RandomWalks::new().length(usize::MAX).run(&Lists::directed(3, &[(0, 1)]), &[0, 1]);
}

#[test]
#[should_panic(expected = "the start is vertex 9, but the graph has only 3 vertices")]
fn starts_must_be_vertices() {
    random_walks(&Lists::directed(3, &[]), &[1, 9]);
}

#[test]
fn wrong_walks_are_noticed() {
    let graph = Lists::directed(4, &[(0, 1), (1, 2), (2, 0), (2, 3)]);
    let verify = |walks: &[&[u32]]| verify_walks(&graph, &[0, 1], 3, walks.iter().copied()).is_ok();
    assert!(verify(&[&[0, 1, 2, 0], &[1, 2, 3]]));
    let wrong: [&[&[u32]]; 8] = [
        &[&[0, 1, 2, 1], &[1, 2, 3]],
        &[&[0, 1, 2], &[1, 2, 3]],
        &[&[0, 1, 2, 0, 1], &[1, 2, 3]],
        &[&[1, 2, 0, 1], &[1, 2, 3]],
        &[&[0, 1, 2, 0], &[]],
        &[&[0, 1, 2, 0]],
        &[&[0, 1, 2, 0], &[1, 2, 3], &[1, 2, 3]],
        &[&[0, 1, 2, 0], &[1, 2]],
    ];
    assert!(wrong.into_iter().all(|walks| !verify(walks)));
}
