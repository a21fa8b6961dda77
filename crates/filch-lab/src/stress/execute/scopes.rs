//! Scopes, their tasks, and the environment of a part of a program.

use std::sync::Arc;
use std::thread;

use filch::{Scope, Strand};

use super::execution::{Execution, Way};
use crate::stress::lineage;
use crate::stress::program::ScopeForm;
use crate::stress::run_log::{Role, Value};

/// The scopes and the reducers around a part of a program.
#[derive(Clone, Default)]
pub(super) struct Env<'a> {
    scope: Option<Arc<Open<'a>>>,
    /// Puts a value into the innermost reducers: see [`Reducers::put`](super::reducers::Reducers::put).
    pub(super) put: Option<&'a (dyn Fn(usize, u64, usize) + Sync + 'a)>,
}

/// An open scope.
struct Open<'a> {
    node: usize,
    /// Spawns the task with this number. The lifetimes of the scope end here, so that nested scopes can be in one list.
    spawn: Box<dyn Fn(usize) + Send + Sync + 'a>,
    outer: Option<Arc<Open<'a>>>,
}

impl<'a> Env<'a> {
    /// The same environment with other innermost reducers.
    pub(super) fn with<'b>(&self, put: &'b (dyn Fn(usize, u64, usize) + Sync + 'b)) -> Env<'b>
    where
        'a: 'b,
    {
        Env { scope: self.scope.clone(), put: Some(put) }
    }

    /// The environment inside of a scope that is opened here. A task sees the scope in which it was spawned and those
    /// around it, since it must not borrow from scopes further in.
    fn within<'env>(&self, execution: &'a Execution<'_>, node: usize, scope: &'a Scope<'a, 'env>) -> Self {
        let around = self.clone();
        let spawn = Box::new(move |task| {
            let (around, capture) = (around.clone(), Value::new(0, execution.run_log, task, Role::Capture, None));
            scope.spawn(move |s| {
                let env = around.within(execution, node, scope);
                execution.task(s, &env, node, task);
                drop(capture);
            });
        });
        Self { scope: Some(Arc::new(Open { node, spawn, outer: self.scope.clone() })), put: self.put }
    }
}

impl Execution<'_> {
    pub(super) fn scope(
        &self,
        form: ScopeForm,
        way: Way<'_>,
        env: &Env<'_>,
        pool: usize,
        [node, body]: [usize; 2],
    ) -> u64 {
        // While this thread waits, it runs tasks of this scope.
        let _scope = self.begin(node);
        match (form, way) {
            (ScopeForm::Strand, Way::Strand(mut s)) => {
                s.scope(|s, scope| self.node(Way::Strand(s), &env.within(self, node, scope), pool, body))
            }
            (ScopeForm::StrandFifo, Way::Strand(mut s)) => {
                s.scope_fifo(|s, scope| self.node(Way::Strand(s), &env.within(self, node, scope), pool, body))
            }
            (ScopeForm::Free | ScopeForm::Strand, _) => {
                filch::scope(|_, scope| self.node(Way::Free, &env.within(self, node, scope), pool, body))
            }
            (ScopeForm::FreeFifo | ScopeForm::StrandFifo, _) => {
                filch::scope_fifo(|_, scope| self.node(Way::Free, &env.within(self, node, scope), pool, body))
            }
        }
    }

    /// Spawns a task in a scope.
    pub(super) fn spawn(&self, env: &Env<'_>, scope: usize, task: usize, from_elsewhere: bool) {
        let mut open = env.scope.as_ref();
        while let Some(inner) = open
            && inner.node != scope
        {
            open = inner.outer.as_ref();
        }
        let open = open.expect("a task is left to a scope around it");
        if from_elsewhere {
            thread::scope(|threads| _ = threads.spawn(|| (open.spawn)(task)));
        } else {
            (open.spawn)(task);
        }
    }

    fn task(&self, s: Strand<'_>, env: &Env<'_>, scope: usize, task: usize) {
        let _here = self.check(lineage::begin_task(self.program.range(scope), self.program.range(task)), task);
        let value = self.node(Way::Strand(s), env, self.program.pool_of(scope), task);
        self.run_log.comes_to(task, value);
    }
}
