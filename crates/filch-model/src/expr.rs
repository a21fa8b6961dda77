//! Expressions (section 3.2, figure 2): a λ-calculus with parallel pairs.

/// A variable. It is written as `x` and its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(pub u32);

/// An expression, `e ::= x | λx.e | (e e) | (e || e) | fst e | snd e`.
///
/// A parallel pair `(e || e)` evaluates to the pair of the values of its branches, which may be evaluated in parallel.
/// The paper leaves the two projections out of its figures, "whose semantics is standard".
///
/// The nodes lie in one array, each behind its parts. So an expression may be as deep as memory allows: nothing here
/// recurses on the native stack. To combine two expressions costs a copy of the right one.
///
/// # Examples
///
/// ```
/// use filch_model::{Expr, Var};
///
/// let x = Var(0);
/// let twice = Expr::abs(x, Expr::pair(x, x));
/// let program = Expr::app(twice, Expr::abs(x, x));
/// assert_eq!(program.to_string(), "(λx0.(x0 || x0) λx0.x0)");
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Expr {
    nodes: Vec<Node>,
}

/// The last part of a node stands right before it. The first of two stands before the second, which has so many nodes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Node {
    Var(Var),
    Abs(Var),
    App { second: usize },
    Pair { second: usize },
    Fst,
    Snd,
}

impl From<Var> for Expr {
    fn from(x: Var) -> Self {
        Expr { nodes: vec![Node::Var(x)] }
    }
}

/// The constructors.
impl Expr {
    /// The abstraction `λx.body`.
    pub fn abs(x: Var, body: impl Into<Expr>) -> Self {
        body.into().under(Node::Abs(x))
    }

    /// The application `(function argument)`.
    pub fn app(function: impl Into<Expr>, argument: impl Into<Expr>) -> Self {
        function.into().and(argument.into(), |second| Node::App { second })
    }

    /// The parallel pair `(left || right)`.
    pub fn pair(left: impl Into<Expr>, right: impl Into<Expr>) -> Self {
        left.into().and(right.into(), |second| Node::Pair { second })
    }

    /// The first component of a pair.
    pub fn fst(pair: impl Into<Expr>) -> Self {
        pair.into().under(Node::Fst)
    }

    /// The second component of a pair.
    pub fn snd(pair: impl Into<Expr>) -> Self {
        pair.into().under(Node::Snd)
    }

    /// `let x = value in body`, which is short for `(λx.body value)`.
    pub fn bind(x: Var, value: impl Into<Expr>, body: impl Into<Expr>) -> Self {
        Expr::app(Expr::abs(x, body), value)
    }

    fn under(mut self, node: Node) -> Self {
        self.nodes.push(node);
        self
    }

    fn and(mut self, mut other: Expr, node: impl FnOnce(usize) -> Node) -> Self {
        let second = other.nodes.len();
        self.nodes.append(&mut other.nodes);
        self.under(node(second))
    }
}

/// Pairs of many branches.
impl Expr {
    /// The left nest `(((a || b) || c) || d)`, and a single branch as it is.
    ///
    /// # Panics
    ///
    /// If there are no branches.
    pub fn left_nest(branches: impl IntoIterator<Item = Expr>) -> Self {
        branches.into_iter().reduce(Expr::pair).expect("at least one branch")
    }

    /// The right nest `(a || (b || (c || d)))`, and a single branch as it is. The cost is linear in its size.
    ///
    /// # Panics
    ///
    /// If there are no branches.
    pub fn right_nest(branches: impl IntoIterator<Item = Expr>) -> Self {
        let (mut nodes, mut starts) = (Vec::new(), Vec::new());
        for mut branch in branches {
            starts.push(nodes.len());
            nodes.append(&mut branch.nodes);
        }
        let _first = starts.first().expect("at least one branch");
        for &start in starts[1..].iter().rev() {
            nodes.push(Node::Pair { second: nodes.len() - start });
        }
        Expr { nodes }
    }

