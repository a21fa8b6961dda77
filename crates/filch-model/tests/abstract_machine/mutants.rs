//! Wrong promotions, which the theorems must tell from heartbeat scheduling. Each breaks a theorem on a program that is
//! known to be bad for it, and a search among random programs finds others.

use crate::processors::{bound_on_time, choices, processors};
use crate::programs::{Case, cases, try_on, wait};
use crate::theorems::{theorem_1, theorem_2, theorem_3};
use filch_model::{Expr, Machine, Promotion};
use proptest::test_runner::{TestCaseResult, TestError};
use std::fmt::Debug;

type Theorem = fn(&Machine<'_>, &Case, Promotion) -> TestCaseResult;

/// A wrong promotion.
struct Mutant {
    promotion: Promotion,
    /// The theorem that does not hold for it.
    breaks: Theorem,
    /// The other bound, which holds.
    keeps: Theorem,
    /// A program that shows it.
    witness: Case,
}

/// In how many programs a mutant must be found. The theorems themselves are tried on more.
const PROGRAMS: u32 = 300;

fn mutants() -> [Mutant; 6] {
    let (rarely, often) = (Promotion::WhenAsked { every: 1_000 }, Promotion::WhenAsked { every: 1 });
    let lazy = |promotion, program| {
        let witness = Case { program, periods: vec![20], taus: vec![20], credits: 0 };
        Mutant { promotion, breaks: theorem_3, keeps: theorem_2, witness }
    };
    let eager = |promotion| {
        let witness = Case { program: fine(), periods: vec![20], taus: vec![100], credits: 0 };
        Mutant { promotion, breaks: theorem_2, keeps: theorem_3, witness }
    };
    [
        lazy(Promotion::Youngest, leaning()),
        lazy(Promotion::Never, coarse()),
        lazy(rarely, coarse()),
        eager(often),
        eager(Promotion::AtOnce),
        eager(Promotion::Unpaid),
    ]
}

/// Little work for each fork, and much parallelism.
fn fine() -> Expr {
    Expr::balanced(vec![wait(0); 64])
}

/// Much work for each fork, and much parallelism.
fn coarse() -> Expr {
    Expr::balanced(vec![wait(200); 64])
}

/// Long right branches wait while younger pairs are there all the time.
fn leaning() -> Expr {
    Expr::left_nest(vec![wait(200); 64])
}

#[test]
fn each_breaks_its_theorem_on_a_known_program_where_the_paper_keeps_it() {
    for Mutant { promotion, breaks, keeps, witness } in mutants() {
        let machine = Machine::new(&witness.program);
        assert!(breaks(&machine, &witness, promotion).is_err(), "{promotion:?}");
        assert!(keeps(&machine, &witness, promotion).is_ok(), "{promotion:?}");
        for theorem in [theorem_1, theorem_2, theorem_3] {
            assert!(theorem(&machine, &witness, Promotion::Oldest).is_ok(), "{promotion:?}");
        }
    }
}

#[test]
fn each_is_found_by_the_tests_of_the_theorems() {
    for Mutant { promotion, breaks, .. } in mutants() {
        let found = try_on(PROGRAMS, cases(), |case| breaks(&Machine::new(&case.program), &case, promotion));
        check_is_found(promotion, found);
    }
}

#[test]
fn each_is_found_by_the_test_of_the_bound_for_p_processors() {
    for Mutant { promotion, .. } in mutants() {
        let found = try_on(PROGRAMS, (cases(), processors(), choices()), |(case, processors, choice)| {
            bound_on_time(&case, processors, choice, promotion)
        });
        check_is_found(promotion, found);
    }
}

fn check_is_found<T: Debug>(promotion: Promotion, found: Result<(), TestError<T>>) {
    match found {
        Err(TestError::Fail(reason, _smallest)) => println!("{promotion:?}: {}", reason.message()),
        _ => panic!("{promotion:?} is not found: {found:?}"),
    }
}

#[test]
fn none_changes_a_value_and_each_keeps_the_other_bound() {
    for Mutant { promotion, keeps, .. } in mutants() {
        let held = try_on(PROGRAMS, cases(), |case| {
            let machine = Machine::new(&case.program);
            theorem_1(&machine, &case, promotion)?;
            keeps(&machine, &case, promotion)
        });
        assert!(held.is_ok(), "{promotion:?}: {}", held.unwrap_err());
    }
}
