//! Each rule by itself: values and costs of small programs, counted by hand.

use filch_model::{Expr, Heartbeat, Machine, Semantics, Stop, Var};

const X: Var = Var(0);
const Y: Var = Var(1);

fn identity() -> Expr {
    Expr::abs(X, X)
}

/// Work and span with τ = 1000.
fn costs(program: &Expr, semantics: impl Into<Semantics>) -> (u64, u64) {
    let graph = Machine::new(program).evaluate(semantics).expect("a value").graph;
    (graph.work(1_000), graph.span(1_000))
}

#[test]
fn each_sequential_rule_is_one_transition() {
    let transitions = |program: Expr| costs(&program, Semantics::Sequential).0;
    assert_eq!(transitions(identity()), 1, "ABS");
    assert_eq!(transitions(Expr::app(identity(), identity())), 6, "APPL, ABS, APPR, ABS, BODY, VAR");
    assert_eq!(transitions(Expr::pair(identity(), identity())), 5, "PAIRL, ABS, PAIRR, ABS, PAIR");
    assert_eq!(transitions(Expr::fst(Expr::pair(identity(), identity()))), 7, "fst, a pair, and its first component");
    assert_eq!(transitions(Expr::snd(Expr::pair(identity(), identity()))), 7, "snd, a pair, and its second component");
}

#[test]
fn a_parallel_pair_costs_tau_and_its_branches() {
    // ABS beside the six transitions of an application.
    let program = Expr::pair(identity(), Expr::app(identity(), identity()));
    assert_eq!(costs(&program, Semantics::Parallel), (1_000 + 1 + 6, 1_000 + 6));
    // What comes after a pair comes after the join: APPL, ABS, APPR, the pair, BODY, VAR.
    let program = Expr::app(identity(), program);
    assert_eq!(costs(&program, Semantics::Parallel), (5 + 1_000 + 7, 5 + 1_000 + 6));
}

#[test]
fn a_pair_is_promoted_once_there_are_n_credits_and_not_before() {
    let program = Expr::pair(identity(), identity());
    assert_eq!(costs(&program, Heartbeat::every(1)), (1 + 1_000 + 2, 1 + 1_000 + 1), "after PAIRL");
    assert_eq!(costs(&program, Heartbeat::every(2)), (2 + 1_000 + 1, 2 + 1_000 + 1), "when the left branch has ended");
    assert_eq!(costs(&program, Heartbeat::every(3)), (5, 5), "PAIRR is not promotable");
    assert_eq!(costs(&program, Heartbeat::every(3).with_credits(1)), (2 + 1_000 + 1, 2 + 1_000 + 1));
    assert_eq!(costs(&program, Heartbeat::every(3).with_credits(99)), (1 + 1_000 + 2, 1 + 1_000 + 1));
}

#[test]
fn the_oldest_pair_is_promoted_and_all_three_machines_begin_without_credits() {
    // ((ABS || ABS) || six transitions).
    let program = Expr::pair(Expr::pair(identity(), identity()), Expr::app(identity(), identity()));
    // PAIRL, PAIRL; the outer pair is promoted; ABS, PAIRR, ABS, PAIR beside the six.
    assert_eq!(costs(&program, Heartbeat::every(2)), (2 + 1_000 + 4 + 6, 2 + 1_000 + 6));
    // PAIRL; the outer pair; (PAIRL; the inner pair; ABS beside ABS) beside the six.
    assert_eq!(costs(&program, Heartbeat::every(1)), (1 + 1_000 + (1 + 1_000 + 2) + 6, 1 + 1_000 + 1 + 1_000 + 1));
    // (ABS || (ABS || ABS)): the right branch is promoted, and its pair needs two credits of its own.
    let program = Expr::pair(identity(), Expr::pair(identity(), identity()));
    assert_eq!(costs(&program, Heartbeat::every(2)).1, 2 + 1_000 + (2 + 1_000 + 1));
    // (let x = (ABS || ABS) in (ABS || ABS)): what comes after the join needs two credits, too. APPL, ABS, APPR; PAIRL,
    // the first pair is promoted at once, ABS beside ABS; BODY, PAIRL, the second pair is promoted, ABS beside ABS.
    let program = Expr::bind(X, Expr::pair(identity(), identity()), Expr::pair(identity(), identity()));
    assert_eq!(costs(&program, Heartbeat::every(2)).0, 4 + (1_000 + 2) + 2 + (1_000 + 2));
    assert_eq!(costs(&program, Heartbeat::every(3)).0, 4 + (1_000 + 2) + 2 + 1 + 1_000 + 1);
    assert_eq!(costs(&program, Heartbeat::every(4)).0, 4 + (1_000 + 2) + 1 + 5);
}

#[test]
fn church_numerals_add_up() {
    let (f, z) = (Var(2), Var(3));
    let numeral = |n| Expr::abs(f, Expr::abs(z, (0..n).fold(z.into(), |sum, _| Expr::app(f, sum))));
    let (a, b) = (Var(4), Var(5));
    let apply = |numeral: Var| Expr::app(numeral, f);
    let sum = Expr::abs(f, Expr::abs(z, Expr::app(apply(a), Expr::app(apply(b), z))));
    let plus = |left, right| Expr::bind(a, left, Expr::bind(b, right, sum.clone()));
    // Counts in nested pairs: from y to (y || y).
    let count = |numeral| Expr::app(Expr::app(numeral, Expr::abs(Y, Expr::pair(Y, Y))), identity());
    let (five, seven) = (count(plus(numeral(2), numeral(3))), count(plus(numeral(3), numeral(4))));
    for semantics in [Semantics::Sequential, Semantics::Parallel, Heartbeat::every(3).into()] {
        let value = |program| Machine::new(program).evaluate(semantics).expect("a value").value;
        let depth = |program| std::iter::successors(Some(value(program)), |v| Some(v.as_pair()?.0)).count() - 1;
        assert_eq!((depth(&five), depth(&seven)), (5, 7));
    }
}

#[test]
fn what_has_no_value_is_an_error() {
    let pair = || Expr::pair(identity(), identity());
    let omega = || Expr::app(Expr::abs(X, Expr::app(X, X)), Expr::abs(X, Expr::app(X, X)));
    for (program, stop) in [
        (Expr::abs(X, Y), None),
        (Expr::pair(X, identity()), Some(Stop::Unbound(X))),
        (Expr::app(pair(), identity()), Some(Stop::NoFunction)),
        (Expr::fst(identity()), Some(Stop::NoPair)),
        (Expr::snd(identity()), Some(Stop::NoPair)),
        (Expr::pair(identity(), omega()), Some(Stop::Endless(10_000_000))),
    ] {
        for semantics in [Semantics::Sequential, Semantics::Parallel, Heartbeat::every(1).into()] {
            assert_eq!(Machine::new(&program).evaluate(semantics).err(), stop, "{program}");
        }
    }
}

#[test]
fn an_evaluation_may_take_exactly_as_many_transitions_as_it_needs() {
    let program = Expr::pair(identity(), identity());
    let within = |transitions| Machine::new(&program).evaluate_within(transitions, Semantics::Sequential).err();
    assert_eq!((within(5), within(4)), (None, Some(Stop::Endless(4))));
}
