//! Which pair is promoted, and when. All but one of these are mistakes, for tests that must find them.

use crate::stack::Which;

/// Which pair is promoted, and when. Heartbeat scheduling is [`Promotion::Oldest`].
///
/// The others are *mutants*: each departs from the paper in one respect, and one of the bounds does not hold for it. A
/// test of the bounds that cannot tell them from heartbeat scheduling shows nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Promotion {
    /// The oldest pair, once there are N credits (section 3.4, figure 6, rule HBPROMOTE).
    #[default]
    Oldest,
    /// The youngest pair, once there are N credits. Older pairs, which are larger, wait for it. Theorem 3 does not
    /// hold.
    Youngest,
    /// The oldest pair, when another worker asks, as under lazy scheduling (section 2). An ask comes with every so
    /// many transitions of the whole evaluation, as it goes on from the left branch of a pair to the right one. An ask
    /// is lost on a machine that has nothing to promote. Theorem 3 does not hold if asks are rare; theorem 2 does not
    /// hold if they are frequent.
    WhenAsked {
        /// How many transitions there are from one ask to the next.
        every: u64,
    },
    /// None, ever: the sequential semantics. Theorem 3 does not hold.
    Never,
    /// Every pair at once, whatever the credits. Theorem 2 does not hold.
    AtOnce,
    /// The oldest pair, once there are N credits, which it does not use up. Theorem 2 does not hold.
    Unpaid,
}

impl Promotion {
    /// Whether it is time to promote. `credits` is `n` of the paper, `period` is N, and `transitions` counts those of
    /// the whole evaluation.
    pub(crate) fn is_due(self, credits: u64, period: u64, transitions: u64) -> bool {
        match self {
            Promotion::Oldest | Promotion::Youngest | Promotion::Unpaid => credits >= period,
            // Right after a promotion there are no credits. So an ask is answered once.
            Promotion::WhenAsked { every } => credits > 0 && transitions.is_multiple_of(every),
            Promotion::Never => false,
            Promotion::AtOnce => true,
        }
    }

    pub(crate) fn which(self) -> Which {
        if self == Promotion::Youngest { Which::Youngest } else { Which::Oldest }
    }

    /// The credits after a promotion.
    pub(crate) fn credits_left(self, credits: u64) -> u64 {
        if self == Promotion::Unpaid { credits } else { 0 }
    }
}
