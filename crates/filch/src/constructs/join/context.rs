//! What a branch is told of how it came to run.

/// How a branch came to run, told to the branches of a `join_context`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    migrated: bool,
}

impl Context {
    pub(crate) const STAYED: Context = Context { migrated: false };
    pub(crate) const MIGRATED: Context = Context { migrated: true };

    /// Whether this branch runs on another worker than the one that forked it. Always false in a first branch.
    pub fn migrated(&self) -> bool {
        self.migrated
    }
}
