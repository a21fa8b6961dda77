//! From which end of a spawn queue a task is taken, and how many tasks move to another queue at a time.
//!
//! Decided from which worker takes the task, and from how many tasks there are. A worker takes the latest of its own
//! tasks first, as in a recursion, unless their scope says otherwise. It takes the oldest of another worker's tasks
//! first, because these are likely to be the largest. Several tasks move at a time (batches: Cong, Kodali,
//! Krishnamoorthy, Lea, Saraswat and Wen 2008, section 3.3).

/// How many tasks move to another pool at a time, at most. A worker that looks for work then locks the pools of others
/// less often.
pub const MAX_MOVED: usize = 16;

/// From which end of a pool a task is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The earliest first.
    Oldest,
    /// The latest first.
    Newest,
}

impl End {
    /// The end from which a worker takes tasks from its own pool.
    pub fn of_own(is_fifo: bool) -> Self {
        if is_fifo { End::Oldest } else { End::Newest }
    }
}

/// How many tasks to take from a pool with this many tasks: half of them, but at least one and at most `MAX_MOVED`.
/// The rest is left for the next worker.
pub fn moved_of(tasks: usize) -> usize {
    (tasks / 2).clamp(1, MAX_MOVED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_tasks_move_up_to_a_batch() {
        assert_eq!([1, 2, 3, 4, 9, 32, 33, 1_000].map(moved_of), [1, 1, 1, 2, 4, 16, 16, 16]);
    }
}
