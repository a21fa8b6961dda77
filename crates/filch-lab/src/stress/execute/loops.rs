//! Loops over indexed things, and traversals.

use std::ops::ControlFlow;
use std::sync::OnceLock;

use filch::{CancelToken, PhaseEnd, Strand, Traverse};

use super::execution::{Execution, Way};
use super::leaves::{Path, last, leaves, root};
use super::scopes::Env;
use crate::stress::program::{LoopForm, Program};
use crate::stress::run_log::{Payload, Role, Value};

/// The outcome of a loop.
pub(super) enum Looped<'e> {
    /// The values of its iterations, in their order.
    Values(Vec<Value<'e>>),
    /// The value of the iteration that ended it.
    Stopped(Value<'e>),
}

/// A loop or, with another type of form, a spawn loop, as its node describes it.
#[derive(Clone, Copy)]
pub(super) struct Loop<'e, F> {
    pub(super) node: usize,
    pub(super) form: F,
    pub(super) items: &'e [usize],
    pub(super) stop: Option<usize>,
    pub(super) broken: Option<usize>,
}

impl<'e> Execution<'e> {
    pub(super) fn run_loop(&self, way: Way<'_>, env: &Env<'_>, pool: usize, of: Loop<'e, LoopForm>) -> Looped<'e> {
        let Loop { node, form, items, stop, broken } = of;
        let iterate = |way: Way<'_>, item: usize| self.iterate(way, env, pool, item);
        let empty = || {
            self.run_log.callback(node);
            Vec::new()
        };
        let append = |mut a: Vec<(usize, Value<'e>)>, b: Vec<(usize, Value<'e>)>| {
            self.run_log.callback(node + b.first().map_or(0, |&(first, _)| first));
            if let (Some((last, _)), Some((first, _))) = (a.last(), b.first()) {
                if last + 1 != *first {
                    self.run_log.fault(format!("iterations up to {last} were combined with those from {first}"));
                }
                if broken == Some(*first) {
                    Payload::throw(self.run_log, node, Program::charge_value(node), false);
                }
            }
            a.extend(b);
            a
        };
        let numbered =
            |values: Vec<(usize, Value<'e>)>| Looped::Values(values.into_iter().map(|(_, value)| value).collect());
        let of_all = |mut s: Strand<'_>| {
            let map = |s: Strand<'_>, i: usize| vec![(i, iterate(Way::Strand(s), items[i]))];
            s.map_reduce(0..items.len(), empty, map, append)
        };
        let mut slots: Vec<Option<Value<'e>>> = Vec::new();
        slots.resize_with(items.len(), || None);
        match (form, way) {
            (LoopForm::StrandReduce, Way::Strand(s)) => return numbered(of_all(s)),
            (LoopForm::StrandReduce, Way::Free) => return numbered(self.pools[pool].run(of_all)),
            (LoopForm::FreeReduce, _) => {
                let map = |_: Strand<'_>, i: usize| vec![(i, iterate(Way::Free, items[i]))];
                return numbered(filch::map_reduce(0..items.len(), empty, map, append));
            }
            (LoopForm::StrandEach, Way::Strand(mut s)) => {
                s.for_each((items, &mut slots), |s, (&item, slot)| *slot = Some(iterate(Way::Strand(s), item)));
            }
            (LoopForm::Traverse, _) => self.visit(env, pool, items, &mut slots),
            (LoopForm::FreeEach | LoopForm::StrandEach, _) => {
                filch::for_each((items, &mut slots), |_, (&item, slot)| *slot = Some(iterate(Way::Free, item)));
            }
            (LoopForm::Try, way) => {
                let body = |s: Strand<'_>, (i, slot): (usize, &mut Option<Value<'e>>)| {
                    let value = iterate(Way::Strand(s), items[i]);
                    if stop == Some(i) {
                        return Err(value);
                    }
                    *slot = Some(value);
                    Ok(())
                };
                let all = (0..items.len(), &mut slots);
                let result = match way {
                    Way::Strand(mut s) => s.try_for_each(all, body),
                    Way::Free => filch::try_for_each(all, body),
                };
                if let Err(value) = result {
                    return Looped::Stopped(value);
                }
            }
            (LoopForm::Find | LoopForm::SearchAny, way) => return self.find(way, of, iterate),
            (LoopForm::Search, way) => {
                let add = |values, path: &Path<'_>| {
                    let i = last(path).start;
                    append(values, vec![(i, iterate(Way::Free, items[i]))])
                };
                let (all, start) = (leaves(|_| true), root(0..items.len(), self.run_log));
                return numbered(match way {
                    Way::Strand(mut s) => s.search(&all, start).fold(empty, add, append),
                    Way::Free => filch::search(&all, start).fold(empty, add, append),
                });
            }
            (LoopForm::Speculate, way) => return self.speculate(way, env, pool, of),
            (LoopForm::Until, way) => {
                let token = CancelToken::new();
                let body = |s: Strand<'_>, (i, slot): (usize, &mut Option<Value<'e>>)| {
                    *slot = Some(iterate(Way::Strand(s), items[i]));
                    if stop == Some(i) {
                        token.cancel();
                    }
                };
                let all = (0..items.len(), &mut slots);
                let result = match way {
                    Way::Strand(mut s) => s.for_each_until(&token, all, body),
                    Way::Free => filch::for_each_until(&token, all, body),
                };
                self.check_stop(stop, result.is_err());
                if let Some(value) = stop.and_then(|stop| slots[stop].take()) {
                    return Looped::Stopped(value);
                }
            }
        }
        Looped::Values(self.all_of(slots))
    }

    /// Runs an iteration or an item.
    pub(super) fn iterate(&self, way: Way<'_>, env: &Env<'_>, pool: usize, item: usize) -> Value<'e> {
        let _here = self.begin(item);
        let bits = self.node(way, env, pool, item);
        Value::new(bits, self.run_log, item, Role::Result, None)
    }

    /// The values of a loop that has run to its end.
    pub(super) fn all_of(&self, slots: Vec<Option<Value<'e>>>) -> Vec<Value<'e>> {
        if slots.iter().any(Option::is_none) {
            self.run_log.fault("a loop has ended without all of its iterations".into());
        }
        slots.into_iter().flatten().collect()
    }

    /// Checks that a loop reports whether it was stopped.
    pub(super) fn check_stop(&self, stop: Option<usize>, was_stopped: bool) {
        if stop.is_some() != was_stopped {
            self.run_log.fault(format!("stopped = {was_stopped} was said of a loop that is stopped by {stop:?}"));
        }
    }

    fn find(
        &self,
        way: Way<'_>,
        of: Loop<'e, LoopForm>,
        iterate: impl Fn(Way<'_>, usize) -> Value<'e> + Send + Sync,
    ) -> Looped<'e> {
        let Loop { form, items, stop, .. } = of;
        let slots: Vec<OnceLock<Value<'e>>> = items.iter().map(|_| OnceLock::new()).collect();
        let is_wanted = |way: Way<'_>, i: usize| {
            if slots[i].set(iterate(way, items[i])).is_err() {
                self.run_log.fault(format!("iteration {i} was run twice"));
            }
            stop == Some(i)
        };
        let is_item = |s: Strand<'_>, &i: &usize| is_wanted(Way::Strand(s), i);
        let found = match (form, way) {
            (LoopForm::SearchAny, way) => {
                let (wanted, start) = (leaves(|i| is_wanted(Way::Free, i)), root(0..items.len(), self.run_log));
                let find = |path: &Path<'_>| last(path).start;
                match way {
                    Way::Strand(mut s) => s.search(&wanted, start).find_any(find),
                    Way::Free => filch::search(&wanted, start).find_any(find),
                }
            }
            (_, Way::Strand(mut s)) => s.find_any(0..items.len(), is_item),
            (_, Way::Free) => filch::find_any(0..items.len(), is_item),
        };
        if found != stop {
            self.run_log.fault(format!("found {found:?} where there is {stop:?}"));
        }
        let mut slots: Vec<Option<Value<'e>>> = slots.into_iter().map(OnceLock::into_inner).collect();
        match found.and_then(|place| slots[place].take()) {
            Some(value) => Looped::Stopped(value),
            None => Looped::Values(self.all_of(slots)),
        }
    }

    fn visit(&self, env: &Env<'_>, pool: usize, items: &[usize], slots: &mut [Option<Value<'e>>]) {
        let make = || {
            self.run_log.callback(items.len());
            Vec::new()
        };
        let ends = Traverse::new().at_phase_end(|end: PhaseEnd| {
            self.run_log.callback(end.phase);
            ControlFlow::Continue(())
        });
        let done = ends.run(0..items.len().min(1), make, |list, i| {
            // Another worker may start this child now, but with the other one only after all visits of this phase.
            let [now, next] = [2 * i + 1, 2 * i + 2];
            (now..items.len()).take(1).for_each(|now| list.push(now));
            let way = if i % 2 == 0 { Way::Free } else { Way::Strand(list.strand()) };
            let value = self.iterate(way, env, pool, items[i]);
            list.workspace().push((i, value));
            (next..items.len()).take(1).for_each(|next| list.push_next(next));
        });
        for (i, value) in done.workspaces.into_iter().flatten() {
            if slots[i].replace(value).is_some() {
                self.run_log.fault(format!("item {i} was visited twice"));
            }
        }
    }
}
