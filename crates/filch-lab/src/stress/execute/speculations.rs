//! Speculations whose children are the items of a loop.

use filch::{SpeculativeStrand, State, Strand};

use super::execution::{Execution, Way};
use super::leaves::{leaves, root};
use super::loops::{Loop, Looped};
use super::scopes::Env;
use crate::stress::program::LoopForm;
use crate::stress::run_log::Value;

/// What the inlets of a speculation change.
struct Items<'e> {
    slots: Vec<Option<Value<'e>>>,
    /// Whether an inlet has aborted the speculation.
    has_ended: bool,
}

impl<'e> Execution<'e> {
    /// Runs the items as children of a speculation, which is aborted by the one that ends the loop.
    pub(super) fn speculate(&self, way: Way<'_>, env: &Env<'_>, pool: usize, of: Loop<'e, LoopForm>) -> Looped<'e> {
        let Loop { node, items, stop, .. } = of;
        let mut state = Items { slots: Vec::new(), has_ended: false };
        state.slots.resize_with(items.len(), || None);
        let iterate = |way: Way<'_>, i: usize| self.iterate(way, env, pool, items[i]);
        let child = |mut s: SpeculativeStrand<'_>, _: State<'_, Items<'e>>, i: usize| {
            let value = match i % 3 {
                0 => iterate(Way::Strand(s.plain()), i),
                1 => s.join(|mut s| Ok(iterate(Way::Strand(s.plain()), i)), |_| Ok(()))?.0,
                _ => {
                    let only = leaves(|_| true);
                    let search = s.search(&only, root(i..i + 1, self.run_log));
                    let found =
                        search.fold(|| None, |_, _| Some(iterate(Way::Free, i)), |former, latter| former.or(latter));
                    found?.expect("there is one leaf")
                }
            };
            Ok((i, value))
        };
        let run = |mut s: Strand<'_>| {
            s.speculate(state, |p, speculation| {
                let inlet = move |state: &mut Items<'e>, (i, value): (usize, Value<'e>)| {
                    if state.has_ended {
                        self.run_log.fault(format!("the inlet of item {i} ran after the abort"));
                    }
                    if state.slots[i].replace(value).is_some() {
                        self.run_log.fault(format!("item {i} was run twice"));
                    }
                    if stop == Some(i) {
                        state.has_ended = true;
                        speculation.abort();
                    }
                };
                if node.is_multiple_of(2) {
                    p.spawn_each(0..items.len(), child, inlet);
                } else {
                    (0..items.len()).for_each(|i| p.spawn(move |s, state| child(s, state, i), inlet));
                }
            })
        };
        let (Items { mut slots, has_ended }, ()) = match way {
            Way::Strand(s) => run(s),
            Way::Free => self.pools[pool].run(run),
        };
        self.check_stop(stop, has_ended);
        match stop.and_then(|stop| slots[stop].take()) {
            Some(value) => Looped::Stopped(value),
            None => Looped::Values(self.all_of(slots)),
        }
    }
}
