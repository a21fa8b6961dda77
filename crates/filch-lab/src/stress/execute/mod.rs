//! Runs a program on pools, written as a user would write it.
//!
//! The submodules hold the constructs: joins, loops (over indexed things, and traversals), spawn loops, scopes and
//! reducers.

mod items;
mod loops;
mod reducers;
mod scopes;

use std::any::Any;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use filch::{Context, Pool, Strand};

use super::ledger::{Explosive, Ledger, Payload, Role, Value};
use super::lineage;
use super::program::{Charge, Form, ItemForm, Kind, LOCKS, Leaf, Matrix, Program, cheap, scoped, stopped};

use loops::{Loop, Looped};
use reducers::Reducers;
use scopes::Env;

/// One run of a program.
#[derive(Debug)]
pub struct Execution<'e> {
    /// The program.
    pub program: &'e Program,
    /// The record of its nodes and values.
    pub ledger: &'e Arc<Ledger>,
    /// The pools of the case.
    pub pools: &'e [Pool],
    /// The mutexes that the programs of the case share.
    pub locks: &'e [Mutex<()>; LOCKS],
    /// Whether a waiting worker runs only parts of what it waits for, and branches that are not shared stay on their
    /// thread.
    pub is_strict: bool,
    /// Whether there is a worker for every branch that another one waits for. It is not so if the system refuses takes:
    /// then a default pool has one worker, whatever was asked for.
    pub may_await: bool,
    /// Combines the results of two branches. Tests have a wrong one.
    pub combine: fn(u64, u64) -> u64,
    /// Multiplies matrices. Tests have a wrong one.
    pub multiply: fn(Matrix, Matrix) -> Matrix,
}

/// How a part of a program can fork.
enum Way<'s> {
    Strand(Strand<'s>),
    /// Without a strand.
    Free,
}

impl Way<'_> {
    fn reborrow(&mut self) -> Way<'_> {
        match self {
            Way::Strand(s) => Way::Strand(s.reborrow()),
            Way::Free => Way::Free,
        }
    }
}

impl<'e> Execution<'e> {
    /// Runs the program from a thread outside of all pools. `Err` is the value in the payload of its panic.
    pub fn run(&self, pool: usize) -> Result<u64, u64> {
        caught(|| self.enter(&Env::default(), pool, 0)).unwrap_or_else(|foreign| {
            self.ledger.fault(format!("a panic that is none of the program's: {}", text_of(&*foreign)));
            Err(0)
        })
    }

    /// Runs `node` on a pool.
    fn enter(&self, env: &Env<'_>, pool: usize, node: usize) -> u64 {
        let _run = self.begin(node);
        self.pools[pool].run(|s| {
            let _here = self.begin(node);
            self.node(Way::Strand(s), env, pool, node)
        })
    }

    /// Runs `node` on the inner pool, but its forks go through a strand of the outer pool.
    fn carry(&self, s: Strand<'_>, env: &Env<'_>, [outer, inner]: [usize; 2], node: usize) -> u64 {
        let mut carried = Carried(s);
        let _run = self.begin(node);
        self.pools[inner].run(move |_| {
            let _here = self.begin(node);
            self.node(Way::Strand(carried.strand()), env, outer, node)
        })
    }

    /// This thread starts with a node and its parts.
    fn begin(&self, node: usize) -> lineage::Begun {
        self.check(lineage::begin(self.program.range(node)), node)
    }

    fn check(&self, (begun, violated): (lineage::Begun, Option<Range<u64>>), node: usize) -> lineage::Begun {
        if let Some(expected) = violated
            && self.is_strict
        {
            let range = self.program.range(node);
            self.ledger.fault(format!(
                "nodes {range:?} began on a thread that waited for nodes {expected:?} and should run parts of these only"
            ));
        }
        begun
    }

    /// Runs a node on a worker of a pool.
    fn node(&self, mut way: Way<'_>, env: &Env<'_>, pool: usize, node: usize) -> u64 {
        self.ledger.begin(node);
        match &self.program.nodes[node].kind {
            Kind::Leaf(leaf) => self.leaf(env, node, leaf),
            &Kind::Join { form, a, b, charge } => {
                let _join = lineage::join();
                let (value_a, value_b) = self.join(form, way, env, Branches { pool, join: node, a, b, charge });
                let value = (self.combine)(value_a.bits(), value_b.bits());
                // In this order; either destructor may panic.
                drop(value_a);
                drop(value_b);
                value
            }
            Kind::Sequence(parts) => {
                parts.iter().fold(0, |value, &part| (self.combine)(value, self.node(way.reborrow(), env, pool, part)))
            }
            &Kind::Loop { form, ref items, stop, broken } => {
                // While this thread waits, it runs parts of the loop.
                let _loop = self.begin(node);
                self.looped(self.run_loop(way, env, pool, Loop { node, form, items, stop, broken }))
            }
            &Kind::Items { form, ref items, stop, broken } => {
                let _loop = self.begin(node);
                let values = self.looped(self.run_items(way, env, pool, Loop { node, form, items, stop, broken }));
                if stop.is_some() && form != ItemForm::Try { stopped(values) } else { values }
            }
            &Kind::Scope { form, body, .. } => scoped(self.scope(form, way, env, pool, [node, body])),
            &Kind::Spawn { scope, task, from_elsewhere } => {
                self.spawn(env, scope, task, from_elsewhere);
                node as u64
            }
            &Kind::Reduce(part) => {
                let reducers = Reducers::new(node, self.ledger, self.multiply);
                let put = |node: usize, value: u64, within: usize| reducers.put(node, value, within);
                let value = self.node(way, &env.with(&put), pool, part);
                reducers.end(self.program);
                value
            }
            &Kind::Run { pool, part } => self.enter(env, pool, part),
            &Kind::Carry { pool: inner, part } => match way {
                Way::Strand(s) => self.carry(s, env, [pool, inner], part),
                Way::Free => self.enter(env, inner, part),
            },
            &Kind::Catch(part) => match caught(|| self.node(way, env, pool, part)) {
                Ok(outcome) => outcome.unwrap_or_else(|value| !value),
                Err(foreign) => resume_unwind(foreign),
            },
            &Kind::Locked { lock, part } => {
                // A mutex may be poisoned by an earlier panic of the program.
                let _guard = self.locks[lock].lock().unwrap_or_else(PoisonError::into_inner);
                self.node(way, env, pool, part)
            }
        }
    }

