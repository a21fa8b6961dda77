//! When code of the user may run.

use super::frame::Rung;
use super::team::Ladder;

/// Called before code of the user runs. In debug builds, checks that it may: that H is not above the top
/// ([`ladder`](crate::protocol::ladder), "Code of the user").
///
/// # Safety
///
/// The caller occupies the ladder that `rung` belongs to.
#[inline(always)]
pub(crate) unsafe fn before_user_code(rung: Rung) {
    if cfg!(debug_assertions) {
        // SAFETY: every rung of this type belongs to a `Ladder`, which lives while it is occupied.
        let ladder = unsafe { Ladder::of(rung) };
        // SAFETY: guaranteed by the caller.
        let is_admitted = unsafe { ladder.admits_user_code(rung) };
        assert!(is_admitted, "code of the user runs while H is above the top of its ladder");
    }
}
