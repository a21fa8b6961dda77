//! Values and environments (section 3.2, figure 2).
//!
//! They refer to each other by their places in a store, which only grows. So values may be as deep as memory allows,
//! and a machine that is split does not copy them.

use crate::expr::{Expr, Term, Var};
use std::collections::HashSet;
use std::fmt::{self, Debug};
use std::rc::Rc;

/// The values and environments of an evaluation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Store<'a> {
    values: Vec<Node<'a>>,
    bindings: Vec<Binding>,
}

/// The place of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ValueId(usize);

/// `v ::= (v, v) | (λx.e){σ}`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Node<'a> {
    Pair(ValueId, ValueId),
    Closure(Closure<'a>),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Closure<'a> {
    pub(crate) parameter: Var,
    pub(crate) body: Term<'a>,
    pub(crate) environment: Environment,
}

/// An environment σ, by the place of its latest binding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Environment(Option<usize>);

/// `σ[x ↦ v]`.
#[derive(Clone, Copy, Debug)]
struct Binding {
    variable: Var,
    value: ValueId,
    rest: Environment,
}

impl<'a> Store<'a> {
    pub(crate) fn add(&mut self, value: Node<'a>) -> ValueId {
        self.values.push(value);
        ValueId(self.values.len() - 1)
    }

    pub(crate) fn value(&self, id: ValueId) -> Node<'a> {
        self.values[id.0]
    }

    /// `rest[variable ↦ value]`.
    pub(crate) fn bind(&mut self, variable: Var, value: ValueId, rest: Environment) -> Environment {
        self.bindings.push(Binding { variable, value, rest });
        Environment(Some(self.bindings.len() - 1))
    }

    /// `σ(x)`.
    pub(crate) fn lookup(&self, variable: Var, environment: Environment) -> Option<ValueId> {
        let found = self.chain(environment).find(|binding| binding.variable == variable);
        found.map(|binding| binding.value)
    }

    fn binding(&self, environment: Environment) -> Option<Binding> {
        environment.0.map(|place| self.bindings[place])
    }

    /// The bindings of an environment, the latest first.
    fn chain(&self, environment: Environment) -> impl Iterator<Item = Binding> {
        std::iter::successors(self.binding(environment), |binding| self.binding(binding.rest))
    }
}

/// The value that an evaluation has returned.
///
/// Two values are equal if they are pairs of equal values, or closures with the same abstraction and the same bindings
/// in the same order. They may come from different evaluations. A part that occurs many times in both is compared once.
#[derive(Clone)]
pub struct Value<'a> {
    store: Rc<Store<'a>>,
    id: ValueId,
}

impl<'a> Value<'a> {
    pub(crate) fn new(store: Rc<Store<'a>>, id: ValueId) -> Self {
        Value { store, id }
    }

    /// Both components, if it is a pair.
    ///
    /// # Examples
    ///
    /// ```
    /// use filch_model::{Expr, Machine, Semantics, Var};
    ///
    /// let identity = Expr::abs(Var(0), Var(0));
    /// let program = Expr::pair(identity.clone(), identity.clone());
    /// let value = Machine::new(&program).evaluate(Semantics::Parallel)?.value;
    /// let (left, right) = value.as_pair().expect("a pair evaluates to a pair");
    /// assert_eq!(left, right);
    /// assert_eq!(left.as_abstraction(), Some(identity));
    /// # Ok::<(), filch_model::Stop>(())
    /// ```
    pub fn as_pair(&self) -> Option<(Value<'a>, Value<'a>)> {
        let value = |id| Value::new(Rc::clone(&self.store), id);
        match self.store.value(self.id) {
            Node::Pair(left, right) => Some((value(left), value(right))),
            Node::Closure(_) => None,
        }
    }

    /// The abstraction of a closure, without its environment, if it is a closure. It is copied.
    pub fn as_abstraction(&self) -> Option<Expr> {
        match self.store.value(self.id) {
            Node::Pair(..) => None,
            Node::Closure(closure) => Some(Expr::abs(closure.parameter, closure.body.to_expr())),
        }
    }
}

impl PartialEq for Value<'_> {
    fn eq(&self, other: &Self) -> bool {
        Comparison::new(&self.store, &other.store).are_equal(self.id, other.id)
    }
}

impl Eq for Value<'_> {}

