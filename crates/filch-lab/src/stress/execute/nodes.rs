//! The nodes of a program: each is run by the construct that it stands for.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::PoisonError;
use std::thread;
use std::time::Duration;

use filch::Strand;

use super::execution::{Execution, Way};
use super::joins::Branches;
use super::loops::{Loop, Looped};
use super::reducers::Reducers;
use super::scopes::Env;
use crate::stress::lineage;
use crate::stress::program::{ItemForm, Kind, Leaf, cheap, scoped, stopped};
use crate::stress::run_log::Payload;

impl<'e> Execution<'e> {
    /// Runs the program from a thread outside of all pools. `Err` is the value in the payload of its panic.
    pub fn run(&self, pool: usize) -> Result<u64, u64> {
        caught(|| self.enter(&Env::default(), pool, 0)).unwrap_or_else(|foreign| {
            self.run_log.fault(format!("a panic that is not the program's own: {}", text_of(&*foreign)));
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

    /// Runs a node on a worker of a pool.
    pub(super) fn node(&self, mut way: Way<'_>, env: &Env<'_>, pool: usize, node: usize) -> u64 {
        self.run_log.begin(node);
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
                let reducers = Reducers::new(node, self.run_log, self.multiply);
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

    fn looped(&self, looped: Looped<'_>) -> u64 {
        match looped {
            Looped::Values(values) => values.iter().fold(0, |value, next| (self.combine)(value, next.bits())),
            Looped::Stopped(value) => stopped(value.bits()),
        }
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
                while self.may_await && !self.run_log.has_begun(other) {
                    thread::yield_now();
                }
                value
            }
            Leaf::Put { value, within, .. } => {
                env.put.expect("only inside a reduction is something put")(node, value, within);
                value
            }
            Leaf::Panic { value, explosive } => Payload::throw(self.run_log, node, value, explosive),
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
    use crate::stress::program::{Matrix, Node, Program, combine};
    use crate::stress::run_log::RunLog;
    use filch::Pool;
    use std::sync::Arc;

    /// The faults in the run log after a leaf has run on a thread that waits for something else.
    fn faults(is_strict: bool) -> Vec<String> {
        let leaf = Node { kind: Kind::Leaf(Leaf::Value(7)), end: 1 };
        let program = Program { nodes: vec![leaf], base: 0 };
        let run_log = Arc::new(RunLog::new(1));
        let pools = [Pool::builder().workers(1).build().unwrap()];
        let locks = Default::default();
        let execution = Execution {
            program: &program,
            run_log: &run_log,
            pools: &pools,
            locks: &locks,
            is_strict,
            may_await: false,
            combine,
            multiply: Matrix::times,
        };
        let (_waits, _) = lineage::begin(100..200);
        assert_eq!(execution.run(0), Ok(7));
        run_log.faults(&[true])
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
