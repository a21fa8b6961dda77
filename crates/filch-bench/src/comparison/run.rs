//! Runs a comparison: measures it and shows it.

use std::io::Write;
use std::ops::Range;

use super::lineup::line_up;
use super::plan::{Comparison, Task};
use super::row::{Load, Measured, rows};
use super::{instructions, summary, table};
use crate::failure::Failure;
use crate::measure::busy::Busy;
use crate::measure::callgrind::check_valgrind;
use crate::measure::median::FEWEST_FOR_CONFIDENCE;
use crate::measure::others::Watch;
use crate::measure::runner::Runner;
use crate::measure::series::{Plan, SHORTEST_SAMPLE, SHORTEST_SAMPLE_BESIDE_BUSY, Series};
use crate::show::progress::samples::Samples;

/// Measures a comparison and shows its tables. What the checks found wrong is in the result.
pub fn compare(tasks: &[Task], comparison: &Comparison, out: &mut dyn Write) -> Result<Measured, Failure> {
    if comparison.instructions {
        check_valgrind()?;
    }
    let mut runners = line_up(comparison)?;
    let busy = Busy::start(comparison.busy)?;
    let progress = Samples::new(tasks.iter().map(|task| task.entrants(&runners).len()).sum(), comparison.runs);

    table::explain(comparison, out)?;
    let mut all = Measured { rows: Vec::new(), wrong: Vec::new() };
    let whole = Watch::settled();
    for task in tasks {
        let measured = measure(task, comparison, &mut runners, &whole, &progress)?;
        if comparison.details {
            progress.suspend(|| table::show(task, comparison, &measured, out))?;
        }
        all.wrong.extend(measured.wrong);
        all.rows.extend(measured.rows);
    }
    drop(progress);
    drop(busy);
    if tasks.len() > 1 || !comparison.details {
        writeln!(out, "\n{}", summary::of(&all.rows))?;
        if let Some(note) = table::note_on_load(&all.rows) {
            writeln!(out, "{note}")?;
        }
    }
    Ok(all)
}

/// Measures a program. On a machine that does something else, too, a pool may be slower than its equal for as long as
/// both live, because of where their threads run. So all pools are then built anew after each block of rounds, and a
/// block counts once.
fn measure(
    task: &Task,
    comparison: &Comparison,
    runners: &mut Vec<Runner>,
    whole: &Watch,
    progress: &Samples,
) -> Result<Measured, Failure> {
    let mut instance = task.prepare()?;
    let name = format!("{} {}", task.program.name, task.n);
    progress.begin(&name);
    let shortest = if comparison.busy == 0 { SHORTEST_SAMPLE } else { SHORTEST_SAMPLE_BESIDE_BUSY };
    let watch = Watch::begin();
    // The lab's own busy processes count as other programs, and the explanation names them already.
    let load =
        || if comparison.busy == 0 { watch.cores().map_or_else(|| whole.load(), |_| watch.load()) } else { None };
    let is_loaded = || comparison.busy > 0 || load().is_some();
    let loops = task.program.loops.iter().map(|length| length(task.n.n())).collect();
    let plan = Plan { grains: task.grains, loops, rounds: comparison.runs, shortest };
    let mut series = Series::begin(&mut *instance, &task.entrants(runners), &plan);
    series.warm_up(&mut *instance, &task.entrants(runners), &plan, progress);
    for block in blocks(comparison.runs) {
        if block.start > 0 && is_loaded() {
            // First, so that no threads of the old pools are in the way of the new ones.
            runners.clear();
            *runners = line_up(comparison)?;
            series.warm_up(&mut *instance, &task.entrants(runners), &plan, &Samples::hidden());
        }
        series.rounds(&mut *instance, &task.entrants(runners), &plan, block, progress);
    }
    let runs_per_block = if is_loaded() { rounds_per_block(comparison.runs) } else { 1 };
    let load = Load { busy: comparison.busy, others_cores: load(), runs_per_block };
    let runners = &*task.entrants(runners);
    let mut rows = rows(task, runners, &series, load);
    if comparison.instructions {
        instructions::add_to(&mut rows, task.program, runners)?;
    }
    let wrong = series.wrong_results(&name).collect();
    Ok(Measured { rows, wrong })
}

/// The number of rounds in a block: as many blocks as an interval needs come first, then longer blocks, whose warm-up
/// takes a smaller share of the time.
fn rounds_per_block(rounds: usize) -> usize {
    (rounds / (FEWEST_FOR_CONFIDENCE + 1)).clamp(1, LONGEST_BLOCK)
}

/// The number of rounds from which on a block is not made longer.
const LONGEST_BLOCK: usize = 3;

/// The rounds, in blocks.
fn blocks(rounds: usize) -> impl Iterator<Item = Range<usize>> {
    let length = rounds_per_block(rounds);
    (0..rounds).step_by(length).map(move |start| start..(start + length).min(rounds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::plan::Peer;
    use crate::measure::pools::Pools;
    use filch::{Scheduler, Strand};
    use filch_kernels::{Answer, Domain, Instance, Mismatch, Program, Sizes};

    /// A program whose Filch form is wrong.
    static WRONG: Program = Program::new(
        ("wrong", "a program whose Filch form is wrong"),
        Sizes { small: 1, default: 1, paper: 1 },
        Domain { counts: "nothing", min: 1, max: 1, rule: None },
        |_| Box::new(Wrong(Answer::new())),
    );

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
    fn a_wrong_result_is_shown_and_a_failure_that_says_whose_it_was() {
        let comparison = Comparison {
            pools: Pools::default(),
            schedulers: vec![Scheduler::default()],
            workers: vec![1],
            against: vec![Peer::Serial, Peer::Rayon],
            grain: None,
            busy: 0,
            runs: 1,
            details: true,
            counters: false,
            instructions: false,
        };
        let mut shown = Vec::new();
        let task = Task { program: &WRONG, size: "small", n: 1.into(), grains: None, input: None };
        let failure = compare(&[task], &comparison, &mut shown).unwrap().verified().unwrap_err();

        assert_eq!(failure.to_string(), "wrong 1 by filch:default on 1 worker: found 2, expected 1");
        assert!(matches!(failure, Failure::Failed(_)));
        assert_eq!(String::from_utf8(shown).unwrap().matches("WRONG").count(), 1);
    }

    #[test]
    fn every_round_is_in_one_block_and_there_are_enough_blocks_for_an_interval() {
        for rounds in 1..200 {
            let all: Vec<usize> = blocks(rounds).flatten().collect();
            assert_eq!(all, (0..rounds).collect::<Vec<_>>());
            assert!(blocks(rounds).count() >= rounds.min(FEWEST_FOR_CONFIDENCE), "{rounds} rounds");
        }
    }
}
