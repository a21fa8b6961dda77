//! The bounds of CAB on time and space (Chen, Huang, Guo and Zhou 2011, section III-E), on counted runs.
//!
//! The program is a complete binary tree of joins. Every node is one unit of work, and one frame of the stack while it
//! is live. So all terms of the bounds are known: with height h, T1(E) = 2^h − 1 and T∞(E) = S1(E) = h. There are M
//! squads of N workers, and K = 2^(BL − 1) leaves γ of the inter-socket tier, below each of which a tree of the height
//! h − BL + 1 is left. No time is measured.

use super::cab::{pool, squad_of_this_worker};
use filch::{Counters, Pool, Scheduler, Strand, Topology};
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// M and N.
const TOPOLOGIES: [(&str, u64, u64); 2] = [("2x2", 2, 2), ("4x4", 4, 4)];

/// The height of the tree of a leaf, of 2047 nodes: many times more than N·T∞(γ).
const LEAF_HEIGHT: u32 = 11;

const RUNS: usize = 10;

/// What a run counts by itself, beside the runtime.
struct Tally {
    squads: u64,
    /// BL.
    boundary: u32,
    height: u32,
    /// T1(E_inter): the nodes on levels down to BL.
    inter: AtomicU64,
    /// T1(E_γ) by leaf and squad: the nodes from the leaf γ on that the squad has run.
    intra: Vec<AtomicU64>,
    /// Nodes that have begun and not ended: now, and at most.
    live: AtomicU64,
    most_live: AtomicU64,
    /// The largest number of them on the stack of one thread.
    most_on_a_thread: AtomicU64,
}

thread_local! {
    static ON_THIS_THREAD: Cell<u64> = const { Cell::new(0) };
}

impl Tally {
    fn new(squads: u64, boundary: u32) -> Self {
        let zeros = |count: u64| (0..count).map(|_| AtomicU64::new(0)).collect();
        Tally {
            squads,
            boundary,
            height: boundary - 1 + LEAF_HEIGHT,
            inter: AtomicU64::new(0),
            intra: zeros(squads << (boundary - 1)),
            live: AtomicU64::new(0),
            most_live: AtomicU64::new(0),
            most_on_a_thread: AtomicU64::new(0),
        }
    }

    /// K.
    fn leaves(&self) -> u64 {
        1 << (self.boundary - 1)
    }

    /// A node on this level, the first of which is 1. `path` has a bit for each level above.
    fn node(&self, mut s: Strand<'_>, level: u32, path: u64, topology: &Topology) {
        let live = self.live.fetch_add(1, Ordering::SeqCst) + 1;
        self.most_live.fetch_max(live, Ordering::SeqCst);
        let here = ON_THIS_THREAD.get() + 1;
        ON_THIS_THREAD.set(here);
        self.most_on_a_thread.fetch_max(here, Ordering::SeqCst);
        if level <= self.boundary {
            self.inter.fetch_add(1, Ordering::SeqCst);
        }
        if level >= self.boundary {
            let leaf = path >> (level - self.boundary);
            let place = leaf * self.squads + squad_of_this_worker(topology) as u64;
            self.intra[place as usize].fetch_add(1, Ordering::SeqCst);
        }
        if level < self.height {
            s.join(
                |s| self.node(s, level + 1, 2 * path, topology),
                |s| self.node(s, level + 1, 2 * path + 1, topology),
            );
        }
        ON_THIS_THREAD.set(here - 1);
        self.live.fetch_sub(1, Ordering::SeqCst);
    }

    fn run(&self, pool: &Pool) -> Counters {
        let before = pool.counters();
        pool.run(|s| self.node(s, 1, 0, pool.topology()));
        pool.counters().since(&before)
    }
}

/// Calls `check` with the tally and the counters of each of many runs, and with M and N.
fn for_each_run(check: impl Fn(&Tally, &Counters, u64, u64)) {
    for (topology, m, n) in TOPOLOGIES {
        for boundary in 2..=4 {
            // Without a period, thieves come as often as they can.
            let cab = Scheduler::cab().with_boundary(boundary);
            for scheduler in [cab.clone(), cab.with_period(Duration::ZERO)] {
                let pool = pool(topology, scheduler);
                for _ in 0..RUNS {
                    let tally = Tally::new(m, boundary);
                    let counters = tally.run(&pool);
                    check(&tally, &counters, m, n);
                }
            }
        }
    }
}

