//! Configurations `⟨c | σ | k⟩`, and the sequential transitions `m → m'` (section 3.2, figures 2 and 3).

use crate::expr::{Term, View};
use crate::stack::{Frame, Stack};
use crate::stop::Stop;
use crate::values::{Closure, Environment, Node, Store, ValueId};

/// `⟨c | σ | k⟩`.
#[derive(Clone, Debug)]
pub(crate) struct Configuration<'a> {
    pub(crate) code: Code<'a>,
    pub(crate) stack: Stack<'a>,
}

/// `c ::= e | v`, with the environment of an expression. That of a value is written − in the paper.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Code<'a> {
    Expression(Term<'a>, Environment),
    Value(ValueId),
}

impl<'a> Configuration<'a> {
    /// `⟨e | σ | TOP⟩`.
    pub(crate) fn new(term: Term<'a>, environment: Environment) -> Self {
        Configuration { code: Code::Expression(term, environment), stack: Stack::default() }
    }

    /// The branches and their environment, if its code is a parallel pair.
    pub(crate) fn pair(&self) -> Option<(Term<'a>, Term<'a>, Environment)> {
        match self.code {
            Code::Expression(term, environment) => match term.view() {
                View::Pair(left, right) => Some((left, right, environment)),
                _ => None,
            },
            Code::Value(_) => None,
        }
    }

    /// Does one transition. There is none for `⟨v | − | TOP⟩`, for which it returns the value.
    pub(crate) fn step(&mut self, store: &mut Store<'a>) -> Result<Option<ValueId>, Stop> {
        self.code = match self.code {
            Code::Expression(term, environment) => self.begin(term, environment, store)?,
            Code::Value(value) => match self.stack.pop() {
                Some(frame) => self.end(value, frame, store)?,
                None => return Ok(Some(value)),
            },
        };
        Ok(None)
    }

    /// The rules VAR, ABS, APPL and PAIRL, and those that begin a projection.
    fn begin(&mut self, term: Term<'a>, environment: Environment, store: &mut Store<'a>) -> Result<Code<'a>, Stop> {
        Ok(match term.view() {
            View::Var(x) => Code::Value(store.lookup(x, environment).ok_or(Stop::Unbound(x))?),
            View::Abs(parameter, body) => {
                Code::Value(store.add(Node::Closure(Closure { parameter, body, environment })))
            }
            View::App(function, argument) => self.push(Frame::AppL(argument, environment), function, environment),
            View::Pair(left, right) => self.push(Frame::PairL(right, environment), left, environment),
            View::Fst(pair) => self.push(Frame::Fst, pair, environment),
            View::Snd(pair) => self.push(Frame::Snd, pair, environment),
        })
    }

    /// The rules APPR, BODY, PAIRR and PAIR, and those that end a projection. The frame has been popped.
    fn end(&mut self, value: ValueId, frame: Frame<'a>, store: &mut Store<'a>) -> Result<Code<'a>, Stop> {
        let component = |choose: fn(ValueId, ValueId) -> ValueId, store: &Store<'a>| match store.value(value) {
            Node::Pair(left, right) => Ok(Code::Value(choose(left, right))),
            Node::Closure(_) => Err(Stop::NoPair),
        };
        match frame {
            Frame::AppL(argument, environment) => match store.value(value) {
                Node::Closure(function) => Ok(self.push(Frame::AppR(function), argument, environment)),
                Node::Pair(..) => Err(Stop::NoFunction),
            },
            Frame::AppR(Closure { parameter, body, environment }) => {
                Ok(Code::Expression(body, store.bind(parameter, value, environment)))
            }
            Frame::PairL(right, environment) => Ok(self.push(Frame::PairR(value), right, environment)),
            Frame::PairR(left) => Ok(Code::Value(store.add(Node::Pair(left, value)))),
            Frame::Fst => component(|left, _| left, store),
            Frame::Snd => component(|_, right| right, store),
        }
    }

    /// The code that is evaluated above a new frame.
    fn push(&mut self, frame: Frame<'a>, term: Term<'a>, environment: Environment) -> Code<'a> {
        self.stack.push(frame);
        Code::Expression(term, environment)
    }
}
