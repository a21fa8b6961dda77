//! Graphs that lie: all algorithms panic, end with wrong results or do not end, and none asks for memory because of a
//! lie.

use crate::common::lists::{Lists, pools};
use fastrand::Rng;
use filch::CancelToken;
use filch_graph::betweenness::{Betweenness, Share};
use filch_graph::bfs::{Bfs, Direction};
use filch_graph::biconnected::biconnected;
use filch_graph::bipartite::bipartite;
use filch_graph::closeness::{Closeness, closeness};
use filch_graph::clustering::clustering;
use filch_graph::colouring::colouring;
use filch_graph::communities::communities;
use filch_graph::components::{self, Components};
use filch_graph::cores::cores;
use filch_graph::distances::{Distances, distances};
use filch_graph::forest::{self, Forest};
use filch_graph::maximal_independent_set::maximal_independent_set;
use filch_graph::maximal_matching::{self, maximal_matching};
use filch_graph::msf::{self, msf};
use filch_graph::pagerank::{PageRank, Update};
use filch_graph::scc::{self, Scc};
use filch_graph::sssp::{Sssp, sssp};
use filch_graph::topological_order::topological_order;
use filch_graph::triangles::{self, Triangles};
use filch_graph::truss::truss;
use filch_graph::walks::RandomWalks;
use filch_graph::{Csr, Graph, WeightedGraph};
use std::alloc::{GlobalAlloc, Layout, System};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// A number of arcs that has no memory.
const HUGE: usize = 1 << 40;

/// Memory for all tests of this program. It refuses a request that none of their graphs needs, which ends the program.
struct Limited;

// SAFETY: all memory is that of `System`.
unsafe impl GlobalAlloc for Limited {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: guaranteed by the caller.
        if layout.size() < HUGE { unsafe { System.alloc(layout) } } else { std::ptr::null_mut() }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: guaranteed by the caller; `memory` is from `System`.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static LIMITED: Limited = Limited;

/// A graph of which one answer in some is wrong.
struct Liar {
    truth: Csr,
    /// How the questions are answered: 0 for truthfully.
    lies: [usize; 5],
}

impl Graph for Liar {
    type Vertex = u32;

    fn num_vertices(&self) -> usize {
        self.truth.num_vertices()
    }

    fn num_arcs(&self) -> usize {
        [self.truth.num_arcs(), 0, 3, 1 << 20, HUGE][self.lies[0]]
    }

    fn is_symmetric(&self) -> bool {
        self.truth.is_symmetric() != (self.lies[1] == 1)
    }

    fn degree(&self, v: u32) -> usize {
        let degree = self.truth.degree(v);
        [degree, 0, degree + 5, degree / 2, HUGE][self.lies[2]]
    }

    fn neighbors(&self, v: u32) -> impl Iterator<Item = u32> + '_ {
        let lie = [None, Some(0), Some(u32::MAX), Some(self.num_vertices() as u32), Some(1)][self.lies[3]];
        self.truth.neighbors(v).map(move |w| lie.filter(|_| w % 3 == 1).unwrap_or(w))
    }

    fn in_neighbors(&self, v: u32) -> impl Iterator<Item = u32> + '_ {
        let lie = [None, Some(v), Some(u32::MAX), Some(self.num_vertices() as u32), Some(1)][self.lies[4]];
        self.truth.in_neighbors(v).map(move |w| lie.filter(|_| w % 3 == 1).unwrap_or(w))
    }
}

impl WeightedGraph for Liar {
    type Weight = i64;

    fn arcs(&self, v: u32) -> impl Iterator<Item = (u32, i64)> + '_ {
        // Sometimes not the same in both directions, and sometimes negative or huge.
        let lie = [0, i64::from(v), -100, i64::MAX, 1][self.lies[2]];
        self.neighbors(v).map(move |w| (w, i64::from(v ^ w) + lie * i64::from(w % 7 == 1)))
    }
}

