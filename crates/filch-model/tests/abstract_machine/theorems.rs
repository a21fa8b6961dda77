//! Theorems 1 to 3 of the paper (section 3.5) on random programs, with N and τ varied.
//!
//! Each is a function of the promotion, so that `mutants` can ask for the same with a wrong one.

use crate::programs::{Case, cases, holds_for_all, wait};
use filch_model::{Bound, Bounds, CostGraph, Evaluation, Expr, Heartbeat, Machine, Promotion, Semantics};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use std::cell::Cell;

pub(crate) fn evaluate<'a>(machine: &Machine<'a>, semantics: impl Into<Semantics>) -> Evaluation<'a> {
    machine.clone().evaluate(semantics).expect("a random program has a value")
}

/// The three semantics compute the same value.
pub(crate) fn theorem_1(machine: &Machine<'_>, case: &Case, promotion: Promotion) -> TestCaseResult {
    let value = evaluate(machine, Semantics::Sequential).value;
    prop_assert!(evaluate(machine, Semantics::Parallel).value == value);
    for heartbeat in heartbeats(case, promotion) {
        prop_assert!(evaluate(machine, heartbeat).value == value, "{heartbeat:?}");
    }
    Ok(())
}

/// work(g_h) ≤ (1 + τ/N)·work(g_s) + n·τ/N, with n credits at the start. The theorem has none; its proof has some.
pub(crate) fn theorem_2(machine: &Machine<'_>, case: &Case, promotion: Promotion) -> TestCaseResult {
    let sequential = evaluate(machine, Semantics::Sequential).graph.vertices();
    is_within(machine, case, promotion, |bounds, graph, tau| {
        (graph.work(tau), bounds.work_with_credits(sequential, case.credits))
    })
}

/// span(g_h) ≤ (1 + N/τ)·span(g_p), for a machine whose stack has no pair in it. Credits make no difference to that.
pub(crate) fn theorem_3(machine: &Machine<'_>, case: &Case, promotion: Promotion) -> TestCaseResult {
    let parallel = evaluate(machine, Semantics::Parallel).graph;
    is_within(machine, case, promotion, |bounds, graph, tau| (graph.span(tau), bounds.span(parallel.span(tau))))
}

/// Whether a cost is within its bound, for each N and τ of a case.
pub(crate) fn is_within(
    machine: &Machine<'_>,
    case: &Case,
    promotion: Promotion,
    cost: impl Fn(Bounds, &CostGraph, u64) -> (u64, Bound),
) -> TestCaseResult {
    for heartbeat in heartbeats(case, promotion) {
        let graph = evaluate(machine, heartbeat).graph;
        for &tau in &case.taus {
            let (cost, bound) = cost(Bounds::new(heartbeat.period(), tau), &graph, tau);
            prop_assert!(bound.admits(cost), "{cost} > {:.1}, τ = {tau}, {heartbeat:?}", bound.value());
        }
    }
    Ok(())
}

fn heartbeats(case: &Case, promotion: Promotion) -> impl Iterator<Item = Heartbeat> {
    let heartbeat = move |&period| Heartbeat::every(period).with_promotion(promotion).with_credits(case.credits);
    case.periods.iter().map(heartbeat)
}

#[test]
fn theorem_1_all_three_semantics_compute_the_same_value() {
    holds_for_all(cases(), |case| theorem_1(&Machine::new(&case.program), &case, Promotion::Oldest));
}

#[test]
fn theorem_2_the_work_is_at_most_1_plus_tau_by_n_times_the_sequential_work() {
    holds_for_all(cases(), |case| theorem_2(&Machine::new(&case.program), &case, Promotion::Oldest));
}

#[test]
fn theorem_3_the_span_is_at_most_1_plus_n_by_tau_times_the_parallel_span() {
    holds_for_all(cases(), |case| theorem_3(&Machine::new(&case.program), &case, Promotion::Oldest));
}

/// The theorems speak of any machine, not only of one that begins a program.
#[test]
fn they_hold_for_machines_in_the_middle_of_a_program() {
    holds_for_all((cases(), any::<prop::sample::Index>()), |(case, place)| {
        let transitions = evaluate(&Machine::new(&case.program), Semantics::Sequential).graph.vertices();
        let mut machine = Machine::new(&case.program);
        for _ in 0..place.index(transitions as usize + 1) {
            machine.step().expect("a random program is not stuck");
        }
        theorem_1(&machine, &case, Promotion::Oldest)?;
        theorem_2(&machine, &case, Promotion::Oldest)?;
        if machine.is_promotable() { Ok(()) } else { theorem_3(&machine, &case, Promotion::Oldest) }
    });
}

/// The parallel semantics goes on sequentially with a pair that it finds on the stack (rule PARSTEP), while heartbeat
/// scheduling promotes it and pays τ. So theorem 3 is about machines whose stack has none, like that of any program.
#[test]
fn the_span_bound_is_not_for_machines_that_begin_within_a_pair() {
    let (program, tau) = (Expr::pair(wait(0), wait(0)), 100);
    let mut machine = Machine::new(&program);
    assert_eq!((machine.step(), machine.is_promotable()), (Ok(true), true));
    let parallel = evaluate(&machine, Semantics::Parallel).graph.span(tau);
    let heartbeat = evaluate(&machine, Heartbeat::every(1)).graph.span(tau);
    assert_eq!((parallel, heartbeat), (4, 1 + tau + 1));
    assert!(!Bounds::new(1, tau).span(parallel).admits(heartbeat));
}

/// Bounds that are far from what happens would hold for many mistakes, too. Of the overhead that they allow beyond the
/// sequential work and the parallel span, some program has nearly all.
#[test]
fn the_bounds_are_nearly_reached() {
    let largest = [const { Cell::new(0.0) }; 2];
    holds_for_all(cases(), |case| {
        let machine = Machine::new(&case.program);
        let sequential = evaluate(&machine, Semantics::Sequential).graph.vertices();
        let parallel = evaluate(&machine, Semantics::Parallel).graph;
        for &period in &case.periods {
            let graph = evaluate(&machine, Heartbeat::every(period)).graph;
            for &tau in &case.taus {
                let (bounds, span) = (Bounds::new(period, tau), parallel.span(tau));
                let shares = [
                    share(graph.work(tau), sequential, bounds.work(sequential)),
                    share(graph.span(tau), span, bounds.span(span)),
                ];
                largest.iter().zip(shares).for_each(|(largest, share)| largest.set(share.max(largest.get())));
            }
        }
        Ok(())
    });
    let [work, span] = largest.map(Cell::into_inner);
    println!("{work:.4} of the overhead that theorem 2 allows, {span:.4} of what theorem 3 allows");
    assert!(work > 0.95 && span > 0.95);
}

/// How much of the allowed overhead there is.
fn share(cost: u64, without_overhead: u64, bound: Bound) -> f64 {
    (cost as f64 - without_overhead as f64) / (bound.value() - without_overhead as f64)
}
