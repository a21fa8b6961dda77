//! Runs one case and compares the outcome with what the oracle expects.

use std::panic::resume_unwind;
use std::sync::{Arc, Mutex};
use std::thread;

use filch::Pool;

use super::execute::execution::Execution;
use super::grow::grow;
use super::oracle::evaluation::meaning;
use super::oracle::meaning::{Meaning, Oracle};
use super::plan::{Plan, ProgramPlan, STACK_BYTES};
use super::program::{Matrix, combine};
use super::run_log::RunLog;
use super::totals::Totals;

/// What is used to decide whether a case is right.
#[derive(Clone, Copy, Debug)]
pub struct Judge {
    /// Gives the meaning of a program.
    pub oracle: Oracle,
    /// Combines results in programs that run. A wrong function must be detected.
    pub combine: fn(u64, u64) -> u64,
    /// The same for the matrices in reducers.
    pub multiply: fn(Matrix, Matrix) -> Matrix,
}

impl Default for Judge {
    fn default() -> Self {
        Self { oracle: meaning, combine, multiply: Matrix::times }
    }
}

/// Runs a case. The error says what was wrong.
pub fn run(plan: &Plan, judge: &Judge) -> Result<Totals, String> {
    let pools = plan.pools.iter().map(|pool| pool.build().map_err(|error| format!("cannot start a pool: {error}")));
    let pools = pools.collect::<Result<Vec<Pool>, _>>()?;
    let shared = Shared { plan, judge, pools: &pools, locks: Default::default() };
    let totals = thread::scope(|scope| {
        let callers = plan.callers.iter().zip(0..).map(|(programs, number)| {
            let caller = thread::Builder::new().stack_size(STACK_BYTES).name(format!("caller-{number}"));
            let shared = &shared;
            let started = caller.spawn_scoped(scope, move || shared.call(number, programs));
            started.map_err(|error| format!("cannot start a caller: {error}"))
        });
        let callers = callers.collect::<Result<Vec<_>, _>>()?;
        callers.into_iter().try_fold(Totals::default(), |totals, caller| {
            Ok::<_, String>(totals.plus(caller.join().unwrap_or_else(|panic| resume_unwind(panic))?))
        })
    })?;
    Ok(pools.iter().fold(totals, |totals, pool| totals.counted_by(pool)))
}

/// The nodes of different callers' programs have different numbers. Each caller has this many.
const NUMBERS_PER_CALLER: u64 = 1 << 32;

struct Shared<'c> {
    plan: &'c Plan,
    judge: &'c Judge,
    pools: &'c [Pool],
    locks: [Mutex<()>; super::program::LOCKS],
}

impl Shared<'_> {
    /// Runs the programs of one caller, up to the first one that goes wrong.
    fn call(&self, caller: u64, programs: &[ProgramPlan]) -> Result<Totals, String> {
        programs.iter().enumerate().try_fold(Totals::default(), |totals, (place, program)| {
            let one = self.program(caller * NUMBERS_PER_CALLER, program);
            Ok(totals.plus(one.map_err(|wrong| format!("program {place} of caller {caller}: {wrong}"))?))
        })
    }

    fn program(&self, base: u64, of: &ProgramPlan) -> Result<Totals, String> {
        let mut program = grow(of.seed, self.plan.powers, of.pool);
        program.base = base;
        let Meaning { outcome: expected, must_run, tasks, counts, reduced } = (self.judge.oracle)(&program);
        let run_log = Arc::new(RunLog::new(program.nodes.len()).with_callbacks(self.plan.powers.callbacks));
        let execution = Execution {
            program: &program,
            run_log: &run_log,
            pools: self.pools,
            locks: &self.locks,
            is_strict: self.plan.is_strict,
            may_await: self.plan.powers.awaits < self.pools[of.pool].num_workers(),
            combine: self.judge.combine,
            multiply: self.judge.multiply,
        };
        let found = execution.run(of.pool);
        run_log.compare_tasks(&tasks);
        run_log.compare_puts(reduced.into_iter());
        let mut faults = run_log.faults(&must_run);
        if found != expected {
            faults.insert(0, format!("found {}, expected {}", outcome(found), outcome(expected)));
        }
        if !faults.is_empty() {
            return Err(faults.join("; "));
        }
        Ok(Totals::of_program(&program, counts))
    }
}

