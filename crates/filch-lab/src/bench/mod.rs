//! `filch bench`: programs, each run by several runners in turn, and the ratios of their times.
//!
//! - [`runner`]: who runs a program: the caller, or a pool of some library
//! - [`order`]: in which order the runners take turns
//! - [`memory`]: whether a size fits
//! - [`busy`]: processes that keep cores busy meanwhile
//! - [`series`]: the measurement of one program
//! - [`tuning`]: the sweep that tunes rayon's loops by hand
//! - [`row`]: its figures, as they go into the JSON file
//! - [`table`]: its figures, as they go to the terminal
//! - [`summary`]: the figures of several programs side by side
//! - [`figure`]: a picture of them
//! - [`page`]: a page about them
//! - [`files`]: the files that all this goes into
//! - [`instructions`]: instructions per fork, counted by valgrind
//! - [`progress`]: what the user sees meanwhile

pub mod busy;
pub mod figure;
pub mod files;
pub mod instructions;
pub mod memory;
pub mod order;
pub mod page;
pub mod progress;
pub mod row;
pub mod runner;
pub mod series;
pub mod summary;
pub mod table;
pub mod tuning;

use std::io::Write;
use std::path::PathBuf;

use filch::{Pool, Scheduler};
use filch_programs::{Grain, Program, all};

use crate::cli::{BenchArgs, Peer, Size};
use crate::failure::Failure;
use crate::machine::default_pool;
use crate::others::Watch;
use crate::programs::find_program;
use busy::Busy;
use files::Files;
use progress::Progress;
use row::Row;
use runner::{Grains, Runner};
use series::{Plan, SHORTEST_SAMPLE, SHORTEST_SAMPLE_BESIDE_BUSY, Series};

/// A program at one size.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// The program.
    pub program: &'static Program,
    /// The name of the size; "custom" for a size without a name.
    pub size: &'static str,
    /// The size.
    pub n: u64,
    /// The cut-offs, if the user asks for another one than the program's own.
    pub grains: Option<Grains>,
}

impl Task {
    /// The runners that have a form of this program.
    fn entrants<'a>(&self, runners: &'a [Runner]) -> Vec<&'a Runner> {
        runners.iter().filter(|runner| runner.takes_part_in(self.program)).collect()
    }
}

/// What is compared, how often, and what is shown.
#[derive(Debug)]
pub struct Comparison {
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
    /// The JSON file, if any.
    pub json: Option<PathBuf>,
    /// The SVG file, if any.
    pub svg: Option<PathBuf>,
    /// The HTML file, if any.
    pub html: Option<PathBuf>,
    /// Whether each program is shown in a table of its own, besides the summary.
    pub details: bool,
    /// Whether the runtime's counters are shown.
    pub counters: bool,
    /// Whether instructions per fork are counted.
    pub instructions: bool,
}

/// Runs `filch bench`.
pub fn run(args: BenchArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let tasks = tasks(&args)?;
    let default = match args.scheduler.first() {
        Some(scheduler) => Pool::builder().scheduler(scheduler.clone()).build().map_err(Failure::usage)?,
        None => default_pool()?,
    };
    let mut against = args.against;
    if tasks.iter().all(|task| task.program.loops.is_empty()) {
        against.retain(|peer| *peer != Peer::RayonTuned);
    }
    let comparison = Comparison {
        schedulers: once_each(if args.scheduler.is_empty() {
            vec![default.scheduler().clone()]
        } else {
            args.scheduler
        }),
        workers: once_each(if args.workers.is_empty() { one_and_all(&default) } else { args.workers }),
        against,
        grain: args.grain,
        busy: args.busy,
        runs: args.runs,
        json: args.json,
        svg: args.svg,
        html: args.html,
        details: true,
        counters: args.counters,
        instructions: args.instructions,
    };
    drop(default); // its threads would compete with those measured
    compare(&tasks, &comparison, out)
}

