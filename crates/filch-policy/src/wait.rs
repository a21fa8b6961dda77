//! What a worker helps with while it waits, and on which ladder it helps while it waits at the end of a scope, if it
//! has older frames on its own ladder.
//!
//! The ladder is decided from the rules, and from whether there are such frames. If the worker helped on its own
//! ladder, its older frames would hide what it forks there from workers that wait for a part of that. On a spare ladder
//! nothing hides these forks. But then other workers can only take from the worker's own ladder, because its thread
//! cannot be asked.

use crate::rules::Rules;

impl Rules {
    /// Whether a worker that waits for something runs a task or a frame, of which `is_part` says whether it is a part
    /// of that.
    pub fn helps_with(&self, is_part: impl FnOnce() -> bool) -> bool {
        self.waits_for_any() || is_part()
    }

    /// Whether the worker helps on a spare ladder. It does not in two cases. If no worker takes, its own frames
    /// would be out of reach of all others meanwhile. If waiters run anything, they take the older frames first, and so
    /// reach the newer ones.
    pub fn helps_aside(&self, has_older: bool) -> bool {
        has_older && self.takes() && !self.waits_for_any()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Costs;

    #[test]
    fn a_waiter_helps_aside_if_others_take_and_wait_for_parts_only() {
        let helps = |scheduler: &str, has_older| {
            Rules::new(&scheduler.parse().expect("a scheduler"), Costs::ASSUMED, true).helps_aside(has_older)
        };
        assert!(helps("default", true) && helps("cilk5", true));
        assert!(!helps("default", false) && !helps("default,wait=any", true) && !helps("default,patience=never", true));
    }
}
