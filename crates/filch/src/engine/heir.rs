//! Teams in children of fork(2): what works in the place of one that was left behind.

use super::team::Team;
use crate::sync::Ordering;
use filch_policy::{Costs, Rules, Scheduler};
use std::sync::Arc;

impl Team {
    /// The team to run on instead, if this one is left behind: of one worker, without threads. It may be left behind as
    /// well.
    #[cold]
    pub(crate) fn heir(&self) -> &Team {
        let mut heir = self.heir.load(Ordering::Acquire);
        if heir.is_null() {
            let scheduler = Scheduler::serial();
            let rules = Rules::new(&scheduler, Costs::NONE, false);
            let made = Team::new(1, self.capacity, scheduler, rules, None, self.panic_handler.clone());
            let made = Arc::into_raw(made.expect("there is no memory for a ladder, in a child of fork(2)")).cast_mut();
            // No lock, which a thread of this process might hold when it is forked in turn.
            heir = match self.heir.compare_exchange(heir, made, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => made,
                Err(other) => {
                    // SAFETY: made above, and nobody has seen it.
                    drop(unsafe { Arc::from_raw(made) });
                    other
                }
            };
        }
        // SAFETY: not null, and not freed before this team is.
        unsafe { &*heir }
    }
}
