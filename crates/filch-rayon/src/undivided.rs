//! How items are run that other workers cannot have.

use crate::clock::{look_ns, now_ns, without_look};
use crate::divisible::Divisible;
use crate::pace::{Kind, Pace};
use rayon::iter::plumbing::{Consumer, Folder};

/// Runs items that other workers cannot have.
pub(crate) fn piece<P, C>(kind: Kind, len: usize, producer: P, consumer: C, is_timed: bool) -> C::Result
where
    P: Divisible,
    C: Consumer<P::Item>,
{
    if is_timed {
        return timed_block(kind, len, producer, consumer);
    }
    let _inside = Pace::inside(kind);
    fold(producer, consumer)
}

#[inline(always)]
pub(crate) fn fold<P, C>(producer: P, consumer: C) -> C::Result
where
    P: Divisible,
    C: Consumer<P::Item>,
{
    let folder = consumer.into_folder();
    if folder.full() { folder.complete() } else { producer.fold_with(folder).complete() }
}

/// Runs a block, and notes what it has cost.
#[inline(never)]
fn timed_block<P, C>(kind: Kind, len: usize, producer: P, consumer: C) -> C::Result
where
    P: Divisible,
    C: Consumer<P::Item>,
{
    let inside = Pace::inside(kind);
    let begin = now_ns();
    let folder = consumer.into_folder();
    let has_folder = now_ns();
    let folder = if folder.full() { folder } else { producer.fold_with(folder) };
    // A folder that wants no more items has perhaps left some out.
    let is_full = folder.full();
    let has_items = now_ns();
    let result = folder.complete();
    let folder_ns = (now_ns() - has_items + (has_folder - begin)).saturating_sub(2 * look_ns());
    drop(inside);
    Pace::with(kind, |pace| {
        if !is_full && pace.is_of(kind) {
            pace.note_block(len, without_look(has_items - has_folder), folder_ns);
        }
    });
    result
}
