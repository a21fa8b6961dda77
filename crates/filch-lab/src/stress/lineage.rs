//! Checks, from outside of the runtime, that a waiting worker runs only parts of what it waits for.
//!
//! Each thread has a stack of ranges of nodes. For each branch and each run that is in progress on the thread, the
//! stack holds the nodes that may start on this thread before that branch or run continues. For a branch that is
//! running, these are its own parts. For one that waits for the second branch of a join, these are the parts of that
//! branch. Only the thread itself accesses its stack.

use std::cell::RefCell;
use std::ops::Range;

thread_local! {
    static EXPECTED: RefCell<Vec<Range<u64>>> = const { RefCell::new(Vec::new()) };
}

/// A part that is in progress on this thread, until it is dropped.
#[derive(Debug)]
#[must_use = "it lasts until it is dropped"]
pub struct Begun(());

/// Starts the nodes in `range` on this thread. If they are not part of what the thread waits for, returns what it waits
/// for.
pub fn begin(range: Range<u64>) -> (Begun, Option<Range<u64>>) {
    begin_task(range.clone(), range)
}

/// Starts a task of the scope with the nodes in `scope`. The task is part of everything that the scope is part of, and
/// of nothing else around the place where it was spawned.
pub fn begin_task(scope: Range<u64>, range: Range<u64>) -> (Begun, Option<Range<u64>>) {
    EXPECTED.with_borrow_mut(|expected| {
        let outside = |expected: &&Range<u64>| scope.start < expected.start || expected.end < scope.end;
        let violated = expected.last().filter(outside).cloned();
        expected.push(range);
        (Begun(()), violated)
    })
}

impl Drop for Begun {
    fn drop(&mut self) {
        EXPECTED.with_borrow_mut(Vec::pop);
    }
}

/// A join in progress on this thread, until it is dropped.
#[derive(Debug)]
#[must_use = "it lasts until it is dropped"]
pub struct Join {
    before: Option<Range<u64>>,
}

/// The innermost part in progress on this thread starts a join.
pub fn join() -> Join {
    Join { before: EXPECTED.with_borrow(|expected| expected.last().cloned()) }
}

impl Drop for Join {
    fn drop(&mut self) {
        expect(self.before.take());
    }
}

/// When it is dropped, restricts the nodes that may start before the join is over to its range. It is created at the
/// start of a first branch, before [`begin`], and dropped at the end of the branch, also by a panic.
#[derive(Debug)]
#[must_use = "it has an effect when it is dropped"]
pub struct ThenOnly(pub Range<u64>);

impl Drop for ThenOnly {
    fn drop(&mut self) {
        expect(Some(self.0.clone()));
    }
}

fn expect(range: Option<Range<u64>>) {
    EXPECTED.with_borrow_mut(|expected| {
        if let (Some(last), Some(range)) = (expected.last_mut(), range) {
            *last = range;
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_in_the_middle_of_nothing_may_begin_anything() {
        assert_eq!(begin(5..9).1, None);
        assert_eq!(begin(1..3).1, None);
    }

    #[test]
    fn a_worker_that_waits_for_a_second_branch_may_begin_its_parts_and_nothing_else() {
        let (_branch, _) = begin(0..10);
        {
            let _join = join();
            {
                let _then = ThenOnly(5..10);
                let (_a, violated) = begin(1..5);
                assert_eq!(violated, None);
            }
            assert_eq!(begin(7..9).1, None, "a part of the second branch");
            assert_eq!(begin(5..10).1, None, "the second branch");
            assert_eq!(begin(2..4).1, Some(5..10), "a part of the first branch");
            assert_eq!(begin(11..12).1, Some(5..10), "something unrelated");
            assert_eq!(begin(0..10).1, Some(5..10), "what the join is part of");
        }
        assert_eq!(begin(2..4).1, None, "the join is over");
    }

    #[test]
    fn a_worker_that_waits_for_a_branch_may_not_begin_a_task_that_the_branch_spawned_into_a_scope_further_out() {
        let (_scope, _) = begin(0..10);
        assert_eq!(begin_task(0..10, 6..7).1, None, "at the end of the scope");
        let _join = join();
        drop(ThenOnly(5..10));
        assert_eq!(begin_task(0..10, 6..7).1, Some(5..10), "a task of the outer scope");
        assert_eq!(begin_task(5..8, 6..7).1, None, "a task of one inside the branch");
    }
}