/// The list without duplicates, which would be measured twice under one name.
fn once_each<T: PartialEq>(list: Vec<T>) -> Vec<T> {
    let mut once = Vec::new();
    for item in list {
        if !once.contains(&item) {
            once.push(item);
        }
    }
    once
}

/// Measures a comparison, shows its tables and writes its files.
pub fn compare(tasks: &[Task], comparison: &Comparison, out: &mut dyn Write) -> Result<(), Failure> {
    let files = Files::check(comparison)?;
    if comparison.instructions {
        instructions::check_valgrind()?;
    }
    let runners = runner::line_up(comparison)?;
    let busy = Busy::start(comparison.busy)?;
    let progress = Progress::new(tasks.iter().map(|task| task.entrants(&runners).len()).sum(), comparison.runs);

    table::explain(comparison, out)?;
    let mut all_rows = Vec::new();
    let mut failures = Vec::new();
    let watch = Watch::begin();
    for task in tasks {
        let measured = measure(task, comparison, &runners, &progress)?;
        if comparison.details {
            progress.suspend(|| table::show(task, comparison, &measured, out))?;
        }
        failures.extend(measured.wrong);
        all_rows.extend(measured.rows);
    }
    drop(progress);
    drop(busy);
    if tasks.len() > 1 || !comparison.details {
        writeln!(out, "\n{}", summary::of(&all_rows))?;
        // With details, the table of each program says so.
        if let Some(others) = watch.others().filter(|_| !comparison.details && comparison.busy == 0) {
            writeln!(out, "({others})")?;
        }
    }

    files.write(tasks, &all_rows)?;
    if failures.is_empty() { Ok(()) } else { Err(Failure::Failed(failures.join("\nerror: "))) }
}

/// The results for one task.
#[derive(Debug)]
pub struct Measured {
    /// The figures.
    pub rows: Vec<Row>,
    /// What the checks found wrong, in words.
    pub wrong: Vec<String>,
    /// The load by other programs during the measurement, in words.
    pub others: Option<String>,
}

fn measure(task: &Task, comparison: &Comparison, runners: &[Runner], progress: &Progress) -> Result<Measured, Failure> {
    let mut instance = task.program.prepare(task.n).map_err(Failure::usage)?;
    let name = format!("{} {}", task.program.name, task.n);
    progress.begin(&name);
    let runners = &*task.entrants(runners);
    let shortest = if comparison.busy == 0 { SHORTEST_SAMPLE } else { SHORTEST_SAMPLE_BESIDE_BUSY };
    let watch = Watch::begin();
    let loops = task.program.loops.iter().map(|length| length(task.n)).collect();
    let plan = Plan { grains: task.grains, loops, rounds: comparison.runs, shortest };
    let series = Series::measure(&mut *instance, runners, &plan, progress);
    // The lab's own busy processes count as other programs, and the explanation names them already.
    let others = watch.others().filter(|_| comparison.busy == 0);
    let mut rows = row::rows(task, runners, &series, comparison.busy);
    if comparison.instructions {
        instructions::add_to(&mut rows, task.program, runners)?;
    }
    let wrong = series.mismatches().map(|(runner, wrong)| format!("{name} by {runner}: {wrong}")).collect();
    Ok(Measured { rows, wrong, others })
}

