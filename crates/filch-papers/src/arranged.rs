//! A graph with its rows in any arrangement, and the spanning trees of the papers on it.

use clap::ValueEnum;
use filch_bench::failure::Failure;
use filch_graph::Csr;
use filch_lab::graphs::trials::{Counted, Solution};

use crate::trees::{self, ArrayRows, LinkedRows, Options, TreeError};

/// How the edges of a vertex are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Arrangement {
    /// In an array, by ascending number
    #[default]
    Sorted,
    /// In an array, in random order
    Shuffled,
    /// In a linked list, in random order
    Linked,
}

/// A graph in one arrangement.
#[derive(Debug)]
pub enum Arranged<'g> {
    /// As it is.
    Sorted(&'g Csr),
    /// In arrays.
    Shuffled(ArrayRows),
    /// In linked lists.
    Linked(LinkedRows),
}

impl<'g> Arranged<'g> {
    /// The rows of `graph`, in an order that depends on `seed` if it is random.
    pub fn new(graph: &'g Csr, arrangement: Arrangement, seed: u64) -> Result<Self, Failure> {
        Ok(match arrangement {
            Arrangement::Sorted => Self::Sorted(graph),
            Arrangement::Shuffled => Self::Shuffled(ArrayRows::new(graph, seed)),
            Arrangement::Linked => Self::Linked(LinkedRows::new(graph, seed).map_err(Failure::usage)?),
        })
    }

    /// A spanning tree of each component, on the surrounding pool.
    pub fn spanning_tree(&self, options: Options) -> Result<trees::Tree, TreeError> {
        match self {
            Self::Sorted(graph) => trees::spanning_tree(*graph, options),
            Self::Shuffled(rows) => trees::spanning_tree(rows, options),
            Self::Linked(rows) => trees::spanning_tree(rows, options),
        }
    }

    /// The same as the [`solution`] of a problem.
    pub fn solve(&self, options: Options) -> Result<Solution<Vec<u32>>, Failure> {
        let solution = solution(self.spanning_tree(options))?;
        Ok(Solution { serial: options.algorithm.is_serial(), ..solution })
    }

    /// Reads each edge in the order of a stride: [`trees::read_by_stride`].
    pub fn read_by_stride(&self, marks: &[u32], stride: usize) -> u64 {
        match self {
            Self::Sorted(graph) => trees::read_by_stride(*graph, marks, stride),
            Self::Shuffled(rows) => trees::read_by_stride(rows, marks, stride),
            Self::Linked(rows) => trees::read_by_stride(rows, marks, stride),
        }
    }
}

/// A tree as the solution of a problem. An algorithm gives up before it exhausts a stack; any other error is bad usage.
pub fn solution(result: Result<trees::Tree, TreeError>) -> Result<Solution<Vec<u32>>, Failure> {
    let trees::Tree { parents, counts, .. } = result.map_err(failure)?;
    Ok(Solution { answer: parents, method: None, counted: counted(&counts), serial: false, explained: Vec::new() })
}

/// The failure of a command that needed this tree.
fn failure(error: TreeError) -> Failure {
    match error {
        TreeError::StackExhausted { depth } => Failure::OutOfStack { depth, message: error.to_string() },
        TreeError::Threads { .. } => Failure::Failed(error.to_string()),
        _ => Failure::usage(error),
    }
}

/// The counts that are not zero.
pub fn counted(counts: &trees::Counts) -> Counted {
    let traversal = &counts.traversal;
    let all = [
        ("stages", counts.stages),
        ("overflowed", counts.overflowed),
        ("allocations", counts.allocations),
        ("unused", counts.unused),
        ("moved", counts.moved),
        ("serial_parts", counts.serial_parts),
        ("largest_serial", counts.largest_serial),
        ("stub", counts.stub),
        ("copied", counts.copied),
        ("barriers", counts.barriers),
        ("visited", traversal.items as usize),
        ("tasks", traversal.tasks as usize),
        ("batches", traversal.batches as usize),
        ("swaps", traversal.swaps as usize),
        ("steals", counts.steals + traversal.steals as usize),
        ("lanes", traversal.workers),
        ("phases", traversal.phases as usize),
        ("phases_skipped", traversal.phases_skipped as usize),
        ("idle_us", traversal.idle.as_micros() as usize),
    ];
    all.into_iter().filter(|&(_, count)| count > 0).map(|(name, count)| (name, count as u64)).collect()
}

/// A count of a solution, 0 if it has none of this name.
pub fn count(counted: &Counted, name: &str) -> u64 {
    counted.iter().find(|&&(known, _)| known == name).map_or(0, |&(_, count)| count)
}