    fn join(&self, form: Form, way: Way<'_>, env: &Env<'_>, both: Branches) -> (Value<'e>, Value<'e>) {
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

    fn looped(&self, looped: Looped<'_>) -> u64 {
        match looped {
            Looped::Values(values) => values.iter().fold(0, |value, next| (self.combine)(value, next.bits())),
            Looped::Stopped(value) => stopped(value.bits()),
        }
    }

    /// Runs a branch, from its start to its result. `misled` checks what the branch was told about itself.
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
            self.ledger.fault(format!("node {node}: {wrong}"));
        }
        let bits = self.node(way, env, both.pool, node);
        let explosive = self.explosive(both, node, Charge::ResultA, Charge::ResultB);
        let result = Value::new(bits, self.ledger, node, Role::Result, explosive);
        drop(capture);
        result
    }

    fn capture(&self, both: Branches, node: usize) -> Value<'e> {
        let explosive = self.explosive(both, node, Charge::CaptureA, Charge::CaptureB);
        Value::new(0, self.ledger, node, Role::Capture, explosive)
    }

    /// The panic of a branch's value, if the join has such a charge.
    fn explosive(&self, both: Branches, node: usize, if_a: Charge, if_b: Charge) -> Option<Explosive> {
        let charge = if node == both.a { if_a } else { if_b };
        (both.charge == Some(charge)).then(|| Explosive { node: both.join, value: Program::charge_value(both.join) })
    }

    fn leaf(&self, env: &Env<'_>, node: usize, leaf: &Leaf) -> u64 {
        match *leaf {
            Leaf::Value(value) => value,
            Leaf::Spin(value, turns) => {
                (0..turns).for_each(|_| std::hint::spin_loop());
                value
            }
            Leaf::Yield(value) => {
                thread::yield_now();
                value
            }
            Leaf::Sum(value, len) => {
                // While this thread waits, it runs nothing that is a node.
                let _loop = self.begin(node);
                filch::map_reduce(0..len, || 0, |_, i| cheap(value, i), u64::wrapping_add)
            }
            Leaf::Sleep(value, micros) => {
                thread::sleep(Duration::from_micros(micros.into()));
                value
            }
            Leaf::Lock(value, lock) => {
                drop(self.locks[lock].lock().unwrap_or_else(PoisonError::into_inner));
                value
            }
            Leaf::Await(value, other) => {
                while self.may_await && !self.ledger.has_begun(other) {
                    thread::yield_now();
                }
                value
            }
            Leaf::Put { value, within, .. } => {
                env.put.expect("only inside a reduction is something put")(node, value, within);
                value
            }
            Leaf::Panic { value, explosive } => Payload::throw(self.ledger, node, value, explosive),
        }
    }
}

/// A strand that is declared `Send`, as published wrappers do with any type. It stays on its thread, because the
/// closure of a run does.
struct Carried<'s>(Strand<'s>);

// SAFETY: used on the thread that made it only.
unsafe impl Send for Carried<'_> {}

impl Carried<'_> {
    fn strand(&mut self) -> Strand<'_> {
        self.0.reborrow()
    }
}

/// A join and its branches.
#[derive(Clone, Copy)]
struct Branches {
    pool: usize,
    join: usize,
    a: usize,
    b: usize,
    charge: Option<Charge>,
}

/// Runs `f`. Returns its value or, if it panics with a payload of the program, the value in the payload. `Err` is any
/// other panic.
fn caught(f: impl FnOnce() -> u64) -> Result<Result<u64, u64>, Box<dyn Any + Send>> {
    match catch_unwind(AssertUnwindSafe(f)) {
        Ok(value) => Ok(Ok(value)),
        Err(payload) => payload.downcast::<Payload>().map(|payload| Err(payload.defuse())),
    }
}

fn text_of(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "its payload is no text".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stress::program::{Node, combine};

    /// The faults in the ledger after a leaf has run on a thread that waits for something else.
    fn faults(is_strict: bool) -> Vec<String> {
        let leaf = Node { kind: Kind::Leaf(Leaf::Value(7)), end: 1 };
        let program = Program { nodes: vec![leaf], base: 0 };
        let ledger = Arc::new(Ledger::new(1));
        let pools = [Pool::builder().workers(1).build().unwrap()];
        let locks = Default::default();
        let execution = Execution {
            program: &program,
            ledger: &ledger,
            pools: &pools,
            locks: &locks,
            is_strict,
            may_await: false,
            combine,
            multiply: Matrix::times,
        };
        let (_waits, _) = lineage::begin(100..200);
        assert_eq!(execution.run(0), Ok(7));
        ledger.faults(&[true])
    }

    #[test]
    fn a_waiter_that_runs_something_unrelated_is_a_fault() {
        let faults = faults(true);
        assert!(faults[0].contains("nodes 0..1 began on a thread that waited for nodes 100..200"), "{faults:?}");
    }

    #[test]
    fn under_a_scheduler_that_promises_less_it_is_none() {
        assert!(faults(false).is_empty());
    }
}
