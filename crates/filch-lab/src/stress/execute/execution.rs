//! The state of one run of a program.

use std::ops::Range;
use std::sync::{Arc, Mutex};

use filch::{Pool, Strand};

use crate::stress::lineage;
use crate::stress::program::{LOCKS, Matrix, Program};
use crate::stress::run_log::RunLog;

/// One run of a program.
#[derive(Debug)]
pub struct Execution<'e> {
    /// The program.
    pub program: &'e Program,
    /// The record of its nodes and values.
    pub run_log: &'e Arc<RunLog>,
    /// The pools of the case.
    pub pools: &'e [Pool],
    /// The mutexes that the programs of the case share.
    pub locks: &'e [Mutex<()>; LOCKS],
    /// Whether a waiting worker runs only parts of what it waits for, and branches that are not shared stay on their
    /// thread.
    pub is_strict: bool,
    /// Whether there is a worker for every branch that another one waits for. It is not so if the system refuses takes:
    /// then a default pool has one worker, whatever was asked for.
    pub may_await: bool,
    /// Combines the results of two branches. Tests have a wrong one.
    pub combine: fn(u64, u64) -> u64,
    /// Multiplies matrices. Tests have a wrong one.
    pub multiply: fn(Matrix, Matrix) -> Matrix,
}

/// How a part of a program can fork.
pub(super) enum Way<'s> {
    Strand(Strand<'s>),
    /// Without a strand.
    Free,
}

impl Way<'_> {
    pub(super) fn reborrow(&mut self) -> Way<'_> {
        match self {
            Way::Strand(s) => Way::Strand(s.reborrow()),
            Way::Free => Way::Free,
        }
    }
}

impl Execution<'_> {
    /// This thread starts with a node and its parts.
    pub(super) fn begin(&self, node: usize) -> lineage::Begun {
        self.check(lineage::begin(self.program.range(node)), node)
    }

    /// Notes a fault if the node that begins here violates what the thread waits for.
    pub(super) fn check(&self, (begun, violated): (lineage::Begun, Option<Range<u64>>), node: usize) -> lineage::Begun {
        if let Some(expected) = violated
            && self.is_strict
        {
            let range = self.program.range(node);
            self.run_log.fault(format!(
                "nodes {range:?} began on a thread that waited for nodes {expected:?} and may run parts of these only"
            ));
        }
        begun
    }
}
