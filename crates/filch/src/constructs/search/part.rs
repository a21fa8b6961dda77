//! How the owner of a search gets the parts back that have left.

use super::Search;
use super::collect::Collect;
use super::frame::Part;
use super::position::Position;
use crate::engine::frame::Header;
use crate::engine::frame::part_memory::unpack;
use crate::engine::team::Top;
use crate::engine::wait::join_end::{Waited, wait};
use std::ptr::NonNull;
use std::thread;

/// What became of a part.
pub(super) enum Collected<P: Search, T> {
    Done(thread::Result<T>),
    /// No worker has begun it, and it belongs to its owner again.
    Reclaimed(Box<Position<P>>),
}

/// Waits for a part, or takes it back, and frees it.
///
/// # Safety
///
/// The caller must have removed `part` from its frame.
pub(super) unsafe fn collect_part<P: Search, C: Collect<P::Workspace>>(
    part: NonNull<Part<'_, P, C>>,
    top: &mut Top<'_>,
) -> Collected<P, C::Out> {
    // SAFETY: a part lives until it is freed below, and starts with its header.
    let header = unsafe { part.cast::<Header>().as_ref() };
    // SAFETY: the part was split from the caller's frame, so it has been claimed.
    let waited = unsafe { wait(top, header) };
    // SAFETY: the part is done or the caller's again, so no other thread has it. Its memory is that of a box.
    let part = unsafe { unpack(part) };
    match waited {
        Waited::Reclaimed => Collected::Reclaimed(part.position.take().expect("no worker has begun the part")),
        Waited::Done => Collected::Done(*part.result.into_inner().expect("a part that is done has a result")),
    }
}
