//! What is compared: programs, sizes, runners, and what is shown of them.

use std::rc::Rc;

use clap::ValueEnum;
use filch::Scheduler;
use filch_kernels::{Extent, Input, Instance, Program};

use crate::failure::Failure;
use crate::measure::pools::Pools;
use crate::measure::runner::{Grains, Runner};

/// A peer with which Filch is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Peer {
    /// The serial elision
    Serial,
    /// The library rayon
    Rayon,
    /// The library rayon with its loops tuned by hand; only for programs with loops
    RayonTuned,
    /// The library chili
    Chili,
}

/// A program at one size.
#[derive(Clone, Debug)]
pub struct Task {
    /// The program.
    pub program: &'static Program,
    /// The name of the size; "custom" for a size without a name.
    pub size: &'static str,
    /// The size.
    pub n: Extent,
    /// The cut-offs, if the user asks for another one than the program's own.
    pub grains: Option<Grains>,
    /// The input, if it comes from a file.
    pub input: Option<Rc<Input>>,
}

impl Task {
    /// Makes the instance.
    pub fn prepare(&self) -> Result<Box<dyn Instance>, Failure> {
        match &self.input {
            Some(input) => (input.build)().map_err(|error| Failure::Usage(error.to_string())),
            None => self.program.prepare(self.n).map_err(Failure::usage),
        }
    }

    /// The runners that have a form of this program.
    pub fn entrants<'a>(&self, runners: &'a [Runner]) -> Vec<&'a Runner> {
        runners.iter().filter(|runner| runner.takes_part_in(self.program)).collect()
    }
}

/// What is compared, how often, and what is shown.
#[derive(Debug)]
pub struct Comparison {
    /// What Filch's pools have in common.
    pub pools: Pools,
    /// Filch's schedulers.
    pub schedulers: Vec<Scheduler>,
    /// The numbers of workers.
    pub workers: Vec<usize>,
    /// The peers with which Filch is compared.
    pub against: Vec<Peer>,
    /// The cut-off asked for, if any.
    pub grain: Option<u64>,
    /// The number of other processes kept busy during the measurement.
    pub busy: usize,
    /// The number of samples per runner.
    pub runs: usize,
    /// Whether each program is shown in a table of its own, besides the summary.
    pub details: bool,
    /// Whether the runtime's counters are shown.
    pub counters: bool,
    /// Whether instructions per fork are counted.
    pub instructions: bool,
}

/// One worker, for the overhead, and the default number of workers, for the speed-up.
pub fn one_and_all(all: usize) -> Vec<usize> {
    if all == 1 { vec![1] } else { vec![1, all] }
}
