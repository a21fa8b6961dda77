//! `filch callgrind-target`, a hidden command: runs one program once on one worker, under callgrind.

use crate::programs::find_program;
use clap::Args;
use filch::{Scheduler, Strand};
use filch_bench::comparison::instructions::Target;
use filch_bench::failure::Failure;
use filch_bench::measure::pools::Pools;
use filch_bench::measure::runner::{Runner, SERIAL};
use filch_kernels::runtime::Tunings;
use filch_kernels::{Instance, Mismatch};

/// The arguments of `filch callgrind-target`.
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

/// Runs one program once, under callgrind.
pub fn run(args: &TargetArgs) -> Result<(), Failure> {
    let program = find_program(&args.program)?;
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
