//! What a fork does that has found its slot marked.
//!
//! Decided from what the mark asks for, from the tier of the task, and from whether the worker may leave something. A
//! mark is the only way in which others reach a worker that has no frame: they leave it where the next frame will be.

/// What a mark asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// A thread that sleeps wants to be told of the next frame.
    Tell,
    /// The next frame is to be shared at once.
    Share,
}

/// What the fork does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fork {
    /// It leaves its frame for others.
    Shares,
    /// It calls those that watch, and shows its frame on the ladder.
    Tells,
    /// It shows its frame on the ladder.
    Pushes,
}

impl Fork {
    /// What the first fork of a run does, after it has announced the run. `forks_across` says that the frame is an
    /// inter-socket task.
    pub fn at_first(forks_across: bool, may_leave: impl FnOnce() -> bool) -> Self {
        if forks_across || may_leave() { Fork::Shares } else { Fork::Pushes }
    }

    /// What a later fork does that has found a mark with this wish. `is_watched` says that a thread watches ladders,
    /// perhaps since the mark was made.
    pub fn at_mark(
        wish: Wish,
        forks_across: bool,
        may_leave: impl FnOnce() -> bool,
        is_watched: impl FnOnce() -> bool,
    ) -> Self {
        if forks_across || may_leave() {
            Fork::Shares
        } else if wish == Wish::Tell || is_watched() {
            Fork::Tells
        } else {
            Fork::Pushes
        }
    }
}

/// Whether a worker that is about to run a task marks its first slot, so that what the task forks first is shared at
/// once. `leaves` says that the worker would leave something if its credit allowed it.
pub fn begins_eager(leaves: bool, forks_across: bool) -> bool {
    leaves || forks_across
}

/// Whether a worker that comes back to a frame which nobody has begun removes the mark of its next frame: no worker has
/// come for this one, so none is likely to come for what it forks. Inter-socket tasks are shared in any case.
pub fn becomes_patient(forks_across: bool) -> bool {
    !forks_across
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_may_leave_shares_and_otherwise_tells_those_that_watch() {
        assert_eq!(Fork::at_first(false, || true), Fork::Shares);
        assert_eq!(Fork::at_first(false, || false), Fork::Pushes);
        assert_eq!(Fork::at_mark(Wish::Tell, false, || true, || true), Fork::Shares);
        assert_eq!(Fork::at_mark(Wish::Tell, false, || false, || false), Fork::Tells);
        assert_eq!(Fork::at_mark(Wish::Share, false, || false, || true), Fork::Tells);
        assert_eq!(Fork::at_mark(Wish::Share, false, || false, || false), Fork::Pushes);
    }

    #[test]
    fn inter_socket_tasks_are_shared_without_a_look_at_the_credit() {
        let unasked = || -> bool { unreachable!("no credit is spent") };
        assert_eq!(Fork::at_first(true, unasked), Fork::Shares);
        assert_eq!(Fork::at_mark(Wish::Tell, true, unasked, unasked), Fork::Shares);
        assert!(begins_eager(false, true) && !becomes_patient(true));
    }
}
