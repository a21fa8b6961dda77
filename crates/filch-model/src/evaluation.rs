//! Evaluation to a value and a cost graph: the judgments `m ⇒ v; g` of the three semantics (figures 4 to 6).
//!
//! The rules are in big-step style: their premises are evaluations themselves. Here a list of what waits for the values
//! of premises takes the place of recursion, so derivations may be as deep as memory allows.

use crate::configuration::{Code, Configuration};
use crate::cost::{CostGraph, Recorder};
use crate::expr::Expr;
use crate::semantics::{Counted, Semantics, Split};
use crate::stack::Stack;
use crate::stop::Stop;
use crate::values::{Environment, Node, Store, Value, ValueId};
use std::rc::Rc;

/// How many transitions an evaluation does before it is taken to be endless, unless something else is said.
const MAX_TRANSITIONS: u64 = 10_000_000;

/// An abstract machine: a configuration `⟨c | σ | k⟩`, and the values that it refers to.
///
/// # Examples
///
/// ```
/// use filch_model::{Expr, Heartbeat, Machine, Semantics, Var};
///
/// let x = Var(0);
/// let wait = |transitions| (0..transitions / 5).fold(Expr::abs(x, x), |body, _| Expr::bind(x, Expr::abs(x, x), body));
/// let program = Expr::pair(wait(1000), wait(1000));
/// let evaluate = |semantics: Semantics| Machine::new(&program).evaluate(semantics);
///
/// let sequential = evaluate(Semantics::Sequential)?;
/// let parallel = evaluate(Semantics::Parallel)?;
/// let heartbeat = evaluate(Heartbeat::every(20).into())?;
/// assert_eq!(heartbeat.value, sequential.value);
/// assert_eq!(heartbeat.value, parallel.value);
///
/// // PAIRL, a branch, PAIRR, the other branch, PAIR.
/// let tau = 10;
/// assert_eq!(sequential.graph.work(tau), 1 + 1001 + 1 + 1001 + 1);
/// assert_eq!(parallel.graph.span(tau), tau + 1001);
/// // 20 transitions, one of which is PAIRL; then the rest of the left branch beside the right one.
/// assert_eq!(heartbeat.graph.span(tau), 20 + tau + 1001);
/// # Ok::<(), filch_model::Stop>(())
/// ```
#[derive(Clone, Debug)]
pub struct Machine<'a> {
    store: Store<'a>,
    configuration: Configuration<'a>,
}

/// What an evaluation returns: `v; g`.
#[derive(Clone, Debug)]
pub struct Evaluation<'a> {
    /// The value.
    pub value: Value<'a>,
    /// What it cost.
    pub graph: CostGraph,
}

impl<'a> Machine<'a> {
    /// The machine that begins a closed program, `⟨e | ∅ | TOP⟩`.
    pub fn new(program: &'a Expr) -> Self {
        let configuration = Configuration::new(program.term(), Environment::default());
        Machine { store: Store::default(), configuration }
    }

    /// Does one sequential transition (figure 3). Returns false if there is none: the machine has a value.
    ///
    /// # Errors
    ///
    /// If the program is stuck. The machine is of no use then.
    pub fn step(&mut self) -> Result<bool, Stop> {
        self.configuration.step(&mut self.store).map(|value| value.is_none())
    }

    /// `promotable(k)`: whether there is a pair on the stack whose left branch is being evaluated.
    pub fn is_promotable(&self) -> bool {
        self.configuration.stack.is_promotable()
    }

    /// Evaluates it.
    ///
    /// # Errors
    ///
    /// If the program is stuck, or has no value after ten million transitions.
    pub fn evaluate(self, semantics: impl Into<Semantics>) -> Result<Evaluation<'a>, Stop> {
        self.evaluate_within(MAX_TRANSITIONS, semantics)
    }

    /// Evaluates it in so many transitions at most.
    ///
    /// # Errors
    ///
    /// If the program is stuck, or has no value by then.
    pub fn evaluate_within(
        self,
        max_transitions: u64,
        semantics: impl Into<Semantics>,
    ) -> Result<Evaluation<'a>, Stop> {
        let Machine { mut store, configuration } = self;
        let (value, graph) = derive(&mut store, configuration, semantics.into(), max_transitions)?;
        Ok(Evaluation { value: Value::new(Rc::new(store), value), graph })
    }
}

/// A rule with three premises, one or two of which are still to be evaluated.
enum Waiting<'a> {
    /// For the value of the left branch.
    Left(Split<'a>),
    /// For the value of the right branch. The left one has a value.
    Right { left: ValueId, rest: Stack<'a>, rest_credits: u64 },
}

fn derive<'a>(
    store: &mut Store<'a>,
    machine: Configuration<'a>,
    semantics: Semantics,
    max_transitions: u64,
) -> Result<(ValueId, CostGraph), Stop> {
    let mut counted = Counted { machine, credits: semantics.credits() };
    let (mut waiting, mut graph, mut transitions) = (Vec::new(), Recorder::new(), 0);
    loop {
        if let Some(split) = semantics.split(&mut counted, transitions) {
            waiting.push(Waiting::Left(split));
            graph.begin_branch();
            continue;
        }
        let Some(value) = counted.machine.step(store)? else {
            if transitions == max_transitions {
                return Err(Stop::Endless(max_transitions));
            }
            transitions += 1;
            counted.credits += 1;
            graph.vertex();
            continue;
        };
        match waiting.pop() {
            Some(Waiting::Left(Split { right, rest, rest_credits })) => {
                waiting.push(Waiting::Right { left: value, rest, rest_credits });
                graph.begin_branch();
                counted = right;
            }
            Some(Waiting::Right { left, rest: stack, rest_credits: credits }) => {
                graph.join();
                let code = Code::Value(store.add(Node::Pair(left, value)));
                counted = Counted { machine: Configuration { code, stack }, credits };
            }
            None => return Ok((value, graph.finish())),
        }
    }
}
