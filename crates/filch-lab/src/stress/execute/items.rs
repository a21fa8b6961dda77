//! Spawn loops.

use std::iter;

use filch::{CancelToken, Strand};

use super::execution::{Execution, Way};
use super::loops::{Loop, Looped};
use super::scopes::Env;
use crate::stress::program::{ItemForm, Program};
use crate::stress::run_log::{Payload, Value};

/// The iterator forks once in this many items.
const ITEMS_PER_FORK: usize = 4;

impl<'e> Execution<'e> {
    pub(super) fn run_items(&self, way: Way<'_>, env: &Env<'_>, pool: usize, of: Loop<'e, ItemForm>) -> Looped<'e> {
        let Loop { node, form, items, stop, broken } = of;
        let mut slots: Vec<Option<Value<'e>>> = Vec::new();
        slots.resize_with(items.len(), || None);
        let (mut rest, mut asked) = (items.iter().zip(&mut slots).enumerate(), 0);
        let all = iter::from_fn(|| {
            if asked > items.len() {
                self.run_log.fault("an iterator was asked again after its end".into());
            }
            if broken == Some(asked) {
                Payload::throw(self.run_log, node, Program::charge_value(node), false);
            }
            asked += 1;
            self.run_log.callback(node + asked);
            if asked.is_multiple_of(ITEMS_PER_FORK) {
                filch::join(|| (), || ());
            }
            rest.next()
        });
        type Item<'i, 'e> = (usize, (&'i usize, &'i mut Option<Value<'e>>));
        let token = CancelToken::new();
        let run = |s: Strand<'_>, (i, (&item, slot)): Item<'_, 'e>| {
            // Some bodies do not use the strand.
            let way = if i % 3 == 2 { Way::Free } else { Way::Strand(s) };
            *slot = Some(self.iterate(way, env, pool, item));
            stop == Some(i)
        };
        let body = |s: Strand<'_>, item: Item<'_, 'e>| {
            if run(s, item) {
                token.cancel();
            }
        };
        let fallible = |s: Strand<'_>, item: Item<'_, 'e>| {
            let place = item.0;
            if run(s, item) { Err(place) } else { Ok(()) }
        };
        match (form, way) {
            (ItemForm::Strand, Way::Strand(mut s)) => s.for_each_item(all, body),
            (ItemForm::Strand | ItemForm::Free, _) => filch::for_each_item(all, body),
            (ItemForm::Try, way) => {
                let result = match way {
                    Way::Strand(mut s) => s.try_for_each_item(all, fallible),
                    Way::Free => filch::try_for_each_item(all, fallible),
                };
                if result.err() != stop {
                    self.run_log.fault(format!("{result:?} came of a loop that is stopped by {stop:?}"));
                }
            }
            (ItemForm::Until, way) => {
                let result = match way {
                    Way::Strand(mut s) => s.for_each_item_until(&token, all, body),
                    Way::Free => filch::for_each_item_until(&token, all, body),
                };
                self.check_stop(stop, result.is_err());
            }
        }
        match (stop, form) {
            (Some(stop), ItemForm::Try) => match slots.swap_remove(stop) {
                Some(value) => Looped::Stopped(value),
                None => Looped::Values(self.all_of(slots)),
            },
            (Some(stop), _) => {
                // Later items may or may not have run.
                slots.truncate(stop + 1);
                Looped::Values(self.all_of(slots))
            }
            (None, _) => Looped::Values(self.all_of(slots)),
        }
    }
}