#[test]
fn a_graph_that_lies_makes_algorithms_panic_or_end_with_wrong_results() {
    let mut rng = Rng::with_seed(4);
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| ()));
    let pools = pools();
    // Each lie twice, on two pools, half of the time with another one.
    for round in 0..40 {
        let pool = &pools[(round + round / 20) % pools.len()];
        let lists = if rng.bool() { Lists::mesh(&mut rng, 14) } else { Lists::random(&mut rng, 300) };
        let truth = Csr::from(&lists);
        let mut lies = [0; 5];
        if rng.bool() {
            lies[rng.usize(0..5)] = rng.usize(1..5);
        }
        lies[round / 4 % 5] = round % 4 + 1;
        let liar = &Liar { truth, lies };
        let try_it = |solve: &(dyn Fn() + Sync)| {
            // Some searches do not end on such graphs.
            let solved = || CancelToken::after(Duration::from_millis(300)).run(|_| solve());
            let _ = catch_unwind(AssertUnwindSafe(|| pool.run(|_| solved())));
        };
        Direction::ALL.iter().for_each(|&direction| try_it(&|| _ = Bfs::new().direction(direction).run(liar, 0)));
        Share::ALL.iter().for_each(|&share| try_it(&|| _ = Betweenness::new().share(share).run(liar).is_ok()));
        try_it(&|| _ = Betweenness::new().edges(liar).is_ok());
        try_it(&|| _ = Betweenness::new().weighted(liar).is_ok());
        try_it(&|| _ = Betweenness::new().weighted_edges(liar).is_ok());
        try_it(&|| _ = biconnected(liar).is_ok());
        try_it(&|| _ = bipartite(liar).is_ok());
        try_it(&|| _ = closeness(liar).harmonic());
        try_it(&|| _ = Closeness::new().run_from(liar, &[0, 0]).closeness());
        try_it(&|| _ = clustering(liar).map(|found| found.average()));
        try_it(&|| _ = colouring(liar).map(|found| found.histogram()));
        try_it(&|| _ = communities(liar).is_ok());
        components::Algorithm::ALL
            .iter()
            .for_each(|&of| try_it(&|| _ = Components::new().algorithm(of).run(liar).count()));
        try_it(&|| _ = Components::new().weak(true).run(liar).count());
        try_it(&|| _ = cores(liar).map(|found| found.histogram()));
        try_it(&|| _ = distances(liar, &[0; 99]).values().len());
        try_it(&|| _ = Distances::new().run_weighted(liar, &[0; 99]).is_ok());
        forest::Algorithm::ALL.iter().for_each(|&of| try_it(&|| _ = Forest::new().algorithm(of).run(liar).is_ok()));
        try_it(&|| _ = maximal_independent_set(liar).is_ok());
        try_it(&|| _ = maximal_matching(liar).map(|found| found.count()));
        try_it(&|| _ = msf(liar).rounds);
        Update::ALL.iter().for_each(|&update| try_it(&|| _ = PageRank::new().update(update).run(liar).iterations));
        scc::Algorithm::ALL.iter().for_each(|&of| try_it(&|| _ = Scc::new().algorithm(of).run(liar).count()));
        try_it(&|| _ = Sssp::new().delta(9.0).predecessors(true).run(liar, 0).is_ok());
        try_it(&|| _ = sssp(liar, 0).is_ok());
        try_it(&|| _ = topological_order(liar).is_ok());
        triangles::Order::ALL.iter().for_each(|&order| try_it(&|| _ = Triangles::new().order(order).run(liar).is_ok()));
        // Each by itself: one may panic.
        try_it(&|| _ = triangles::serial(liar));
        try_it(&|| _ = msf::serial(liar));
        try_it(&|| _ = maximal_matching::serial(liar, 1));
        try_it(&|| _ = truss(liar).map(|found| found.histogram()));
        try_it(&|| _ = RandomWalks::new().run(liar, &[0; 99]).count());
        try_it(&|| _ = RandomWalks::new().node2vec(2.0, 0.5).run(liar, &[0; 99]).count());
        try_it(&|| _ = RandomWalks::new().run_weighted(liar, &[0; 99]).is_ok());
    }
    std::panic::set_hook(hook);
}
