//! Random expressions of the whole language, with functions that take and return functions and pairs.
//!
//! They are simply typed, so they are not stuck, and they terminate. A list of random numbers decides what is made, and
//! where it has ended, the smallest expression is. So a shorter list with smaller numbers makes a smaller program.

use filch_model::{Expr, Var};
use proptest::collection::vec;
use proptest::prelude::*;
use std::rc::Rc;

pub(crate) fn typed() -> impl Strategy<Value = Expr> {
    vec(any::<u8>(), 0..600).prop_map(|choices| {
        let mut maker = Maker { choices: choices.into_iter(), variables: Vec::new() };
        let kind = maker.kind(4);
        maker.expr(&kind)
    })
}

/// A simple type. Constants are closures that nobody calls, of which there are a few different ones.
#[derive(Clone, PartialEq)]
enum Kind {
    Constant,
    Pair(Rc<Kind>, Rc<Kind>),
    Function(Rc<Kind>, Rc<Kind>),
}

struct Maker {
    choices: std::vec::IntoIter<u8>,
    /// The latest binding is the last.
    variables: Vec<(Var, Kind)>,
}

impl Maker {
    /// A number below a bound, and 0 where the choices have ended.
    fn choose(&mut self, below: usize) -> usize {
        self.choices.next().map_or(0, |choice| choice as usize % below)
    }

    fn kind(&mut self, depth: usize) -> Kind {
        let part = |maker: &mut Self| Rc::new(maker.kind(depth - 1));
        match if depth == 0 { 0 } else { self.choose(6) } {
            0 => Kind::Constant,
            1 => Kind::Function(part(self), part(self)),
            _ => Kind::Pair(part(self), part(self)),
        }
    }

    fn expr(&mut self, kind: &Kind) -> Expr {
        match self.choose(10) {
            0 | 1 => self.introduction(kind),
            2 => match self.variable(|found| found == kind) {
                Some((variable, _)) => variable.into(),
                None => self.introduction(kind),
            },
            3..=5 => {
                let bound = self.kind(3);
                let (variable, value) = (self.name(), self.expr(&bound));
                Expr::bind(variable, value, self.under(variable, &bound, kind))
            }
            6 => Expr::fst(self.pair(kind, true)),
            7 => Expr::snd(self.pair(kind, false)),
            _ => self.call(kind),
        }
    }

    /// Something that needs no other value of this kind.
    fn introduction(&mut self, kind: &Kind) -> Expr {
        match kind {
            Kind::Constant => {
                let (x, y) = (Var(0), Var(1));
                match self.choose(3) {
                    0 => Expr::abs(x, x),
                    1 => Expr::abs(x, Expr::abs(y, x)),
                    _ => Expr::abs(x, Expr::abs(y, y)),
                }
            }
            Kind::Pair(left, right) => Expr::pair(self.expr(left), self.expr(right)),
            Kind::Function(parameter, result) => {
                let variable = self.name();
                Expr::abs(variable, self.under(variable, parameter, result))
            }
        }
    }

    /// A pair that has a component of this kind.
    fn pair(&mut self, kind: &Kind, is_left: bool) -> Expr {
        let has_it = |found: &Kind| match found {
            Kind::Pair(left, right) => **(if is_left { left } else { right }) == *kind,
            _ => false,
        };
        if let Some((variable, _)) = self.variable(has_it) {
            return variable.into();
        }
        let (kind, other) = (Rc::new(kind.clone()), Rc::new(self.kind(1)));
        self.expr(&if is_left { Kind::Pair(kind, other) } else { Kind::Pair(other, kind) })
    }

    /// A call whose result is of this kind.
    fn call(&mut self, kind: &Kind) -> Expr {
        let returns_it = |found: &Kind| matches!(found, Kind::Function(_, result) if **result == *kind);
        if let Some((function, Kind::Function(parameter, _))) = self.variable(returns_it) {
            return Expr::app(function, self.expr(&parameter));
        }
        let parameter = self.kind(2);
        let function = self.expr(&Kind::Function(Rc::new(parameter.clone()), Rc::new(kind.clone())));
        Expr::app(function, self.expr(&parameter))
    }

    /// An expression in which one more variable is bound.
    fn under(&mut self, variable: Var, bound: &Kind, kind: &Kind) -> Expr {
        self.variables.push((variable, bound.clone()));
        let body = self.expr(kind);
        self.variables.pop();
        body
    }

    /// One of the variables for which this is true, and its kind. Those that are hidden by a later one are left out.
    fn variable(&mut self, is_wanted: impl Fn(&Kind) -> bool) -> Option<(Var, Kind)> {
        let is_visible = |place: usize| {
            let (variable, _) = self.variables[place];
            self.variables[place + 1..].iter().all(|&(later, _)| later != variable)
        };
        let places = (0..self.variables.len()).rev();
        let found: Vec<usize> =
            places.filter(|&place| is_wanted(&self.variables[place].1) && is_visible(place)).collect();
        let place = if found.is_empty() { None } else { Some(found[self.choose(found.len())]) };
        place.map(|place| self.variables[place].clone())
    }

    /// A name for a variable, often one that hides another.
    fn name(&mut self) -> Var {
        Var(self.choose(8) as u32)
    }
}
