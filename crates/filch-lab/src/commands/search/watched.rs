//! A search that counts its nodes, knows its share of the tree, and can be stopped.
//!
//! Each node divides its share of the tree equally among its choices (Knuth 1975 estimates the size of a tree in this
//! way). So the share that is done grows from 0 to 1, if not evenly.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use filch::{Bound, Choices, Node, Search};
use filch_bench::show::progress::tree::Tree;
use filch_cluster::{Corrupt, Portable, Tally, Unportable};

/// What all workers of a search share.
#[derive(Debug)]
pub struct Sight<'a> {
    nodes: AtomicU64,
    /// The share of the tree that is done, in parts of [`WHOLE`].
    done: AtomicU64,
    stopped: AtomicBool,
    progress: &'a Tree,
    bound: Option<&'a Bound>,
}

/// The whole tree.
const WHOLE: f64 = (1_u64 << 60) as f64;
/// A worker adds its nodes to the shared count after this many, which takes less than a millisecond.
const STEP: u64 = 4096;

impl<'a> Sight<'a> {
    /// Nothing has been searched yet.
    pub fn new(progress: &'a Tree, bound: Option<&'a Bound>) -> Self {
        let [nodes, done] = [0, 0].map(AtomicU64::new);
        Self { nodes, done, stopped: AtomicBool::new(false), progress, bound }
    }

    /// The number of nodes, once the search has ended.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// No node has choices any more.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    fn add(&self, nodes: u64, share: f64) {
        let nodes = self.nodes.fetch_add(nodes, Ordering::Relaxed) + nodes;
        let share = (share * WHOLE) as u64;
        let done = self.done.fetch_add(share, Ordering::Relaxed) + share;
        self.progress.reach(nodes, done as f64 / WHOLE, self.bound.and_then(Bound::get));
    }
}

/// The nodes and the share of all ranks come together at rank 0.
impl Tally for Sight<'_> {
    fn take(&self) -> Vec<u64> {
        let counts = [&self.nodes, &self.done].map(|count| count.swap(0, Ordering::Relaxed));
        if counts == [0, 0] { Vec::new() } else { counts.to_vec() }
    }

    fn add(&self, counts: &[u64]) {
        if let &[nodes, share] = counts {
            self.add(nodes, share as f64 / WHOLE);
        }
    }
}

/// A problem that is watched.
#[derive(Debug)]
pub struct Watched<'a, P> {
    /// The problem.
    pub problem: &'a P,
    /// What is seen of it.
    pub sight: &'a Sight<'a>,
}

/// A workspace that is watched.
#[derive(Debug)]
pub struct Walk<'a, W> {
    /// The workspace.
    pub workspace: W,
    depth: usize,
    /// What share of the tree is below each choice, for the nodes on the path.
    shares: Vec<f64>,
    /// What has not been added to what all share.
    nodes: u64,
    done: f64,
    /// Where it is added. `None` before the first node.
    sight: Option<&'a Sight<'a>>,
}

impl<W> Walk<'_, W> {
    /// A workspace at the root.
    pub fn new(workspace: W) -> Self {
        Self { workspace, depth: 0, shares: Vec::new(), nodes: 0, done: 0.0, sight: None }
    }

    #[cold]
    fn add(&mut self) {
        if let Some(sight) = self.sight {
            sight.add(std::mem::take(&mut self.nodes), std::mem::take(&mut self.done));
        }
    }
}

/// What has come has counted nothing.
impl<W: Portable> Portable for Walk<'_, W> {
    fn encode(&self, to: &mut Vec<u8>) -> Result<(), Unportable> {
        self.workspace.encode(to)?;
        self.shares.encode(to)?;
        (self.depth as u64).encode(to)
    }

    fn decode(from: &mut &[u8]) -> Result<Self, Corrupt> {
        let mut walk = Self::new(W::decode(from)?);
        walk.shares = Vec::decode(from)?;
        walk.depth = u64::decode(from)? as usize;
        if walk.depth > walk.shares.len() {
            return Err(Corrupt(format!("depth {}, and {} shares", walk.depth, walk.shares.len())));
        }
        Ok(walk)
    }
}

