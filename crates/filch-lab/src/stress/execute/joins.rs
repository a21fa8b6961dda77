//! Joins.

use filch::Context;

use super::execution::{Execution, Way};
use super::scopes::Env;
use crate::stress::lineage;
use crate::stress::program::{Charge, Form, Program};
use crate::stress::run_log::{Explosive, Role, Value};

/// A join and its branches.
#[derive(Clone, Copy)]
pub(super) struct Branches {
    pub(super) pool: usize,
    pub(super) join: usize,
    pub(super) a: usize,
    pub(super) b: usize,
    pub(super) charge: Option<Charge>,
}

impl<'e> Execution<'e> {
    pub(super) fn join(&self, form: Form, way: Way<'_>, env: &Env<'_>, both: Branches) -> (Value<'e>, Value<'e>) {
        let (capture_a, capture_b) = (self.capture(both, both.a), self.capture(both, both.b));
        let forker = filch::current_worker();
        let first = |way: Way<'_>, capture, context: Option<Context>| {
            let _then = lineage::ThenOnly(self.program.range(both.b));
            self.branch(way, env, both, both.a, capture, || {
                context
                    .is_some_and(|context| context.migrated())
                    .then(|| "a first branch was said to have moved".into())
            })
        };
        let second = |way: Way<'_>, capture, context: Option<Context>| {
            self.branch(way, env, both, both.b, capture, || {
                let (said, here) = (context?.migrated(), filch::current_worker());
                let wrong = format!("moved = {said} was said of a branch that {here:?} ran and {forker:?} forked");
                // A worker without a seat shares its number with others.
                let may_share_numbers = self.pools[both.pool].counters().seats_exceeded > 0;
                let is_wrong = if said { here == forker && !may_share_numbers } else { here != forker };
                is_wrong.then_some(wrong)
            })
        };
        match (form, way) {
            (Form::Strand, Way::Strand(mut s)) => s.join(
                move |s| first(Way::Strand(s), capture_a, None),
                move |s| second(Way::Strand(s), capture_b, None),
            ),
            (Form::StrandContext, Way::Strand(mut s)) => s.join_context(
                move |s, context| first(Way::Strand(s), capture_a, Some(context)),
                move |s, context| second(Way::Strand(s), capture_b, Some(context)),
            ),
            (Form::Strand | Form::StrandContext, Way::Free) => self.pools[both.pool].run(|mut s| {
                s.join(
                    move |s| first(Way::Strand(s), capture_a, None),
                    move |s| second(Way::Strand(s), capture_b, None),
                )
            }),
            (Form::Free, _) => {
                filch::join(move || first(Way::Free, capture_a, None), move || second(Way::Free, capture_b, None))
            }
            (Form::FreeContext, _) => filch::join_context(
                move |context| first(Way::Free, capture_a, Some(context)),
                move |context| second(Way::Free, capture_b, Some(context)),
            ),
        }
    }

    /// Runs a branch, from its start to its result. `misled` checks the context that the branch was given.
    fn branch(
        &self,
        way: Way<'_>,
        env: &Env<'_>,
        both: Branches,
        node: usize,
        capture: Value<'e>,
        misled: impl FnOnce() -> Option<String>,
    ) -> Value<'e> {
        let _here = self.begin(node);
        if self.is_strict
            && let Some(wrong) = misled()
        {
            self.run_log.fault(format!("node {node}: {wrong}"));
        }
        let bits = self.node(way, env, both.pool, node);
        let explosive = self.explosive(both, node, Charge::ResultA, Charge::ResultB);
        let result = Value::new(bits, self.run_log, node, Role::Result, explosive);
        drop(capture);
        result
    }

    fn capture(&self, both: Branches, node: usize) -> Value<'e> {
        let explosive = self.explosive(both, node, Charge::CaptureA, Charge::CaptureB);
        Value::new(0, self.run_log, node, Role::Capture, explosive)
    }

    /// The panic of a branch's value, if the join has such a charge.
    fn explosive(&self, both: Branches, node: usize, if_a: Charge, if_b: Charge) -> Option<Explosive> {
        let charge = if node == both.a { if_a } else { if_b };
        (both.charge == Some(charge)).then(|| Explosive { node: both.join, value: Program::charge_value(both.join) })
    }
}
