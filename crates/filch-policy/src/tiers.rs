//! The two tiers of CAB: which forks are shared between squads, and who may begin what (Chen, Huang, Guo and Zhou 2011,
//! sections III and IV).
//!
//! Decided from the level of the task that forks, from the boundary level of its divide-and-conquer procedure, and from
//! what the squad of the idle worker is doing.

/// The level of a task, and the boundary level of the procedure to which it belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tier {
    level: u16,
    boundary: u16,
}

impl Tier {
    /// Below the boundary, or of no such procedure: an intra-socket task.
    pub const INTRA: Tier = Tier { level: 0, boundary: 0 };

    /// The first task of a procedure with this boundary level. Its caller is on level 0 (section III-B), so this one is
    /// on level 1. With a boundary level of 0 there are intra-socket tasks only.
    pub fn first(boundary: u32) -> Self {
        let boundary = u16::try_from(boundary).unwrap_or(u16::MAX);
        Tier { level: boundary.min(1), boundary }
    }

    /// Whether intra-socket work stays in its squad if this is the tier of a run's first task. It does unless there are
    /// intra-socket tasks only.
    pub fn splits_squads(self) -> bool {
        self != Tier::INTRA
    }

    /// Whether what the task forks is an inter-socket task (algorithm II).
    pub fn forks_across(self) -> bool {
        self.level < self.boundary
    }

    /// Whether this is a leaf of the inter-socket tier: its forks are intra-socket tasks.
    pub fn is_leaf(self) -> bool {
        self.boundary > 0 && self.level == self.boundary
    }

    /// The tier of what the task forks.
    #[must_use]
    pub fn child(self) -> Self {
        if self.forks_across() { Tier { level: self.level + 1, ..self } } else { Tier::INTRA }
    }

    /// All of it in one word.
    pub fn word(self) -> u32 {
        u32::from(self.level) << 16 | u32::from(self.boundary)
    }

    /// The tier with this [word](Self::word).
    pub fn from_word(word: u32) -> Self {
        Tier { level: (word >> 16) as u16, boundary: word as u16 }
    }
}

/// Whether an idle worker looks for an inter-socket task (algorithm I): it is the head of its squad, the squad is not
/// busy with such a task, and there was no intra-socket task in the squad.
pub fn looks_across(is_head: bool, is_busy: bool) -> bool {
    is_head && !is_busy
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::boundary_level;

    /// How many leaves of the inter-socket tier a binary divide-and-conquer procedure has.
    fn leaves(tier: Tier) -> u64 {
        if tier.forks_across() { 2 * leaves(tier.child()) } else { u64::from(tier.is_leaf()) }
    }

    #[test]
    fn there_are_as_many_leaves_as_the_boundary_level_says() {
        let boundary = boundary_level(2, 4, 48 << 20, Some(6 << 20)).expect("B is 2");
        assert_eq!((boundary, leaves(Tier::first(boundary))), (4, 8), "B^(BL - 1)");
        assert_eq!((leaves(Tier::first(1)), leaves(Tier::first(0)), leaves(Tier::INTRA)), (1, 0, 0));
    }

    #[test]
    fn what_a_leaf_forks_is_below_the_boundary() {
        let leaf = Tier::first(2).child();
        assert!(leaf.is_leaf() && !leaf.forks_across());
        assert_eq!(leaf.child(), Tier::INTRA);
        assert_eq!(Tier::from_word(leaf.word()), leaf);
    }

    #[test]
    fn only_the_head_of_a_squad_that_is_not_busy_looks_across() {
        assert!(looks_across(true, false) && !looks_across(false, false) && !looks_across(true, true));
    }
}