/// A copy has counted nothing.
impl<W: Clone> Clone for Walk<'_, W> {
    fn clone(&self) -> Self {
        let (workspace, shares) = (self.workspace.clone(), self.shares.clone());
        Self { workspace, depth: self.depth, shares, nodes: 0, done: 0.0, sight: self.sight }
    }

    fn clone_from(&mut self, other: &Self) {
        self.workspace.clone_from(&other.workspace);
        self.shares.clone_from(&other.shares);
        self.depth = other.depth;
    }
}

impl<W> Drop for Walk<'_, W> {
    fn drop(&mut self) {
        self.add();
    }
}

impl<'a, P: Search> Search for Watched<'a, P> {
    type Workspace = Walk<'a, P::Workspace>;
    type Choices = P::Choices;

    #[inline]
    fn choices(&self, walk: &mut Self::Workspace) -> Node<P::Choices> {
        walk.sight = Some(self.sight);
        walk.nodes += 1;
        if walk.nodes == STEP {
            walk.add();
        }
        let share = walk.depth.checked_sub(1).map_or(1.0, |parent| walk.shares[parent]);
        let mut node = self.problem.choices(&mut walk.workspace);
        let untried = match &mut node {
            Node::Solution => 0,
            Node::Choices(choices) => {
                if self.sight.stopped.load(Ordering::Relaxed) {
                    drop(choices.split_off(choices.untried()));
                }
                choices.untried()
            }
        };
        walk.shares.truncate(walk.depth);
        walk.shares.push(if untried == 0 { 0.0 } else { share / untried as f64 });
        if untried == 0 {
            walk.done += share;
        }
        node
    }

    #[inline]
    fn apply(&self, walk: &mut Self::Workspace, choice: <P::Choices as Iterator>::Item) {
        walk.depth += 1;
        self.problem.apply(&mut walk.workspace, choice);
    }

    #[inline]
    fn undo(&self, walk: &mut Self::Workspace, choice: <P::Choices as Iterator>::Item) {
        walk.depth -= 1;
        self.problem.undo(&mut walk.workspace, choice);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use filch_programs::queens_search::{Board, Queens};

    /// The nodes of the tree, counted by going through all of them.
    fn nodes(queens: &Queens, board: &mut Board) -> u64 {
        match queens.choices(board) {
            Node::Solution => 1,
            Node::Choices(choices) => {
                let mut below = 1;
                for choice in choices {
                    queens.apply(board, choice);
                    below += nodes(queens, board);
                    queens.undo(board, choice);
                }
                below
            }
        }
    }

    #[test]
    fn all_nodes_are_counted_and_the_whole_tree_is_done() {
        let queens = Queens::new(8);
        let expected = nodes(&queens, &mut { Board::EMPTY });
        for workers in [1, 3] {
            let pool = filch::Pool::builder().workers(workers).build().unwrap();
            let progress = Tree::begin("queens");
            let sight = Sight::new(&progress, None);
            let watched = Watched { problem: &queens, sight: &sight };
            let start = Walk::new(Board::EMPTY);
            assert_eq!(pool.run(|mut s| s.search(&watched, start).count()), 92);
            assert_eq!(sight.nodes(), expected);
            let done = sight.done.load(Ordering::Relaxed) as f64 / WHOLE;
            assert!((done - 1.0).abs() < 1e-6, "{done}");
        }
    }

    #[test]
    fn a_search_that_is_stopped_ends() {
        let queens = Queens::new(27);
        let progress = Tree::begin("queens");
        let sight = Sight::new(&progress, None);
        sight.stop();
        let watched = Watched { problem: &queens, sight: &sight };
        assert_eq!(filch::search(&watched, Walk::new(Board::EMPTY)).count(), 0);
        assert_eq!(sight.nodes(), 1);
    }
}
