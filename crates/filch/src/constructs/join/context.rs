//! What a branch learns of how it came to run.

/// How a branch came to run: the argument of the branches of a `join_context`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    migrated: bool,
}

impl Context {
    pub(crate) const STAYED: Context = Context { migrated: false };
    pub(crate) const MIGRATED: Context = Context { migrated: true };

    /// Whether another worker than the one that forked this branch runs it. Always false in a first branch.
    pub fn migrated(&self) -> bool {
        self.migrated
    }
}