fn outcome(outcome: Result<u64, u64>) -> String {
    match outcome {
        Ok(value) => format!("{value:#x}"),
        Err(value) => format!("a panic with {value:#x}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stress::hook;
    use crate::stress::plan::Choice;
    use filch_bench::measure::pools::Pools;

    fn choice() -> Choice {
        let scheduler = "cilk5,period=0ns".parse().unwrap();
        Choice::new(&[scheduler], &[2], &Pools::default()).unwrap()
    }

    fn found_by(judge: &Judge) -> String {
        hook::silence_the_programs_panics();
        (0..20).find_map(|seed| run(&Plan::new(seed, &choice()), judge).err()).expect("something wrong is found")
    }

    #[test]
    fn cases_that_are_right_pass_and_say_what_they_did() {
        hook::silence_the_programs_panics();
        for seed in 0..5 {
            let plan = Plan::new(seed, &choice());
            let totals = run(&plan, &Judge::default()).unwrap_or_else(|wrong| panic!("seed {seed}, {plan}: {wrong}"));
            assert!(totals.programs > 0);
        }
    }

    #[test]
    fn a_case_has_the_same_programs_every_time() {
        hook::silence_the_programs_panics();
        let digest = |seed| run(&Plan::new(seed, &choice()), &Judge::default()).unwrap().digest;
        assert_eq!(digest(3), digest(3));
        assert_ne!(digest(3), digest(4));
    }

    #[test]
    fn branches_that_are_combined_in_the_wrong_order_are_found() {
        let found = found_by(&Judge { combine: |a, b| combine(b, a), ..Judge::default() });
        assert!(found.contains("found 0x") && found.contains("expected 0x"), "{found}");
    }

    #[test]
    fn reducers_that_combine_in_the_wrong_order_are_found() {
        let found = found_by(&Judge { multiply: |a, b| b.times(a), ..Judge::default() });
        assert!(found.contains("the matrices were multiplied in another order"), "{found}");
    }

    #[test]
    fn a_task_that_comes_to_another_value_is_found() {
        let wrong: Oracle = |program| {
            let meaning = meaning(program);
            Meaning { tasks: meaning.tasks.iter().map(|&(task, value)| (task, !value)).collect(), ..meaning }
        };
        let found = found_by(&Judge { oracle: wrong, ..Judge::default() });
        assert!(found.contains("came to Some("), "{found}");
    }

    #[test]
    fn a_part_that_is_lost_from_a_reducer_is_found() {
        let wrong: Oracle = |program| {
            let meaning = meaning(program);
            let is_other = |node: &usize| meaning.must_run[*node] && !meaning.reduced.contains(node);
            Meaning { reduced: (0..program.nodes.len()).filter(is_other).collect(), ..meaning.clone() }
        };
        let found = found_by(&Judge { oracle: wrong, ..Judge::default() });
        assert!(found.contains("put into a reducer was lost"), "{found}");
    }

    #[test]
    fn an_oracle_that_expects_another_value_is_contradicted() {
        let wrong: Oracle = |program| Meaning { outcome: Err(0xBAD), ..meaning(program) };
        let found = found_by(&Judge { oracle: wrong, ..Judge::default() });
        assert!(found.contains("expected a panic with 0xbad"), "{found}");
    }

    #[test]
    fn a_node_that_should_have_run_and_did_not_is_found() {
        let wrong: Oracle = |program| {
            let meaning = meaning(program);
            Meaning { must_run: vec![true; program.nodes.len()], ..meaning }
        };
        let found = found_by(&Judge { oracle: wrong, ..Judge::default() });
        assert!(found.contains("did not run"), "{found}");
    }
}
