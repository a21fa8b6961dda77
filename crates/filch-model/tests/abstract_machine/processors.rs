//! The bound for P processors (section 2), with greedy schedulers that make different choices.

use crate::programs::{Case, cases, holds_for_all, magnitudes};
use crate::theorems::{evaluate, is_within};
use filch_model::{CostGraph, Machine, Promotion, Semantics};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

/// What a greedy scheduler does next.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Choice {
    Oldest,
    Newest,
    Random(u64),
}

impl Choice {
    fn time(self, graph: &CostGraph, processors: usize, tau: u64) -> u64 {
        let mut random = fastrand::Rng::with_seed(if let Choice::Random(seed) = self { seed } else { 0 });
        graph.greedy_time(processors, tau, |ready| match self {
            Choice::Oldest => 0,
            Choice::Newest => ready - 1,
            Choice::Random(_) => random.usize(..ready),
        })
    }
}

pub(crate) fn choices() -> impl Strategy<Value = Choice> {
    prop_oneof![Just(Choice::Oldest), Just(Choice::Newest), any::<u64>().prop_map(Choice::Random)]
}

/// From 1 to 1000.
pub(crate) fn processors() -> impl Strategy<Value = usize> {
    magnitudes().prop_map(|count| count as usize)
}

/// T ≤ (1 + τ/N)·w/P + (1 − 1/P)·(1 + N/τ)·s.
pub(crate) fn bound_on_time(case: &Case, processors: usize, choice: Choice, promotion: Promotion) -> TestCaseResult {
    let machine = Machine::new(&case.program);
    let sequential = evaluate(&machine, Semantics::Sequential).graph.vertices();
    let parallel = evaluate(&machine, Semantics::Parallel).graph;
    let case = Case { credits: 0, ..case.clone() };
    is_within(&machine, &case, promotion, |bounds, graph, tau| {
        let bound = bounds.time(processors as u64, sequential, parallel.span(tau));
        (choice.time(graph, processors, tau), bound)
    })
}

#[test]
fn section_2_the_time_on_p_processors_is_bounded_by_sequential_work_and_parallel_span() {
    holds_for_all((cases(), processors(), choices()), |(case, processors, choice)| {
        bound_on_time(&case, processors, choice, Promotion::Oldest)
    });
}

/// The time of a greedy scheduler on any graph lies between what nobody can beat and what Brent's theorem promises
/// (section 6). Work and span are added up from the grammar of the graph, the time is simulated on vertices and edges.
#[test]
fn greedy_schedules_take_at_least_work_by_p_and_the_span_and_at_most_their_sum() {
    holds_for_all((cases(), processors(), choices()), |(case, processors, choice)| {
        let graph = evaluate(&Machine::new(&case.program), Semantics::Parallel).graph;
        for &tau in &case.taus {
            let (work, span, count) = (graph.work(tau), graph.span(tau), processors as u64);
            let time = choice.time(&graph, processors, tau);
            prop_assert!(time >= work.div_ceil(count) && time >= span);
            prop_assert!(time * count <= work + (count - 1) * span, "T = {time}, W = {work}, S = {span}, P = {count}");
            prop_assert_eq!(choice.time(&graph, 1, tau), work);
            prop_assert_eq!(choice.time(&graph, graph.forks() as usize + 1, tau), span);
        }
        Ok(())
    });
}
