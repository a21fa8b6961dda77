//! What a rank has done.

use std::fmt;

/// What this rank has done for searches on the cluster.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counters {
    /// Asks for work.
    pub asks: u64,
    /// Asks of other ranks that have been answered with parts.
    pub gives: u64,
    /// These parts: steals, as the thief sees it.
    pub parts: u64,
    /// Asks refused, also at the end.
    pub refusals: u64,
    /// Messages sent.
    pub messages: u64,
    /// Workspaces copied for other ranks.
    pub copies: u64,
    /// Looks for messages after a pause.
    pub looks: u64,
}

impl Counters {
    /// The sum of both.
    #[must_use]
    pub fn plus(&self, other: &Counters) -> Counters {
        Counters {
            asks: self.asks + other.asks,
            gives: self.gives + other.gives,
            parts: self.parts + other.parts,
            refusals: self.refusals + other.refusals,
            messages: self.messages + other.messages,
            copies: self.copies + other.copies,
            looks: self.looks + other.looks,
        }
    }
}

impl fmt::Display for Counters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counters { asks, gives, parts, refusals, messages, copies, looks } = self;
        write!(
            f,
            "{asks} asks, {gives} gives of {parts} parts, {refusals} refusals, {messages} messages, {copies} copies, \
             {looks} looks"
        )
    }
}
