//! The workers that carry the batches of a pipeline.
//!
//! There are at most as many *carriers* as workers, each a task of one scope. A carrier takes on a parked batch, or
//! else the next one of the source, until there is nothing to do. Then it ends; it never waits. Whoever makes a batch
//! ready or the source free, and has something else to do, hires another carrier.
//!
//! **No batch is left.** The number of carriers is changed before a carrier that ends looks once more for work, and
//! read after work has been made visible. Both happen under locks or are sequentially consistent, so either the carrier
//! sees the work, or the other side sees that there is room for one more. If there was no room, the carriers that there
//! are look before they end.

use super::batch::{Cause, Failure, Line};
use super::source::Source;
use super::stages::{Carry, End, Stages};
use crate::constructs::drop_while_unwinding::drop_quietly_for;
use crate::constructs::scope::Scope;
use crate::constructs::strand::Strand;
use crate::engine::profile::site::Site;
use crate::engine::recording;
use crate::engine::seats::ambient::pass_on;
use crate::engine::team::Team;
use crate::sync::{AtomicUsize, Ordering};

struct Run<'r, I: Iterator, N, E> {
    source: Source<I>,
    stages: N,
    failure: Failure<E>,
    /// How many carriers there are, and may be.
    carriers: AtomicUsize,
    most: usize,
    team: &'r Team,
}

impl<I, N, E> Run<'_, I, N, E>
where
    I: Iterator + Send,
    I::Item: Send,
    N: Carry<I::Item, E>,
    E: Send,
{
    /// Carries batches while there are any. For a carrier that has been counted.
    fn carry<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>) {
        let line = Line { failure: &self.failure, hire: &|| self.hire(scope), team: self.team };
        loop {
            while self.carry_one(&line) {}
            self.carriers.fetch_sub(1, Ordering::SeqCst);
            let has_work = self.stages.has_ready() || self.source.has_next(&line);
            if !has_work || !self.count_in() {
                return;
            }
        }
    }

    /// Carries a batch as far as possible. Returns false if there is none.
    fn carry_one(&self, line: &Line<'_, E>) -> bool {
        let carried = self.stages.carry_parked(line).or_else(|| {
            let batch = self.source.next_batch(line)?;
            let site = Site::of::<N>(Self::carry_one as *const () as usize);
            let _begun = recording::begin(recording::spawn_into_innermost(site));
            Some(self.stages.carry(line, batch))
        });
        if let Some(Some(passed)) = &carried {
            self.source.done(passed);
        }
        carried.is_some()
    }

    /// Counts in one more carrier, if there is room for it.
    fn count_in(&self) -> bool {
        let one_more = |carriers| (carriers < self.most).then_some(carriers + 1);
        self.carriers.load(Ordering::SeqCst) < self.most
            && self.carriers.fetch_update(Ordering::SeqCst, Ordering::SeqCst, one_more).is_ok()
    }

    fn hire<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>) {
        if self.count_in() {
            scope.spawn(move |_| self.carry(scope));
        }
    }
}

/// Runs a pipeline to its end.
pub(super) fn run<I, S, E>(mut s: Strand<'_>, source: I, stages: S, capacity: Option<usize>) -> Result<(), E>
where
    I: Iterator + Send,
    I::Item: Send,
    S: Stages<I::Item, (), E>,
    E: Send,
{
    let worker = s.occupied().owner();
    let (team, most) = (worker.team(), worker.num_workers());
    let run = Run {
        source: Source::new(source, capacity, most),
        stages: stages.before(End),
        failure: Failure::new(),
        carriers: AtomicUsize::new(1),
        most,
        team,
    };
    s.scope(|_, scope| run.carry(scope));
    let Run { source, stages, failure, .. } = run;
    let Some(cause) = failure.into_inner() else { return Ok(()) };
    // What has not been pulled, and the closures.
    drop_quietly_for(team, (source, stages));
    match cause {
        Cause::Error(error) => Err(error),
        Cause::Panic(payload) => pass_on(payload),
    }
}
