//! The work, the span and the size of a program, by walking its tree.

use super::{Extent, Node, Program, Shape};
use std::collections::HashMap;

/// What is known of a program before it runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// The sum of all work, without forks.
    pub work_ns: u64,
    /// T∞: the longest path, with the forks on it.
    pub span_ns: u64,
    /// How many forks there are.
    pub forks: u64,
    /// How many leaves there are.
    pub leaves: u64,
    /// What a fork costs.
    pub fork_ns: u64,
}

impl Totals {
    /// The totals of `program` if a fork costs this much. Walks the tree once; where nodes repeat, once per
    /// node. Takes stack in proportion to the number of nested forks.
    pub fn of(program: &dyn Program, fork_ns: u64) -> Self {
        Self::below(program, fork_ns, program.root())
    }

    /// The same of the tree below a node.
    pub(crate) fn below(program: &dyn Program, fork_ns: u64, node: Node) -> Self {
        Walk { program, fork_ns, known: HashMap::new() }.below(node)
    }

    /// T1: the time of the program on one worker, with its forks.
    pub fn t1_ns(&self) -> u64 {
        Extent { work_ns: self.work_ns, forks: self.forks, leaves: self.leaves }.total_ns(self.fork_ns)
    }

    /// T1/T∞.
    pub fn parallelism(&self) -> f64 {
        self.t1_ns() as f64 / self.span_ns.max(1) as f64
    }
}

struct Walk<'p> {
    program: &'p dyn Program,
    fork_ns: u64,
    /// If nodes repeat, the totals below those that have been walked.
    known: HashMap<Node, Totals>,
}

impl Walk<'_> {
    fn below(&mut self, node: Node) -> Totals {
        let repeats = self.program.repeats();
        if repeats && let Some(&totals) = self.known.get(&node) {
            return totals;
        }
        let totals = self.chain(node);
        if repeats {
            self.known.insert(node, totals);
        }
        totals
    }

    /// The totals below a node. Nodes that run one after another take no stack, however many there are.
    fn chain(&mut self, mut node: Node) -> Totals {
        let fork_ns = self.fork_ns;
        let mut before = Totals { fork_ns, ..Totals::default() };
        loop {
            match self.program.open(node) {
                Shape::Leaf { work_ns } => {
                    return before.then(Totals { work_ns, span_ns: work_ns, forks: 0, leaves: 1, fork_ns });
                }
                Shape::Tail { work_ns, next } => (before, node) = (before.after(work_ns, 0), next),
                Shape::Then { work_ns, first, then } => {
                    (before, node) = (before.after(work_ns, 0).then(self.below(first)), then);
                }
                Shape::Fork { work_ns, first, second } => {
                    let (first, second) = (self.below(first), self.below(second));
                    let span_ns = first.span_ns.max(second.span_ns);
                    return before.then(first.and(second, span_ns).after(work_ns, 1));
                }
            }
        }
    }
}

impl Totals {
    fn then(self, next: Totals) -> Totals {
        self.and(next, self.span_ns.saturating_add(next.span_ns))
    }

    fn and(self, other: Totals, span_ns: u64) -> Totals {
        Totals {
            work_ns: self.work_ns.saturating_add(other.work_ns),
            span_ns,
            forks: self.forks.saturating_add(other.forks),
            leaves: self.leaves.saturating_add(other.leaves),
            fork_ns: self.fork_ns,
        }
    }

    fn after(self, work_ns: u64, forks: u64) -> Totals {
        Totals {
            work_ns: self.work_ns.saturating_add(work_ns),
            span_ns: self.span_ns.saturating_add(work_ns).saturating_add(forks * self.fork_ns),
            forks: self.forks.saturating_add(forks),
            ..self
        }
    }
}
