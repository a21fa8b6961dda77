//! Runs a comparison: measures it, shows it and writes its files.

use std::io::Write;

use super::files::Files;
use super::lineup::line_up;
use super::plan::{Comparison, Task};
use super::row::{Measured, rows};
use super::{instructions, summary, table};
use crate::failure::Failure;
use crate::measure::busy::Busy;
use crate::measure::callgrind::check_valgrind;
use crate::measure::others::Watch;
use crate::measure::runner::Runner;
use crate::measure::series::{Plan, SHORTEST_SAMPLE, SHORTEST_SAMPLE_BESIDE_BUSY, Series};
use crate::show::progress::samples::Samples;

/// Measures a comparison, shows its tables and writes its files.
pub fn compare(tasks: &[Task], comparison: &Comparison, out: &mut dyn Write) -> Result<(), Failure> {
    let files = Files::check(comparison)?;
    if comparison.instructions {
        check_valgrind()?;
    }
    let runners = line_up(comparison)?;
    let busy = Busy::start(comparison.busy)?;
    let progress = Samples::new(tasks.iter().map(|task| task.entrants(&runners).len()).sum(), comparison.runs);

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

fn measure(task: &Task, comparison: &Comparison, runners: &[Runner], progress: &Samples) -> Result<Measured, Failure> {
    let mut instance = task.program.prepare(task.n).map_err(Failure::usage)?;
    let name = format!("{} {}", task.program.name, task.n);
    progress.begin(&name);
    let runners = &*task.entrants(runners);
    let shortest = if comparison.busy == 0 { SHORTEST_SAMPLE } else { SHORTEST_SAMPLE_BESIDE_BUSY };
    let watch = Watch::begin();
    let loops = task.program.loops.iter().map(|length| length(task.n.n())).collect();
    let plan = Plan { grains: task.grains, loops, rounds: comparison.runs, shortest };
    let series = Series::measure(&mut *instance, runners, &plan, progress);
    // The lab's own busy processes count as other programs, and the explanation names them already.
    let others = watch.others().filter(|_| comparison.busy == 0);
    let mut rows = rows(task, runners, &series, comparison.busy);
    if comparison.instructions {
        instructions::add_to(&mut rows, task.program, runners)?;
    }
    let wrong = series.wrong_results(&name).collect();
    Ok(Measured { rows, wrong, others })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::plan::Peer;
    use crate::measure::pools::Pools;
    use filch::{Scheduler, Strand};
    use filch_programs::{Answer, Domain, Instance, Mismatch, Program, Sizes};

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
        data: None,
        shape: None,
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
            pools: Pools::default(),
            schedulers: vec![Scheduler::default()],
            workers: vec![1],
            against: vec![Peer::Serial, Peer::Rayon],
            grain: None,
            busy: 0,
            runs: 1,
            json: Some(file.clone().into()),
            svg: None,
            html: None,
            details: true,
            counters: false,
            instructions: false,
        };
        let mut shown = Vec::new();
        let task = Task { program: &WRONG, size: "small", n: 1.into(), grains: None };
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
