//! Preparing a frame before it leaves: a construct runs its own code, which may be code of the user, outside of L.
//!
//! The construct of a frame may have to do something before another worker can begin the frame. A backtracking search,
//! for example, has only one workspace: it steps back to the choice that it gives away, copies the workspace there, and
//! steps forward again (Yasugi, Hiraishi, Umatani and Yuasa 2012, section 2.2). That is code of the user, which must
//! not run under a lock, nor before H is back ([`ladder`](crate::protocol::ladder), "Code of the user"). So if a worker
//! has asked and the oldest frame is one of those, the owner calls
//! [`FrameKind::prepare`](crate::engine::frame::FrameKind::prepare) between two times that it locks its ladder.
//!
//! ```text
//!   owner, at a return that finds E raised         meanwhile
//!   ──────────────────────────────────────         ─────────
//!   locks L, and brings H back
//!     asked, and the oldest has to be prepared?    no: answers the ask, and that is all
//!   unlocks L
//!   prepares that frame                            another thread may take older frames, but not this one
//!   locks L
//!     the oldest frame is the prepared one?        yes: it may be given
//!     another one that would have to be prepared?  the ask stays in the ask word, and E is raised again
//!     one that could not be prepared?              the same, and H moves past it
//!   unlocks L
//! ```
//!
//! * A frame that has to be prepared leaves by a gift only. A thief that finds one leaves an *order*: it notes that one
//!   is there, and moves H past the frame. At its next look the owner finds E above the frame's rung, as if the frame
//!   had been taken. Then it brings H back, prepares, and leaves what it has prepared on its shelf.
//! * Code of a construct's user may fork while the frame of that construct is on the ladder. It is in the middle of
//!   something, so the frame cannot be prepared. It is passed by, so that what the code forks can leave. The owner
//!   brings H back at its next look.
//! * A prepared frame may stay, if the ask has been withdrawn or the credit does not allow a gift. So a frame may be
//!   prepared more than once.
//! * The code that prepares may fork. While it runs, its worker prepares nothing else and gives nothing that would have
//!   to be prepared.
//!
//! `models/prepare.pml` checks this, with its mutants.

use crate::engine::frame::ready::Ready;
use crate::engine::frame::{FrameRef, Header, OffLadder};
use crate::engine::team::Worker;
use crate::engine::team::{Occupied, Top};
use crate::sync::Ordering;

/// Whether `frame` is wanted and has to be prepared first. Not if `ready` tells already whether it can leave. Called by
/// the occupant of `worker`.
pub(crate) fn comes_first(worker: &Worker, frame: &Header, ready: Ready) -> bool {
    let is_unknown = matches!(ready, Ready::Unknown) && !ready.allows(frame);
    is_unknown && !worker.preparing.is_under_way.load(Ordering::Relaxed) && worker.team().sharing.is_wanted(worker)
}

/// Prepares the oldest frame below `top`, if there is one and it has to be prepared. The caller does not hold L.
pub(crate) fn oldest(top: &Top<'_>) -> Ready {
    let Some(frame) = top.oldest() else { return Ready::Unknown };
    if Ready::default().allows(&frame) {
        return Ready::Unknown;
    }
    // SAFETY: this thread has forked what is on its ladder, from which only it takes a frame that has to be prepared.
    // It holds no lock.
    unsafe { own(top, &frame) }
}

/// Prepares a frame that is off the ladder, if it has to be prepared. The caller holds no lock.
pub(crate) fn one(top: &Top<'_>, frame: &OffLadder<'_>) -> Ready {
    // SAFETY: this thread is the owner, and holds no lock.
    unsafe { own(top, frame) }
}

/// Prepares `frame`, if it has to be prepared.
///
/// # Safety
///
/// This thread has forked the frame, which has not left. It holds no lock.
pub(crate) unsafe fn own(top: &Top<'_>, frame: &FrameRef<'_>) -> Ready {
    let Some(prepare) = frame.kind().prepare else { return Ready::Now(frame.as_ptr()) };
    let is_under_way = &top.owner().preparing.is_under_way;
    if is_under_way.swap(true, Ordering::Relaxed) {
        return Ready::Unknown;
    }
    top.check();
    // SAFETY: guaranteed by the caller; the table is that of the frame's own type.
    let is_ready = unsafe { prepare(frame.as_ptr(), top.again()) };
    is_under_way.store(false, Ordering::Relaxed);
    if is_ready { Ready::Now(frame.as_ptr()) } else { Ready::NotNow(frame.as_ptr()) }
}

/// Counts a part that was prepared, and that its owner takes back because no worker has got it.
pub(crate) fn count_unfetched(at: Occupied<'_>) {
    at.owner().counters.parts_unfetched.bump();
}
