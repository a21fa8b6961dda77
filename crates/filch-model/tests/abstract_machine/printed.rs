//! The figures of the paper, rule by rule, as they are printed: big steps are recursive calls, a stack is searched from
//! end to end, and costs are added up as figure 1 says. The machine of the crate must agree with it on every program.

use crate::programs::{holds_for_all, magnitudes, programs};
use filch_model::{CostGraph, Expr, Heartbeat, Machine, Semantics, Term, Value, Var, View};
use proptest::prelude::*;
use std::rc::Rc;

#[derive(Clone)]
enum Val<'a> {
    Pair(Rc<Val<'a>>, Rc<Val<'a>>),
    Closure(Var, Term<'a>, Env<'a>),
}

/// A finite map, as a list in which the latest binding comes first.
type Env<'a> = Option<Rc<Binding<'a>>>;

struct Binding<'a>(Var, Val<'a>, Env<'a>);

#[derive(Clone)]
enum Frame<'a> {
    AppL(Term<'a>, Env<'a>),
    AppR(Val<'a>),
    PairL(Term<'a>, Env<'a>),
    PairR(Val<'a>),
    Fst,
    Snd,
}

/// The last frame is on top.
type Stack<'a> = Vec<Frame<'a>>;

enum Code<'a> {
    Expr(Term<'a>, Env<'a>),
    Val(Val<'a>),
}

/// `⟨c | σ | k⟩`.
type Config<'a> = (Code<'a>, Stack<'a>);

/// Work and span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cost(u64, u64);

impl Cost {
    const ZERO: Cost = Cost(0, 0);
    const ONE: Cost = Cost(1, 1);

    fn then(self, next: Cost) -> Cost {
        Cost(self.0 + next.0, self.1 + next.1)
    }

    fn beside(self, other: Cost, tau: u64) -> Cost {
        Cost(tau + self.0 + other.0, tau + self.1.max(other.1))
    }
}

fn bound_to<'a>(x: Var, environment: &Env<'a>) -> Val<'a> {
    let Binding(variable, value, rest) = &**environment.as_ref().expect("a closed program");
    if *variable == x { value.clone() } else { bound_to(x, rest) }
}

/// Figure 3: `m → m'`.
fn next<'a>((code, mut k): Config<'a>) -> Config<'a> {
    let code = match code {
        Code::Expr(e, s) => match e.view() {
            View::Var(x) => Code::Val(bound_to(x, &s)),
            View::Abs(x, body) => Code::Val(Val::Closure(x, body, s)),
            View::App(e1, e2) => {
                k.push(Frame::AppL(e2, s.clone()));
                Code::Expr(e1, s)
            }
            View::Pair(e1, e2) => {
                k.push(Frame::PairL(e2, s.clone()));
                Code::Expr(e1, s)
            }
            View::Fst(e) => {
                k.push(Frame::Fst);
                Code::Expr(e, s)
            }
            View::Snd(e) => {
                k.push(Frame::Snd);
                Code::Expr(e, s)
            }
        },
        Code::Val(v) => match (k.pop().expect("a frame"), v) {
            (Frame::AppL(e2, s), closure) => {
                k.push(Frame::AppR(closure));
                Code::Expr(e2, s)
            }
            (Frame::AppR(Val::Closure(x, body, s)), v) => Code::Expr(body, Some(Rc::new(Binding(x, v, s)))),
            (Frame::PairL(e2, s), v1) => {
                k.push(Frame::PairR(v1));
                Code::Expr(e2, s)
            }
            (Frame::PairR(v1), v2) => Code::Val(Val::Pair(Rc::new(v1), Rc::new(v2))),
            (Frame::Fst, Val::Pair(v1, _)) => Code::Val((*v1).clone()),
            (Frame::Snd, Val::Pair(_, v2)) => Code::Val((*v2).clone()),
            _ => panic!("the program is stuck"),
        },
    };
    (code, k)
}

