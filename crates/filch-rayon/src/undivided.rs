//! How items are run that other workers cannot have.

use crate::clock::{look_ns, now_ns, without_look};
use crate::divisible::Divisible;
use crate::pace::{Kind, Pace};
use rayon::iter::plumbing::{Consumer, Folder, Producer};
use std::cell::Cell;

/// Runs items that other workers cannot have.
pub(crate) fn piece<P, C>(kind: Kind, len: usize, producer: P, consumer: C, is_timed: bool) -> C::Result
where
    P: Divisible,
    C: Consumer<P::Item>,
{
    let inside = Pace::inside(kind);
    if !is_timed {
        return fold(producer, consumer);
    }
    let times = Times::default();
    let result = fold_timed(producer, consumer, Some(&times));
    drop(inside);
    times.note(kind, len);
    result
}

/// Runs items of which nothing is noted.
#[inline(always)]
pub(crate) fn fold<P, C>(producer: P, consumer: C) -> C::Result
where
    P: Divisible,
    C: Consumer<P::Item>,
{
    fold_timed(producer, consumer, None)
}

/// Runs items. Not inlined, and from the folder's beginning to its end, so that it stays in registers.
#[inline(never)]
fn fold_timed<P, C>(producer: P, consumer: C, times: Option<&Times>) -> C::Result
where
    P: Divisible,
    C: Consumer<P::Item>,
{
    let look = |when: fn(&Times) -> &Cell<u64>| {
        if let Some(times) = times {
            times.look(when);
        }
    };
    look(|times| &times.begin);
    let folder = consumer.into_folder();
    look(|times| &times.has_folder);
    let folder = if folder.full() { folder } else { producer.fold_with(folder) };
    if let Some(times) = times {
        times.is_full.set(folder.full());
    }
    look(|times| &times.has_items);
    let result = folder.complete();
    look(|times| &times.end);
    result
}

/// When a block began, had its folder, had run its items and ended.
#[derive(Default)]
struct Times {
    begin: Cell<u64>,
    has_folder: Cell<u64>,
    has_items: Cell<u64>,
    end: Cell<u64>,
    /// A folder that wants no more items has perhaps left some out.
    is_full: Cell<bool>,
}

impl Times {
    #[cold]
    #[inline(never)]
    fn look(&self, when: fn(&Times) -> &Cell<u64>) {
        when(self).set(now_ns());
    }

    /// Notes what a block of `len` items has cost.
    fn note(&self, kind: Kind, len: usize) {
        let [begin, has_folder, has_items, end] =
            [&self.begin, &self.has_folder, &self.has_items, &self.end].map(Cell::get);
        let folder_ns = (end - has_items + (has_folder - begin)).saturating_sub(2 * look_ns());
        Pace::with(kind, |pace| {
            if !self.is_full.get() && pace.is_of(kind) {
                pace.note_block(len, without_look(has_items - has_folder), folder_ns);
            }
        });
    }
}

/// Runs a few items, one by one: what [`Folder::consume_iter`] does if a folder has nothing better. What it has is
/// better for many items, but is seldom inlined.
#[inline(always)]
pub(crate) fn few<P, C>(producer: P, consumer: C) -> C::Result
where
    P: Producer,
    C: Consumer<P::Item>,
{
    let mut folder = consumer.into_folder();
    if !folder.full() {
        for item in producer.into_iter() {
            folder = folder.consume(item);
            if folder.full() {
                break;
            }
        }
    }
    folder.complete()
}