/// Shows the outermost part only: a value that shares its parts would fill pages.
impl Debug for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.store.value(self.id) {
            Node::Pair(..) => f.write_str("(…, …)"),
            Node::Closure(Closure { parameter, body, .. }) => write!(f, "(λ{parameter}.{body}){{…}}"),
        }
    }
}

/// Compares values of two stores. What has been met once is not looked at again.
struct Comparison<'s, 'a> {
    left: &'s Store<'a>,
    right: &'s Store<'a>,
    values: HashSet<(ValueId, ValueId)>,
    environments: HashSet<(Environment, Environment)>,
    rest: Vec<(ValueId, ValueId)>,
}

impl<'s, 'a> Comparison<'s, 'a> {
    fn new(left: &'s Store<'a>, right: &'s Store<'a>) -> Self {
        Comparison { left, right, values: HashSet::new(), environments: HashSet::new(), rest: Vec::new() }
    }

    fn are_equal(mut self, left: ValueId, right: ValueId) -> bool {
        self.rest.push((left, right));
        while let Some((left, right)) = self.rest.pop() {
            if self.values.insert((left, right)) && !self.is_same(left, right) {
                return false;
            }
        }
        true
    }

    /// Whether the outermost parts are the same. What is inside is left for later.
    fn is_same(&mut self, left: ValueId, right: ValueId) -> bool {
        match (self.left.value(left), self.right.value(right)) {
            (Node::Pair(a, b), Node::Pair(c, d)) => {
                self.rest.extend([(a, c), (b, d)]);
                true
            }
            (Node::Closure(left), Node::Closure(right)) => {
                (left.parameter, left.body) == (right.parameter, right.body)
                    && self.are_alike(left.environment, right.environment)
            }
            _ => false,
        }
    }

    /// Whether the environments bind the same variables. Their values are left for later.
    fn are_alike(&mut self, mut left: Environment, mut right: Environment) -> bool {
        while self.environments.insert((left, right)) {
            match (self.left.binding(left), self.right.binding(right)) {
                (Some(a), Some(b)) if a.variable == b.variable => {
                    self.rest.push((a.value, b.value));
                    (left, right) = (a.rest, b.rest);
                }
                (None, None) => break,
                _ => return false,
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A store with the closure of `λx0.x0` in an environment with these bindings, each to the closure before it.
    fn closure(bindings: &[u32]) -> Value<'static> {
        let identity: &'static Expr = Box::leak(Box::new(Expr::from(Var(0))));
        let (mut store, mut environment) = (Store::default(), Environment::default());
        let of = |environment| Node::Closure(Closure { parameter: Var(0), body: identity.term(), environment });
        let mut id = store.add(of(environment));
        for &number in bindings {
            environment = store.bind(Var(number), id, environment);
            id = store.add(of(environment));
        }
        Value::new(Rc::new(store), id)
    }

    #[test]
    fn closures_are_equal_if_their_environments_are() {
        assert_eq!(closure(&[]), closure(&[]));
        assert_eq!(closure(&[1, 2, 1]), closure(&[1, 2, 1]));
        for other in [&[][..], &[1], &[2, 1, 1], &[1, 2, 1, 1]] {
            assert_ne!(closure(&[1, 2, 1]), closure(other));
        }
    }

    #[test]
    fn pairs_that_share_both_sides_are_compared_in_linear_time() {
        let shared = |depth| {
            let value = closure(&[1]);
            let (mut store, mut id) = (Rc::unwrap_or_clone(value.store), value.id);
            for _ in 0..depth {
                id = store.add(Node::Pair(id, id));
            }
            Value::new(Rc::new(store), id)
        };
        assert_eq!(shared(10_000), shared(10_000), "2^10000 leaves when written out");
        assert_ne!(shared(10_000), shared(9_999));
    }

    #[test]
    fn the_latest_binding_of_a_variable_is_the_one_that_counts() {
        let (mut store, empty) = (Store::default(), Environment::default());
        let [a, b] = [ValueId(7), ValueId(8)];
        let once = store.bind(Var(0), a, empty);
        let twice = store.bind(Var(0), b, once);
        assert_eq!((store.lookup(Var(0), once), store.lookup(Var(0), twice)), (Some(a), Some(b)));
        assert_eq!((store.lookup(Var(1), twice), store.lookup(Var(0), empty)), (None, None));
    }
}
