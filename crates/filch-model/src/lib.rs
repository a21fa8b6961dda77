//! The abstract machine of heartbeat scheduling, as an executable model.
//!
//! The paper is Acar, Charguéraud, Guatto, Rainey and Sieczkowski 2018: Heartbeat scheduling, PLDI. Where the sources
//! of this crate name sections, figures, rules and theorems, they are those of that paper.
//!
//! A program is an expression of a λ-calculus with parallel pairs. It is evaluated sequentially, fully in parallel, or
//! by heartbeat scheduling, each time to a value and a cost graph. The tests compare these with the theorems, on random
//! programs, and show that mistakes in the rules break the theorems. `docs/abstract-machine.md` of the repository has
//! the rules and the results.
//!
//! ```
//! use filch_model::{Bounds, Expr, Heartbeat, Machine, Semantics, Var};
//!
//! // ((λx.x) || (λx.x)), three times beside itself.
//! let leaf = || Expr::abs(Var(0), Expr::from(Var(0)));
//! let program = Expr::balanced((0..4).map(|_| leaf()));
//! let evaluate = |semantics| Machine::new(&program).evaluate(semantics);
//! let in_order = evaluate(Semantics::Sequential)?;
//! let heartbeat = evaluate(Heartbeat::every(3).into())?;
//! assert!(heartbeat.value == in_order.value && heartbeat.graph.forks() > 0);
//! let bounds = Bounds::new(3, 1);
//! assert!(bounds.work(in_order.graph.vertices()).admits(heartbeat.graph.work(1)));
//! # Ok::<(), filch_model::Stop>(())
//! ```
//!
//! | | |
//! |---|---|
//! | programs | [`Expr`], [`Term`], [`View`], [`Var`] |
//! | machines, and how they are driven | [`Machine`], [`Semantics`], [`Heartbeat`], [`Promotion`] |
//! | what comes out | [`Evaluation`], [`Value`], [`Stop`] |
//! | what it costs, and what the theorems allow | [`CostGraph`], [`Bounds`], [`Bound`] |
//!
//! Nothing of the runtime is in here, and nothing here runs in parallel.

#![forbid(unsafe_code)]

// Programs.
mod expr;
mod text;

// The abstract machine.
mod configuration;
mod stack;
mod stop;
mod values;

// How it is driven.
mod evaluation;
mod promotion;
mod semantics;

// What that costs.
mod bounds;
mod cost;
mod schedule;

pub use bounds::{Bound, Bounds};
pub use cost::CostGraph;
pub use evaluation::{Evaluation, Machine};
pub use expr::{Expr, Term, Var, View};
pub use promotion::Promotion;
pub use semantics::{Heartbeat, Semantics};
pub use stop::Stop;
pub use values::Value;
