//! Drops of values and of panic payloads while another panic unwinds.

use crate::engine::seats::current;
use crate::engine::team::payload;
use crate::engine::team::{Occupied, Team, Top};
use std::any::Any;
use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Drops `value`. If that panics, the payload goes to the panic handler.
pub(crate) fn drop_quietly<T>(top: &Top<'_>, value: T) {
    top.check();
    drop_quietly_for(top.owner().team(), value);
}

/// [`drop_quietly`], for a caller that has the team and perhaps no ladder.
pub(crate) fn drop_quietly_for<T>(team: &Team, value: T) {
    let mut value = Some(value);
    quietly(team, &mut || value = None);
}

/// By pointer, because catching is much code for each type.
fn quietly(team: &Team, drop: &mut dyn FnMut()) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(drop)) {
        payload::lose(team, payload);
    }
}

/// Disposes of the payload of a panic that cannot be passed on.
#[cold]
pub(crate) fn lose_payload(top: &Top<'_>, payload: Box<dyn Any + Send>) {
    payload::lose(top.owner().team(), payload);
}

/// A value that is [dropped quietly](drop_quietly) if the code that is to take it unwinds.
pub(crate) struct Quiet<'l, T> {
    at: Occupied<'l>,
    value: ManuallyDrop<T>,
}

impl<'l, T> Quiet<'l, T> {
    #[inline(always)]
    pub(crate) fn new(at: Occupied<'l>, value: T) -> Self {
        Quiet { at, value: ManuallyDrop::new(value) }
    }

    #[inline(always)]
    pub(crate) fn get(&self) -> &T {
        &self.value
    }

    #[inline(always)]
    pub(crate) fn take(self) -> T {
        let mut this = ManuallyDrop::new(self);
        // SAFETY: `this` is not used again.
        unsafe { ManuallyDrop::take(&mut this.value) }
    }
}

impl<T> Drop for Quiet<'_, T> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: it is not used again.
        drop_quietly(&self.at.top(), unsafe { ManuallyDrop::take(&mut self.value) });
    }
}

/// Drops `other`, and returns `kept`; if that panics, `kept` is dropped, too. For a worker.
///
/// A function that just returns `kept` leaks it: if a result is ready and then the drop of an argument panics, nobody
/// drops the result.
pub(crate) fn keep<T, O>(kept: T, other: O) -> T {
    current::with(|here| {
        let kept = Quiet::new(here.expect("the caller is a worker"), kept);
        drop(other);
        kept.take()
    })
}

/// [`Option::or`], by [`keep`].
pub(crate) fn former_or<T>(former: Option<T>, latter: Option<T>) -> Option<T> {
    match former {
        Some(former) => Some(keep(former, latter)),
        None => latter,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pool;
    use std::cell::Cell;

    /// Panics when it is dropped, but not while a panic unwinds.
    struct Bomb<'a>(&'a Cell<usize>);

    impl Drop for Bomb<'_> {
        fn drop(&mut self) {
            self.0.set(self.0.get() + 1);
            if !std::thread::panicking() {
                std::panic::resume_unwind(Box::new("in a destructor"));
            }
        }
    }

    #[test]
    fn of_two_values_both_are_dropped_if_the_drop_of_one_panics() {
        let pool = Pool::builder().workers(1).build().expect("a pool");
        let counted = || {
            let drops = Cell::new(0);
            let both = catch_unwind(AssertUnwindSafe(|| former_or(Some(Bomb(&drops)), Some(Bomb(&drops))).is_some()));
            (both.is_err(), drops.get())
        };
        assert_eq!(pool.run(|_| counted()), (true, 2));
        assert!(pool.run(|_| former_or(None, Some(1)) == Some(1) && former_or(Some(1), None) == Some(1)));
    }
}