/// Figure 4.
fn sequential<'a>(mut m: Config<'a>) -> (Val<'a>, Cost) {
    let mut cost = Cost::ZERO;
    loop {
        m = match m {
            (Code::Val(v), k) if k.is_empty() => return (v, cost),
            m => next(m),
        };
        cost = cost.then(Cost::ONE);
    }
}

/// Figure 5.
fn parallel<'a>(mut m: Config<'a>, tau: u64) -> (Val<'a>, Cost) {
    let mut cost = Cost::ZERO;
    loop {
        m = match m {
            (Code::Val(v), k) if k.is_empty() => return (v, cost),
            (Code::Expr(e, s), k) if matches!(e.view(), View::Pair(..)) => {
                let View::Pair(e1, e2) = e.view() else { unreachable!() };
                let (v1, g1) = parallel((Code::Expr(e1, s.clone()), Vec::new()), tau);
                let (v2, g2) = parallel((Code::Expr(e2, s), Vec::new()), tau);
                cost = cost.then(g1.beside(g2, tau));
                (Code::Val(Val::Pair(Rc::new(v1), Rc::new(v2))), k)
            }
            m => {
                cost = cost.then(Cost::ONE);
                next(m)
            }
        };
    }
}

fn promotable(k: &[Frame<'_>]) -> bool {
    k.iter().any(|frame| matches!(frame, Frame::PairL(..)))
}

/// Figure 6, for N = `period`.
fn heartbeat<'a>(mut m: Config<'a>, mut n: u64, period: u64, tau: u64) -> (Val<'a>, Cost) {
    let mut cost = Cost::ZERO;
    loop {
        m = match m {
            (Code::Val(v), k) if k.is_empty() => return (v, cost),
            (c, k) if n < period || !promotable(&k) => {
                (cost, n) = (cost.then(Cost::ONE), n + 1);
                next((c, k))
            }
            (c, k) => {
                let splits = (0..k.len()).filter(|&place| matches!(k[place], Frame::PairL(..)));
                let place = splits.into_iter().find(|&place| !promotable(&k[..place])).expect("promotable");
                let (k1, k2) = (k[place + 1..].to_vec(), k[..place].to_vec());
                let Frame::PairL(e2, s) = k[place].clone() else { unreachable!() };
                let (v1, g1) = heartbeat((c, k1), 0, period, tau);
                let (v2, g2) = heartbeat((Code::Expr(e2, s), Vec::new()), 0, period, tau);
                (cost, n) = (cost.then(g1.beside(g2, tau)), 0);
                (Code::Val(Val::Pair(Rc::new(v1), Rc::new(v2))), k2)
            }
        };
    }
}

/// Whether the values are the same as far as a user sees them, but for so many parts at most.
fn is_same(expected: &Val<'_>, found: &Value<'_>, parts: &mut u32) -> bool {
    *parts = parts.saturating_sub(1);
    match expected {
        _ if *parts == 0 => true,
        Val::Pair(v1, v2) => {
            found.as_pair().is_some_and(|(left, right)| is_same(v1, &left, parts) && is_same(v2, &right, parts))
        }
        Val::Closure(x, body, _) => found.as_abstraction() == Some(Expr::abs(*x, body.to_expr())),
    }
}

#[test]
fn the_machine_does_what_the_figures_say() {
    holds_for_all((programs(), magnitudes(), magnitudes(), 0_u64..200), |(program, period, tau, n)| {
        let start = || (Code::Expr(program.term(), None), Vec::new());
        let check = |(value, cost): (Val<'_>, Cost), semantics: Semantics| {
            let found = Machine::new(&program).evaluate(semantics).expect("a typed program has a value");
            let cost_of = |graph: &CostGraph| Cost(graph.work(tau), graph.span(tau));
            prop_assert_eq!(cost, cost_of(&found.graph), "{:?}", semantics);
            prop_assert!(is_same(&value, &found.value, &mut 10_000), "{:?}", semantics);
            Ok(())
        };
        check(sequential(start()), Semantics::Sequential)?;
        check(parallel(start(), tau), Semantics::Parallel)?;
        check(heartbeat(start(), n, period, tau), Heartbeat::every(period).with_credits(n).into())
    });
}
