//! Where an owner helps that has older frames on its ladder: aside, on a spare one.
//!
//! A scope may end inside the first branch of a join whose second, F0, is still latent. What the owner forked above F0
//! while it helps nobody could have who waits for a part of that task: takers take the oldest, and F0 is no part of it.
//! If the owner is in the middle of a first branch there that waits for its second to begin, all would wait for ever.
//!
//! ```text
//!   own ladder    floor │ F0 │ null │        open to whoever may have F0; closed to asks, so as a rule taken at once
//!   spare ladder  floor │ D  │ null │        what the owner helps with, and nothing else: D is its oldest
//! ```
//!
//! The spare worker has names, counters, an ask word, a mailbox and a parker of its own, as if a second thread helped.
//! What it runs has its origin like any other task, by which it is found. At the scope's end the owner sleeps on its
//! own worker's parker. The seat stays what it is (`engine/seat/held.rs`).
//!
//! It helps where it is if nothing would be gained: where nobody takes, F0 would be out of everybody's reach meanwhile;
//! where waiters run anything, they get past F0. And it does where no spare worker is to be had. Then F0 hides what is
//! forked.
//!
//! The model, with helping on the own ladder as a mutant, is `models/aside.pml`.

use crate::engine::frame::Rung;
use crate::engine::seat::held;
use crate::engine::team::{Ladder, Team};

/// Calls `f` with the ladder on which this thread, the occupant of `ladder`, whose top is `top`, is to help while it
/// waits, and with the top of that; it works there meanwhile. `f` leaves both ladders as it finds them.
pub(crate) fn work_aside<R>(ladder: &Ladder, top: Rung, f: impl FnOnce(&Ladder, Rung) -> R) -> R {
    let team = ladder.owner().team();
    // Without L: only the occupant lowers H or adds frames, and H is at most T. So where none is seen, none comes; one
    // that is seen may be gone at once, and then this was for nothing.
    let has_older = ladder.oldest() < top.addr();
    let spare = team.rules_now().helps_aside(has_older).then(|| Spare::take(team, ladder)).flatten();
    let Some(spare) = spare else { return f(ladder, top) };
    let aside = team.ladder(spare.index);
    held::occupy_again(team, aside, aside.first(), || f(aside, aside.first()))
}

/// A spare worker that this thread occupies beside its own.
struct Spare<'t> {
    team: &'t Team,
    index: usize,
}

impl<'t> Spare<'t> {
    fn take(team: &'t Team, own: &Ladder) -> Option<Self> {
        let index = team.take_spare(own.owner().seat())?;
        // So what may be nested on a worker may be nested on these two together.
        team.worker(index).tasks.nest_in(Some(&own.owner().tasks));
        Some(Spare { team, index })
    }
}

impl Drop for Spare<'_> {
    fn drop(&mut self) {
        self.team.worker(self.index).tasks.nest_in(None);
        self.team.give_back_spare(self.index);
    }
}
