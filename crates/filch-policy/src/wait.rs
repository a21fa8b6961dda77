//! On which ladder a worker helps that waits at the end of a scope, and has older frames on its own.
//!
//! Decided from the rules, and from whether there are such frames. On its own ladder an older frame would hide what it
//! forks while it helps from those who wait for a part of that. On a spare one nothing does; but then its own can only
//! be taken from, because nobody is there to be asked.

use crate::rules::Rules;

impl Rules {
    /// Whether it helps on a spare ladder. Not if nothing would be gained: where nobody takes, its own frames would be
    /// out of everybody's reach meanwhile; where waiters run anything, they get past them.
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
