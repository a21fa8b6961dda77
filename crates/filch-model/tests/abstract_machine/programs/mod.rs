//! Random closed programs that terminate, with periods N and costs τ to try them with.

mod shapes;
mod terms;

pub(crate) use shapes::wait;

use filch_model::{Expr, Machine, Semantics};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestCaseResult, TestError, TestRunner};
use std::fmt::{self, Debug};

/// Random programs that end within so many transitions. Few are longer.
const MAX_TRANSITIONS: u64 = 20_000;

/// How many programs a property of the paper is tried on, unless `PROPTEST_CASES` says more.
const PROGRAMS: u32 = 2_000;

/// A program and what to try it with.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) program: Expr,
    /// N.
    pub(crate) periods: Vec<u64>,
    /// τ.
    pub(crate) taus: Vec<u64>,
    /// n at the start.
    pub(crate) credits: u64,
}

impl Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Case { program, periods, taus, credits } = self;
        write!(f, "N in {periods:?}, τ in {taus:?}, n = {credits}, {program}")
    }
}

/// Programs of all kinds.
pub(crate) fn programs() -> impl Strategy<Value = Expr> {
    let programs = prop_oneof![
        2 => terms::typed(),
        2 => shapes::any().prop_map(|shape| shape.to_expr()),
        1 => shapes::left_nests(),
        1 => shapes::right_nests(),
        1 => shapes::balanced(),
        1 => shapes::skewed(),
    ];
    programs.prop_filter("too many transitions", |program| {
        Machine::new(program).evaluate_within(MAX_TRANSITIONS, Semantics::Sequential).is_ok()
    })
}

pub(crate) fn cases() -> impl Strategy<Value = Case> {
    (programs(), vec(magnitudes(), 1..4), vec(magnitudes(), 1..5), credits())
        .prop_map(|(program, periods, taus, credits)| Case { program, periods, taus, credits })
}

fn credits() -> impl Strategy<Value = u64> {
    prop_oneof![Just(0), 0_u64..200]
}

/// Numbers from 1 to 1000, each order of magnitude as likely as any other.
pub(crate) fn magnitudes() -> impl Strategy<Value = u64> {
    prop_oneof![1_u64..=3, 1_u64..=10, 1_u64..=100, 1_u64..=1_000]
}

/// Tries a property on so many random inputs, the same ones each time unless `PROPTEST_RNG_SEED` is set.
pub(crate) fn try_on<S: Strategy>(
    count: u32,
    inputs: S,
    property: impl Fn(S::Value) -> TestCaseResult,
) -> Result<(), TestError<S::Value>> {
    let mut config = Config { failure_persistence: None, ..Config::default() };
    config.cases = config.cases.max(count);
    if config.rng_seed == RngSeed::Random {
        config.rng_seed = RngSeed::Fixed(1);
    }
    TestRunner::new(config).run(&inputs, property)
}

/// Tries it on thousands of them. Panics with the smallest counterexample that is found.
pub(crate) fn holds_for_all<S: Strategy>(inputs: S, property: impl Fn(S::Value) -> TestCaseResult) {
    if let Err(error) = try_on(PROGRAMS, inputs, property) {
        panic!("{error}");
    }
}
