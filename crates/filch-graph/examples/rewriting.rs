//! Concurrent rewriting: a configuration is a graph that workers rewrite in place, each redex by its own rule, until no
//! redex is left (Yasugi, Hiraishi, Umatani and Yuasa 2012, section 7.4 and figure 14).
//!
//! ```text
//! cargo run --release -p filch-graph --example rewriting -- [SIDE [GRAINS [WORKERS]]]
//! ```
//!
//! A worklist holds the redexes that have been found. To rewrite one is a single transaction, an atomic operation here;
//! it may make others, which are added to the worklist. Two rule systems run on this:
//!
//! * A spanning tree: "a vertex outside of the tree, beside one inside, becomes its child". Which tree comes out
//!   depends on the schedule.
//! * A sandpile: "a place with four grains gives one to each of its neighbors". However the rules are applied, the
//!   result and the number of rewrites are the same (Dhar 1990), so a serial run checks a parallel one.

use filch::{Pool, Traverse};
use filch_graph::verify::verify_forest;
use filch_graph::{Csr, Graph, GraphSpec};
use std::error::Error;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

/// Rules on a shared configuration.
trait Rules: Sync {
    /// Where a rule may apply.
    type Redex: Send;

    /// Applies a rule there, if one still applies, and calls `found` for each place where one may apply now. Returns
    /// how often it has rewritten. Each rewrite takes effect at once.
    fn rewrite(&self, redex: Self::Redex, found: impl FnMut(Self::Redex)) -> u64;
}

/// Rewrites until no rule applies. Returns the number of rewrites.
fn normalize<R: Rules>(rules: &R, redexes: impl IntoIterator<Item = R::Redex>) -> u64 {
    let traversed = Traverse::new().run(
        redexes,
        || 0,
        |list, redex| {
            let rewrites = rules.rewrite(redex, |next| list.push(next));
            *list.workspace() += rewrites;
        },
    );
    traversed.workspaces.into_iter().sum()
}

/// The parents of the vertices; the redex is a vertex of the tree.
struct Tree<'g> {
    graph: &'g Csr,
    parents: Vec<AtomicU32>,
}

/// The parent of a vertex outside of the tree.
const NONE: u32 = u32::MAX;

impl Rules for Tree<'_> {
    type Redex = u32;

    fn rewrite(&self, v: u32, mut found: impl FnMut(u32)) -> u64 {
        let mut rewrites = 0;
        for w in self.graph.neighbors(v) {
            let parent = &self.parents[w as usize];
            if parent.load(Ordering::Relaxed) == NONE
                && parent.compare_exchange(NONE, v, Ordering::Relaxed, Ordering::Relaxed).is_ok()
            {
                rewrites += 1;
                found(w);
            }
        }
        rewrites
    }
}

/// The grains in each place of a grid, whose edge they fall off; the redex is a place.
struct Sandpile {
    side: usize,
    grains: Vec<AtomicU32>,
}

impl Sandpile {
    /// `grains` in the middle of an empty grid.
    fn new(side: usize, grains: u32) -> Self {
        let pile = Sandpile { side, grains: (0..side * side).map(|_| AtomicU32::new(0)).collect() };
        pile.grains[pile.middle()].store(grains, Ordering::Relaxed);
        pile
    }

    fn middle(&self) -> usize {
        self.side / 2 * self.side + self.side / 2
    }

    fn neighbors(&self, place: usize) -> impl Iterator<Item = usize> {
        let (side, column) = (self.side, place % self.side);
        let above = place.checked_sub(side);
        let below = Some(place + side).filter(|&below| below < side * side);
        let left = (column > 0).then(|| place - 1);
        let right = (column + 1 < side).then(|| place + 1);
        [above, below, left, right].into_iter().flatten()
    }

    fn into_grains(self) -> Vec<u32> {
        self.grains.into_iter().map(AtomicU32::into_inner).collect()
    }
}

impl Rules for Sandpile {
    type Redex = usize;

