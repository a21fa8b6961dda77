//! A sweep over programs, each of which is measured by the same runners.

use std::io::Write;

use clap::Args;
use filch_bench::failure::Failure;
use filch_bench::measure::others::Watch;
use filch_bench::measure::pools::Pools;
use filch_bench::measure::runner::Runner;
use filch_bench::measure::series::{Plan, Series};
use filch_bench::show::progress::samples::Samples;
use filch_bench::values::once_each;
use filch_kernels::{Extent, Instance, Program};
use filch_lab::programs::find_programs;
use serde::Serialize;

use super::args::SampleArgs;
use filch_lab::output::FormatArgs;

/// The programs, how they are measured, and where the figures go.
#[derive(Args, Debug)]
pub struct ProgramsArgs {
    /// The programs [default: all]
    #[arg(value_name = "PROGRAM")]
    pub programs: Vec<String>,

    /// How they are measured.
    #[command(flatten)]
    pub samples: SampleArgs,

    /// The form of the figures.
    #[command(flatten)]
    pub figures: FormatArgs,
}

/// A program whose turn it is.
pub(super) struct Turn<'a> {
    pub(super) program: &'static Program,
    pub(super) n: Extent,
    /// The program and its size.
    pub(super) name: String,
    pub(super) instance: Box<dyn Instance>,
    pub(super) runners: &'a [Runner],
    pub(super) runs: usize,
    progress: &'a Samples,
}

impl Turn<'_> {
    /// Measures it by all runners, and checks its results.
    pub(super) fn series(&mut self) -> Result<Series, Failure> {
        let runners: Vec<&Runner> = self.runners.iter().collect();
        Series::measure(&mut *self.instance, &runners, &Plan::of(self.runs), self.progress).verified(&self.name)
    }
}

impl ProgramsArgs {
    /// Measures each program, shows the rows, and writes them. The runners are made for the number of workers, which
    /// `show` gets, too. All arguments are checked before the first program starts.
    pub(super) fn sweep<R: Serialize>(
        &self,
        runners: impl FnOnce(&Pools, usize) -> Result<Vec<Runner>, Failure>,
        measure: impl Fn(&mut Turn<'_>) -> Result<R, Failure>,
        show: impl FnOnce(usize, &[R], &mut dyn Write) -> Result<(), Failure>,
        out: &mut dyn Write,
    ) -> Result<Vec<R>, Failure> {
        let Self { programs, samples, figures } = self;
        let mut sizes = Vec::new();
        for program in find_programs(&once_each(programs.clone()))? {
            sizes.push((program, samples.size_of(program)?.1));
        }
        let (pools, workers) = samples.pools()?;
        let runners = runners(&pools, workers)?;

        let progress = Samples::new(sizes.len() * runners.len(), samples.runs);
        let watch = Watch::begin();
        let rows = sizes.into_iter().map(|(program, n)| {
            let name = format!("{} {n}", program.name);
            progress.begin(&name);
            let instance = program.prepare(n).map_err(Failure::usage)?;
            let (runners, runs, progress) = (&runners[..], samples.runs, &progress);
            measure(&mut Turn { program, n, name, instance, runners, runs, progress })
        });
        let rows = rows.collect::<Result<Vec<_>, _>>()?;
        let others = watch.others();
        drop(progress);
        show(workers, &rows, out)?;
        if let Some(others) = others {
            writeln!(out, "({others})")?;
        }
        figures.write(&rows)?;
        Ok(rows)
    }
}
