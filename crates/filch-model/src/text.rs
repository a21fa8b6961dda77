//! Expressions as text, in the notation of the paper.
//!
//! Applications and pairs stand in parentheses. A `λ`, `fst` or `snd` reaches to the end of the one term behind it.

use crate::expr::{Expr, Term, Var, View};
use std::fmt::{self, Debug, Display};

impl Display for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "x{}", self.0)
    }
}

impl Display for Term<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        enum Item<'a> {
            Term(Term<'a>),
            Text(&'static str),
        }
        let mut rest = vec![Item::Term(*self)];
        let both = |first, between, second| {
            [Item::Text(")"), Item::Term(second), Item::Text(between), Item::Term(first), Item::Text("(")]
        };
        while let Some(item) = rest.pop() {
            match item {
                Item::Text(text) => f.write_str(text)?,
                Item::Term(term) => match term.view() {
                    View::Var(x) => write!(f, "{x}")?,
                    View::Abs(x, body) => {
                        write!(f, "λ{x}.")?;
                        rest.push(Item::Term(body));
                    }
                    View::App(function, argument) => rest.extend(both(function, " ", argument)),
                    View::Pair(left, right) => rest.extend(both(left, " || ", right)),
                    View::Fst(pair) => rest.extend([Item::Term(pair), Item::Text("fst ")]),
                    View::Snd(pair) => rest.extend([Item::Term(pair), Item::Text("snd ")]),
                },
            }
        }
        Ok(())
    }
}

impl Debug for Term<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

impl Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.term(), f)
    }
}

impl Debug for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn the_text_has_as_many_parentheses_as_it_needs() {
        let (x, y) = (Var(0), Var(1));
        let expr = Expr::bind(x, Expr::snd(Expr::pair(y, x)), Expr::app(Expr::fst(x), Expr::abs(y, y)));
        assert_eq!(expr.to_string(), "(λx0.(fst x0 λx1.x1) snd (x1 || x0))");
    }
}