    /// A place gives away as many grains at once as it can: that is several rewrites.
    fn rewrite(&self, place: usize, mut found: impl FnMut(usize)) -> u64 {
        let own = &self.grains[place];
        let topples = |grains: u32| (grains >= 4).then_some(grains % 4);
        let Ok(before) = own.fetch_update(Ordering::Relaxed, Ordering::Relaxed, topples) else { return 0 };
        let each = before / 4;
        for neighbor in self.neighbors(place) {
            // Whoever adds the fourth grain has found the redex. If there were four already, someone else has.
            let had = self.grains[neighbor].fetch_add(each, Ordering::Relaxed);
            if had < 4 && had + each >= 4 {
                found(neighbor);
            }
        }
        u64::from(each)
    }
}

/// A spanning tree from vertex 0 of a connected graph: its parents, and the number of rewrites.
fn spanning_tree(graph: &Csr) -> (Vec<u32>, u64) {
    let tree = Tree { graph, parents: (0..graph.num_vertices()).map(|_| AtomicU32::new(NONE)).collect() };
    tree.parents[0].store(0, Ordering::Relaxed);
    let rewrites = normalize(&tree, [0]);
    (tree.parents.into_iter().map(AtomicU32::into_inner).collect(), rewrites)
}

/// The normal form of a sandpile, and the number of rewrites.
fn relaxed(side: usize, grains: u32) -> (Vec<u32>, u64) {
    let pile = Sandpile::new(side, grains);
    let rewrites = normalize(&pile, [pile.middle()]);
    (pile.into_grains(), rewrites)
}

/// The same with a plain stack.
fn relaxed_serially(side: usize, grains: u32) -> (Vec<u32>, u64) {
    let pile = Sandpile::new(side, grains);
    let (mut stack, mut rewrites) = (vec![pile.middle()], 0);
    while let Some(place) = stack.pop() {
        rewrites += pile.rewrite(place, |next| stack.push(next));
    }
    (pile.into_grains(), rewrites)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<usize>());
    let mut number = |usual: usize| numbers.next().unwrap_or(Ok(usual));
    let (side, grains, workers) = (number(500)?, number(200_000)?, number(2)?);
    let (grains, pool) = (u32::try_from(grains)?, Pool::builder().workers(workers).build()?);

    let graph: Csr = format!("torus({side})").parse::<GraphSpec>()?.generate(1)?;
    let begin = Instant::now();
    let (parents, rewrites) = pool.run(|_| spanning_tree(&graph));
    let time = begin.elapsed();
    verify_forest(&graph, &parents)?;
    println!("spanning tree of torus({side}): {rewrites} rewrites in {time:.1?}, verified");

    let begin = Instant::now();
    let (pile, rewrites) = pool.run(|_| relaxed(side, grains));
    let time = begin.elapsed();
    let begin = Instant::now();
    let expected = relaxed_serially(side, grains);
    let serially = begin.elapsed();
    if (pile, rewrites) != expected {
        return Err("the sandpile differs from that of the serial run".into());
    }
    println!("sandpile of {grains} grains: {rewrites} rewrites in {time:.1?}, serially in {serially:.1?}, equal");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use filch::Scheduler;

    fn pools() -> impl Iterator<Item = Pool> {
        let chaos = (0..4).map(|seed| Pool::builder().workers(3).scheduler(Scheduler::chaos(seed)));
        [1, 4]
            .map(|workers| Pool::builder().workers(workers))
            .into_iter()
            .chain(chaos)
            .map(|pool| pool.build().unwrap())
    }

    #[test]
    fn a_sandpile_has_one_normal_form_which_takes_one_number_of_rewrites() {
        for (side, grains) in [(1, 9), (5, 200), (41, 5000)] {
            let expected = relaxed_serially(side, grains);
            assert!(expected.0.iter().all(|&grains| grains < 4));
            for pool in pools() {
                assert_eq!(pool.run(|_| relaxed(side, grains)), expected);
            }
        }
        // Four grains in the middle go to its neighbors.
        assert_eq!(relaxed_serially(3, 4), (vec![0, 1, 0, 1, 0, 1, 0, 1, 0], 1));
    }

    #[test]
    fn a_tree_takes_a_rewrite_for_each_vertex_but_the_root() {
        let graph: Csr = "torus(30),shuffled".parse::<GraphSpec>().unwrap().generate(1).unwrap();
        for pool in pools() {
            let (parents, rewrites) = pool.run(|_| spanning_tree(&graph));
            assert_eq!(verify_forest(&graph, &parents).unwrap().roots, 1);
            assert_eq!(rewrites, 30 * 30 - 1);
        }
    }
}