/// The tasks that a command line asks for. All of them are checked before the first one starts.
fn tasks(args: &BenchArgs) -> Result<Vec<Task>, Failure> {
    let is_about_loops = args.against == [Peer::RayonTuned];
    let programs: Vec<&'static Program> = if args.programs.is_empty() {
        // A request for a cut-off, or for tuned loops only, without program names, means the programs that have one.
        let is_meant = |program: &&Program| {
            (args.grain.is_none() || program.grain.is_some()) && (!is_about_loops || !program.loops.is_empty())
        };
        all().iter().filter(is_meant).collect()
    } else {
        let named = once_each(args.programs.clone());
        named.iter().map(|name| find_program(name)).collect::<Result<_, _>>()?
    };
    let tasks = programs.into_iter().map(|program| {
        let sizes = program.sizes;
        let (size, n) = match (args.n, args.size) {
            (Some(n), _) => ("custom", n),
            (None, Size::Small) => ("small", sizes.small),
            (None, Size::Default) => ("default", sizes.default),
            (None, Size::Paper) => ("paper", sizes.paper),
        };
        program.check(n).map_err(Failure::usage)?;
        if is_about_loops && program.loops.is_empty() {
            let name = program.name;
            return Err(Failure::Usage(format!("{name} has no loops: --against rayon-tuned does not apply")));
        }
        let grains = args.grain.map(|asked| grains(program, asked)).transpose()?;
        memory::check(program, n, args.grain)?;
        Ok(Task { program, size, n, grains })
    });
    tasks.collect()
}

fn grains(program: &Program, asked: u64) -> Result<Grains, Failure> {
    let name = program.name;
    let Some(grain) = program.grain else {
        return Err(Failure::Usage(format!("{name} has no cut-off: --grain does not apply")));
    };
    if asked > grain.max {
        let Grain { counts, max, .. } = grain;
        return Err(Failure::Usage(format!(
            "{name} cannot have a cut-off of {asked}: it is {counts}, from 1 to {max}"
        )));
    }
    Ok(Grains { asked, own: grain.default })
}

/// One worker, for the overhead, and the default number of workers, for the speed-up.
pub fn one_and_all(default: &Pool) -> Vec<usize> {
    let all = default.num_workers();
    if all == 1 { vec![1] } else { vec![1, all] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use filch::Strand;
    use filch_programs::{Answer, Domain, Instance, Mismatch, Sizes};

    /// A program whose Filch form is wrong.
    static WRONG: Program = Program {
        name: "wrong",
        about: "a program whose Filch form is wrong",
        sizes: Sizes { small: 1, default: 1, paper: 1 },
        domain: Domain { counts: "nothing", min: 1, max: 1, rule: None },
        grain: None,
        forks: None,
        loops: &[],
        bytes: |_, _| 0,
        build: |_| Box::new(Wrong(Answer::new())),
    };

    struct Wrong(Answer<u8>);

    impl Instance for Wrong {
        fn serial(&mut self) {
            self.0.record(1);
        }
        fn filch(&mut self, _: Strand<'_>) {
            self.0.record(2);
        }
        fn rayon(&mut self) {
            self.0.record(1);
        }
        fn chili(&mut self, _: &mut chili::Scope<'_>) {
            self.0.record(1);
        }
        fn verify(&mut self) -> Result<(), Mismatch> {
            self.0.check(&1)
        }
        fn set_grain(&mut self, _: u64) {}
    }

    #[test]
    fn a_wrong_result_is_shown_saved_and_a_failure_that_says_whose_it_was() {
        let file = std::env::temp_dir().join(format!("filch-wrong-{}.json", std::process::id()));
        let comparison = Comparison {
            schedulers: vec![Scheduler::default()],
            workers: vec![1],
            against: vec![Peer::Serial, Peer::Rayon],
            grain: None,
            busy: 0,
            runs: 1,
            json: Some(file.clone()),
            svg: None,
            html: None,
            details: true,
            counters: false,
            instructions: false,
        };
        let mut shown = Vec::new();
        let task = Task { program: &WRONG, size: "small", n: 1, grains: None };
        let failure = compare(&[task], &comparison, &mut shown).unwrap_err();

        assert_eq!(failure.to_string(), "wrong 1 by filch:default on 1 worker: found 2, expected 1");
        assert!(matches!(failure, Failure::Failed(_)));
        assert_eq!(String::from_utf8(shown).unwrap().matches("WRONG").count(), 1);
        let rows: serde_json::Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        let verified: Vec<_> = rows.as_array().unwrap().iter().map(|row| row["verified"] == true).collect();
        assert_eq!(verified, [true, true, false, true]);
        std::fs::remove_file(file).unwrap();
    }
}
