//! `callgrind-target`, a hidden command: runs one program once on one worker, under callgrind.

use clap::{Args, ValueEnum};
use filch::{Scheduler, Strand};
use filch_kernels::runtime::Tunings;
use filch_kernels::{Instance, Mismatch, Program};

use crate::failure::Failure;
use crate::measure::pools::Pools;
use crate::measure::runner::{Runner, SERIAL};

/// A runner that can run under callgrind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// The serial elision
    Serial,
    /// Filch
    Filch,
    /// The library rayon
    Rayon,
    /// The library chili
    Chili,
}

/// The arguments of `callgrind-target`.
#[derive(Args, Debug)]
pub struct TargetArgs {
    /// The program
    pub program: String,
    /// The size
    #[arg(long)]
    pub n: u64,
    /// The runner
    #[arg(long, value_enum)]
    pub runner: Target,
    /// Filch's scheduler
    #[arg(long, default_value_t = Scheduler::default())]
    pub scheduler: Scheduler,
}

/// Runs the program that `args` names once, under callgrind.
pub fn run(program: &Program, args: &TargetArgs) -> Result<(), Failure> {
    let mut instance = program.prepare(args.n).map_err(Failure::usage)?;
    let runner = match args.runner {
        Target::Serial => Runner::serial(SERIAL),
        Target::Filch => Runner::filch(&Pools::default(), &args.scheduler, 1)?,
        Target::Rayon => Runner::rayon(1)?,
        Target::Chili => Runner::chili(1),
    };
    runner.sample(&mut Counted(&mut *instance), 1, Tunings::NONE);
    instance.verify().map_err(|mismatch| Failure::Failed(mismatch.to_string()))
}

/// An instance whose methods have names that callgrind collects.
struct Counted<'a>(&'a mut dyn Instance);

impl Instance for Counted<'_> {
    #[inline(never)]
    fn serial(&mut self) {
        self.0.serial();
    }

    #[inline(never)]
    fn filch(&mut self, s: Strand<'_>) {
        self.0.filch(s);
    }

    #[inline(never)]
    fn rayon(&mut self) {
        self.0.rayon();
    }

    #[inline(never)]
    fn chili(&mut self, scope: &mut chili::Scope<'_>) {
        self.0.chili(scope);
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        self.0.verify()
    }

    fn set_grain(&mut self, grain: u64) {
        self.0.set_grain(grain);
    }
}
