//! Programs by the shape of their parallelism, whose functions and values do not matter.

use filch_model::{Expr, Var};
use proptest::collection::vec;
use proptest::prelude::*;
use std::sync::Arc;

/// What a program does.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    /// Nothing, for a while.
    Wait(u64),
    /// Both, as a parallel pair.
    Pair(Arc<Shape>, Arc<Shape>),
    /// One and then the other.
    Then(Arc<Shape>, Arc<Shape>),
    /// A function that does it is called three times, twice of it in a pair.
    Calls(Arc<Shape>),
}

impl Shape {
    pub(crate) fn to_expr(&self) -> Expr {
        let (f, x) = (Var(0), Var(1));
        match self {
            Shape::Wait(steps) => wait(*steps),
            Shape::Pair(left, right) => Expr::pair(left.to_expr(), right.to_expr()),
            Shape::Then(first, second) => Expr::bind(x, first.to_expr(), second.to_expr()),
            Shape::Calls(body) => {
                let call = || Expr::app(f, Expr::abs(x, x));
                let calls = Expr::fst(Expr::pair(Expr::snd(Expr::pair(call(), call())), call()));
                Expr::bind(f, Expr::abs(x, body.to_expr()), calls)
            }
        }
    }
}

/// A program of 1 transition and 5 more for each step, whose value is a closure.
pub(crate) fn wait(steps: u64) -> Expr {
    let x = Var(1);
    (0..steps).fold(Expr::abs(x, x), |body, _| Expr::bind(x, Expr::abs(x, x), body))
}

/// Steps of a wait: mostly few, at times hundreds of transitions.
fn steps() -> impl Strategy<Value = u64> {
    prop_oneof![4 => 0_u64..3, 3 => 0_u64..20, 1 => 0_u64..200]
}

fn branches(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Expr>> {
    vec(steps().prop_map(wait), count)
}

/// Any shape.
pub(crate) fn any() -> impl Strategy<Value = Shape> {
    steps().prop_map(Shape::Wait).prop_recursive(12, 100, 2, |inner| {
        let two = (inner.clone(), inner.clone()).prop_map(|(first, second)| (Arc::new(first), Arc::new(second)));
        prop_oneof![
            4 => two.clone().prop_map(|(left, right)| Shape::Pair(left, right)),
            2 => two.prop_map(|(first, second)| Shape::Then(first, second)),
            1 => inner.prop_map(|body| Shape::Calls(Arc::new(body))),
        ]
    })
}

pub(crate) fn left_nests() -> impl Strategy<Value = Expr> {
    branches(1..100).prop_map(Expr::left_nest)
}

pub(crate) fn right_nests() -> impl Strategy<Value = Expr> {
    branches(1..100).prop_map(Expr::right_nest)
}

pub(crate) fn balanced() -> impl Strategy<Value = Expr> {
    branches(1..100).prop_map(Expr::balanced)
}

/// Trees of which one side of a pair has more branches than the other, by a share that is the same everywhere.
pub(crate) fn skewed() -> impl Strategy<Value = Expr> {
    fn tree(branches: &[Expr], percent: usize) -> Expr {
        match branches {
            [branch] => branch.clone(),
            _ => {
                let count = (branches.len() * percent / 100).clamp(1, branches.len() - 1);
                let (left, right) = branches.split_at(count);
                Expr::pair(tree(left, percent), tree(right, percent))
            }
        }
    }
    (branches(1..100), 1_usize..100).prop_map(|(branches, percent)| tree(&branches, percent))
}