    /// A tree of pairs in which the two sides of a pair have the same number of branches, or the left one has one more.
    ///
    /// # Panics
    ///
    /// If there are no branches.
    pub fn balanced(branches: impl IntoIterator<Item = Expr>) -> Self {
        let mut layer: Vec<Expr> = branches.into_iter().collect();
        fn tree(branches: &mut [Expr]) -> Expr {
            match branches {
                [] => panic!("at least one branch"),
                [branch] => Expr { nodes: std::mem::take(&mut branch.nodes) },
                _ => {
                    let (left, right) = branches.split_at_mut(branches.len().div_ceil(2));
                    Expr::pair(tree(left), tree(right))
                }
            }
        }
        tree(&mut layer)
    }
}

/// A part of an expression, or all of it. It is as cheap as a reference.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Term<'a>(&'a [Node]);

/// What a term is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View<'a> {
    /// `x`.
    Var(Var),
    /// `λx.e`.
    Abs(Var, Term<'a>),
    /// `(e1 e2)`.
    App(Term<'a>, Term<'a>),
    /// `(e1 || e2)`.
    Pair(Term<'a>, Term<'a>),
    /// `fst e`.
    Fst(Term<'a>),
    /// `snd e`.
    Snd(Term<'a>),
}

impl Expr {
    /// All of it.
    pub fn term(&self) -> Term<'_> {
        Term(&self.nodes)
    }
}

impl<'a> Term<'a> {
    /// What it is made of, in constant time.
    ///
    /// # Examples
    ///
    /// ```
    /// use filch_model::{Expr, Var, View};
    ///
    /// let identity = Expr::abs(Var(0), Var(0));
    /// let View::Abs(x, body) = identity.term().view() else { unreachable!() };
    /// assert_eq!((x, body.view()), (Var(0), View::Var(Var(0))));
    /// ```
    pub fn view(self) -> View<'a> {
        let (&node, parts) = self.0.split_last().expect("a term has a node");
        let split = |second: usize| {
            let (first, second) = parts.split_at(parts.len() - second);
            (Term(first), Term(second))
        };
        match node {
            Node::Var(x) => View::Var(x),
            Node::Abs(x) => View::Abs(x, Term(parts)),
            Node::App { second } => {
                let (function, argument) = split(second);
                View::App(function, argument)
            }
            Node::Pair { second } => {
                let (left, right) = split(second);
                View::Pair(left, right)
            }
            Node::Fst => View::Fst(Term(parts)),
            Node::Snd => View::Snd(Term(parts)),
        }
    }

    /// A copy of it.
    pub fn to_expr(self) -> Expr {
        Expr { nodes: self.0.to_vec() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaves(count: u32) -> impl Iterator<Item = Expr> {
        (0..count).map(|number| Var(number).into())
    }

    #[test]
    fn nests_lean_to_the_side_that_their_names_say() {
        assert_eq!(Expr::left_nest(leaves(4)).to_string(), "(((x0 || x1) || x2) || x3)");
        assert_eq!(Expr::right_nest(leaves(4)).to_string(), "(x0 || (x1 || (x2 || x3)))");
        assert_eq!(Expr::balanced(leaves(4)).to_string(), "((x0 || x1) || (x2 || x3))");
        assert_eq!(Expr::balanced(leaves(3)).to_string(), "((x0 || x1) || x2)");
        for nest in [Expr::left_nest(leaves(1)), Expr::right_nest(leaves(1)), Expr::balanced(leaves(1))] {
            assert_eq!(nest, Var(0).into());
        }
    }

    #[test]
    fn a_nest_is_what_its_pairs_make() {
        let branches: Vec<Expr> = (0..5).map(|i| Expr::app(Expr::abs(Var(i), Var(i)), Expr::fst(Var(9)))).collect();
        let by_pairs = branches.iter().cloned().rev().reduce(|nest, branch| Expr::pair(branch, nest));
        assert_eq!(Some(Expr::right_nest(branches)), by_pairs);
    }
}