/// The first two terms of (13): T1(E_inter)/M, for what the heads of M squads execute, and T1(E_intra)/(M·N), for what
/// is divided by N workers each. They rest on equation 5, which divides the work between the tiers, and on equation 8,
/// by which each leaf has the N workers of one squad. So this counts the nodes of both tiers, and where those of each
/// leaf ran.
#[test]
#[cfg_attr(miri, ignore = "many workers")]
fn the_work_is_divided_between_the_tiers_and_each_leaf_has_one_squad() {
    for_each_run(|tally, counters, m, _| {
        let (k, inter) = (tally.leaves(), tally.inter.load(Ordering::SeqCst));
        assert_eq!(inter, 2 * k - 1, "T1(E_inter)");
        // The runtime counts what forks make, and no fork makes the root.
        assert_eq!((counters.inter_tasks + 1, counters.leaf_tasks), (inter, k), "{counters}");
        for squads in tally.intra.chunks(m as usize) {
            let work: Vec<u64> = squads.iter().map(|count| count.load(Ordering::SeqCst)).collect();
            assert_eq!(work.iter().sum::<u64>(), (1 << LEAF_HEIGHT) - 1, "T1(E_γ): {work:?}");
            assert_eq!(work.iter().filter(|&&count| count > 0).count(), 1, "one squad: {work:?}");
        }
    });
}

/// The last term of (13), O(T∞(E)). In the proof that the paper refers to (Blumofe and Leiserson 1999), each step of a
/// worker is a unit of work or an attempt to steal, so time is bounded by the number of steals: of the order of P·T∞.
/// In the inter-socket tier P is M, and each task that has been put into a pool moves at most once; these are K − 1,
/// since one branch of each fork runs in place. In the intra-socket tier P is N for each leaf. That makes Σ N·T∞(E_γ),
/// the term which is divided by M in equation 10 and has K ≤ several M terms in equation 12.
#[test]
#[cfg_attr(miri, ignore = "many workers")]
fn what_moves_is_bounded_by_the_span_and_not_by_the_work() {
    /// Steals per worker and unit of span. The theorem is about the expectation; on two cores these runs find 0.2.
    const ENOUGH: u64 = 4;
    for_each_run(|tally, counters, m, n| {
        let k = tally.leaves();
        assert!(counters.tasks_across < k, "{counters}");
        let moved = counters.forks_given + counters.forks_taken - counters.forks_reclaimed;
        let within_squads = moved - counters.tasks_across;
        let most = ENOUGH * n * k * u64::from(LEAF_HEIGHT);
        assert!(within_squads <= most, "{m} squads of {n}: Σ N·T∞(E_γ) allows {most}: {counters}");
        assert!(most < k << (LEAF_HEIGHT - 1), "fewer than there are forks");
    });
}

/// By equation 4, K is at most several times M, so that the K terms of (12) and the factor K of (15) count as M. Both
/// are for data that fit into the caches; K is larger if the data fill more caches than there are.
#[test]
#[cfg_attr(miri, ignore = "many workers")]
fn there_are_at_most_twice_as_many_leaves_as_squads_or_caches_full_of_data() {
    for (topology, m, _) in TOPOLOGIES {
        for caches_full in 1..=9 {
            let data = Scheduler::cab().with_data_bytes(caches_full << 10);
            let pool = pool(&format!("{topology},cache=1KiB"), data);
            let before = pool.counters();
            // High enough for 16 leaves.
            Tally { height: 8, ..Tally::new(m, 1) }.run(&pool);
            let leaves = pool.counters().since(&before).leaf_tasks;
            let needed = m.max(caches_full);
            assert!((needed..2 * needed).contains(&leaves), "{topology}, {caches_full} caches full: {leaves} leaves");
        }
    }
}

/// (15): the space is at most max{K·S1, M·N·S1}. The paper needs the factor K since it makes inter-socket tasks before
/// it runs them. Here a task in a pool has not begun, and its frame is a part of that of its parent. And a worker that
/// waits runs only parts of what it waits for, so that no thread has more than S1 on its stack. Then (14) holds in both
/// tiers, which is M·N·S1.
#[test]
#[cfg_attr(miri, ignore = "many workers")]
fn space_is_bounded_by_that_of_a_serial_run_for_each_worker() {
    for_each_run(|tally, _, m, n| {
        // Every level has one frame in a serial run.
        let serial = u64::from(tally.height);
        let on_a_thread = tally.most_on_a_thread.load(Ordering::SeqCst);
        assert!(on_a_thread <= serial, "{on_a_thread} on one stack, S1 = {serial}");
        let live = tally.most_live.load(Ordering::SeqCst);
        assert!(live <= m * n * serial, "{live} live, M·N·S1 = {}", m * n * serial);
        assert!(live >= serial && tally.live.load(Ordering::SeqCst) == 0, "all were counted");
    });
}
