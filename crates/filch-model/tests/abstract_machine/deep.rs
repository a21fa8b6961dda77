//! Programs that are deeper than a native stack: nothing recurses on it.

use crate::programs::wait;
use filch_model::{Bounds, Expr, Heartbeat, Machine, Promotion, Semantics, Var};

const DEPTH: usize = 100_000;

fn check(program: &Expr, tau: u64) {
    let evaluate = |semantics: Semantics| Machine::new(program).evaluate(semantics).expect("a value");
    let sequential = evaluate(Semantics::Sequential);
    let parallel = evaluate(Semantics::Parallel);
    for period in [1, 30, 1_000, 1 << 40] {
        let heartbeat = evaluate(Heartbeat::every(period).into());
        assert!(heartbeat.value == sequential.value && heartbeat.value == parallel.value);
        let bounds = Bounds::new(period, tau);
        assert!(bounds.work(sequential.graph.vertices()).admits(heartbeat.graph.work(tau)));
        assert!(bounds.span(parallel.graph.span(tau)).admits(heartbeat.graph.span(tau)));
        assert_eq!(heartbeat.graph.greedy_time(1, tau, |ready| ready - 1), heartbeat.graph.work(tau));
    }
}

#[test]
fn nests_of_pairs_may_be_very_deep() {
    for nest in [Expr::left_nest, Expr::right_nest] {
        let program = nest(vec![wait(0); DEPTH]);
        check(&program, 50);
        assert!(program.to_string().len() > DEPTH);
    }
}

#[test]
fn calls_may_be_very_deep() {
    // (λx.(λx.… x) x) and so on, whose functions are nested; and (λx.x (λx.x …)), whose arguments are.
    let x = Var(0);
    let functions = (0..DEPTH).fold(wait(0), |function, _| Expr::app(function, Expr::abs(x, x)));
    let outcome = Machine::new(&functions).evaluate(Semantics::Sequential);
    assert!(outcome.is_ok());
    check(&(0..DEPTH).fold(wait(0), |pair, _| Expr::fst(Expr::pair(pair, wait(0)))), 50);
}

#[test]
fn a_wrong_promotion_does_not_recurse_either() {
    let program = Expr::left_nest(vec![wait(0); DEPTH]);
    for promotion in [Promotion::Youngest, Promotion::AtOnce, Promotion::Unpaid] {
        let evaluation = Machine::new(&program).evaluate(Heartbeat::every(3).with_promotion(promotion));
        assert!(evaluation.is_ok());
    }
}
