//! In which order a worker without work looks at the places where there may be some.
//!
//! What lies in queues and pools comes first, because no worker is asked or interrupted for it. What only this thread
//! may run comes before that, because nobody else will. What is shared between squads comes after what the own squad
//! has left (Chen, Huang, Guo and Zhou 2011, algorithm I), and frames on ladders come last.

/// A place where there may be work for a worker that has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Tasks that only this thread may run.
    Bound,
    /// Tasks of scopes, in queues.
    Spawned,
    /// Frames that workers have left for others.
    Shelves,
    /// Inter-socket tasks, in the pools of squads.
    Across,
    /// Frames on the ladders of other workers, which are asked, and taken from.
    Ladders,
}

impl Source {
    /// All of them, in the order in which a worker looks.
    pub const ORDER: [Source; 5] = [Source::Bound, Source::Spawned, Source::Shelves, Source::Across, Source::Ladders];
}
