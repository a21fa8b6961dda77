//! The time of a recorded program on so many workers under the scheduler `default`, from several simulations.

use std::ops::ControlFlow;

use filch::Scheduler;
use filch_bench::failure::Failure;
use filch_bench::measure::median::Median;
use filch_sim::program::Program;
use filch_sim::{Costs, Progress, Simulation, rules};
use serde::Serialize;

/// The number of simulations, each with a seed of its own. So few that the interval of their median is their range.
pub const SEEDS: u64 = 5;

/// What simulations say about a number of workers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Predicted {
    /// T_P in nanoseconds: the median, the least and the most.
    pub time_ns: Median,
    /// The mean share of the workers' time in which they ran no task.
    pub idle_share: f64,
    /// The mean number of parts that another worker ran than the one that forked them.
    pub moved: f64,
}

/// Simulates a program, and takes the events that it needs from those that are left. `None` if they do not suffice.
///
/// # Errors
///
/// If the scheduler cannot have so many workers.
pub fn predict(
    program: &dyn Program,
    workers: usize,
    costs: Costs,
    events_left: &mut u64,
) -> Result<Option<Predicted>, Failure> {
    let rules = rules(&Scheduler::default(), &costs, workers).map_err(Failure::usage)?;
    let mut outcomes = Vec::new();
    for seed in 0..SEEDS {
        let most = *events_left;
        if most == 0 {
            return Ok(None);
        }
        let watch = &mut |now: Progress| {
            if now.events > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let outcome = Simulation::new(program, rules, costs, workers, seed).run_watched(watch);
        let Some(outcome) = outcome else {
            *events_left = 0;
            return Ok(None);
        };
        *events_left = most.saturating_sub(outcome.counts.events);
        outcomes.push(outcome);
    }
    let mean = |of: &dyn Fn(&filch_sim::Outcome) -> f64| outcomes.iter().map(of).sum::<f64>() / SEEDS as f64;
    Ok(Some(Predicted {
        time_ns: Median::of(outcomes.iter().map(|outcome| outcome.time_ns as f64).collect()),
        idle_share: mean(&|outcome| outcome.idle_share()).max(0.0),
        moved: mean(&|outcome| outcome.counts.moved as f64),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use filch_sim::program::text::parse;
    use filch_sim::program::totals::Totals;

    #[test]
    fn predictions_lie_between_the_ideal_and_the_bound_and_end_with_the_events() {
        let program = parse("fib:15,leaf=20us").unwrap();
        let (costs, mut left) = (Costs::ASSUMED, u64::MAX);
        let totals = Totals::of(&*program, costs.fork_ns);
        for workers in [1, 4, 64] {
            let predicted = predict(&*program, workers, costs, &mut left).unwrap().unwrap();
            let (ideal, ns) = (totals.t1_ns() as f64 / workers as f64, predicted.time_ns);
            assert!(ideal <= ns.low && ns.low <= ns.value && ns.value <= ns.high, "{predicted:?}");
            assert!(ns.high <= 3.0 * (ideal + totals.span_ns as f64) + 1e6, "{predicted:?}");
        }
        assert!(left < u64::MAX);
        let mut few = 1;
        assert_eq!(predict(&*parse("fib:30,leaf=1us").unwrap(), 64, costs, &mut few).unwrap(), None);
    }
}
