//! The three semantics (sections 3.3 and 3.4, figures 4 to 6).
//!
//! They do the same transitions, and differ in when a machine is split into three: one for each branch of a pair, and
//! one for what comes after the join.

use crate::configuration::Configuration;
use crate::promotion::Promotion;
use crate::stack::Stack;

/// How a program is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Semantics {
    /// `⇒seq`: the left branch of a pair and then the right one, on the same machine (figure 4).
    Sequential,
    /// `⇒par`: the branches of every pair on machines of their own (figure 5).
    Parallel,
    /// `⇒hb`: heartbeat scheduling (figure 6).
    Heartbeat(Heartbeat),
}

/// Heartbeat scheduling: the branches of a pair are evaluated one after the other, unless the pair is promoted.
///
/// # Examples
///
/// ```
/// use filch_model::{Expr, Heartbeat, Machine, Var};
///
/// // Four branches, which end after one transition each.
/// let identity = Expr::abs(Var(0), Var(0));
/// let program = Expr::left_nest(vec![identity; 4]);
/// let promotions = |heartbeat| Machine::new(&program).evaluate(heartbeat).map(|evaluation| evaluation.graph.forks());
/// assert_eq!(promotions(Heartbeat::every(1)), Ok(3));
/// assert_eq!(promotions(Heartbeat::every(3)), Ok(2));
/// assert_eq!(promotions(Heartbeat::every(100)), Ok(0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heartbeat {
    period: u64,
    credits: u64,
    promotion: Promotion,
}

impl Heartbeat {
    /// A promotion after every `period` transitions at most. This is N of the paper.
    ///
    /// # Panics
    ///
    /// If the period is 0: the bound on the work divides by it.
    pub fn every(period: u64) -> Self {
        assert!(period > 0, "a period of 0 transitions; expected at least 1");
        Heartbeat { period, credits: 0, promotion: Promotion::Oldest }
    }

    /// Begins with so many credits, which is `n` of the paper, instead of 0.
    pub fn with_credits(self, credits: u64) -> Self {
        Heartbeat { credits, ..self }
    }

    /// Promotes otherwise than the paper does.
    pub fn with_promotion(self, promotion: Promotion) -> Self {
        Heartbeat { promotion, ..self }
    }

    /// N.
    pub fn period(self) -> u64 {
        self.period
    }

    /// n at the start.
    pub fn credits(self) -> u64 {
        self.credits
    }
}

impl From<Heartbeat> for Semantics {
    fn from(heartbeat: Heartbeat) -> Self {
        Semantics::Heartbeat(heartbeat)
    }
}

/// A machine, and how many transitions it has done since a promotion: `m; n`.
#[derive(Debug)]
pub(crate) struct Counted<'a> {
    pub(crate) machine: Configuration<'a>,
    pub(crate) credits: u64,
}

/// What a machine has been split off.
#[derive(Debug)]
pub(crate) struct Split<'a> {
    /// The machine of the right branch.
    pub(crate) right: Counted<'a>,
    /// The stack below the pair, which takes the values of both branches.
    pub(crate) rest: Stack<'a>,
    /// The credits of the machine with that stack.
    pub(crate) rest_credits: u64,
}

impl Semantics {
    /// The credits at the start.
    pub(crate) fn credits(self) -> u64 {
        if let Semantics::Heartbeat(heartbeat) = self { heartbeat.credits } else { 0 }
    }

    /// If the machine is to be split here, it goes on with the left branch, and the others are returned. The evaluation
    /// has done so many transitions.
    pub(crate) fn split<'a>(self, machine: &mut Counted<'a>, transitions: u64) -> Option<Split<'a>> {
        match self {
            Semantics::Sequential => None,
            Semantics::Parallel => at_pair(machine),
            Semantics::Heartbeat(heartbeat) => heartbeat.promote(machine, transitions),
        }
    }
}

/// The rule PARPAIR.
fn at_pair<'a>(counted: &mut Counted<'a>) -> Option<Split<'a>> {
    let (left, right, environment) = counted.machine.pair()?;
    let left = Configuration::new(left, environment);
    let Configuration { stack: rest, .. } = std::mem::replace(&mut counted.machine, left);
    let right = Counted { machine: Configuration::new(right, environment), credits: 0 };
    Some(Split { right, rest, rest_credits: 0 })
}

impl Heartbeat {
    /// The rule HBPROMOTE. Where it does not apply HBSTEP does, or HBVAL.
    fn promote<'a>(self, counted: &mut Counted<'a>, transitions: u64) -> Option<Split<'a>> {
        let Counted { machine, credits } = counted;
        if !self.promotion.is_due(*credits, self.period, transitions) {
            return None;
        }
        let below = machine.stack.split(self.promotion.which())?;
        *credits = self.promotion.credits_left(*credits);
        let right = Counted { machine: Configuration::new(below.branch, below.environment), credits: *credits };
        Some(Split { right, rest: below.rest, rest_credits: *credits })
    }
}
