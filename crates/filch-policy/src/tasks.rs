//! From which end of a task pool a spawned task is taken, and how many change pools at a time.
//!
//! Decided from who takes it, and from how many there are. A worker's own tasks go the latest first, as in a
//! recursion, unless their scope says otherwise; those of others the oldest first, which are likely to be the largest.
//! Several change pools at a time (batches: Cong, Kodali, Krishnamoorthy, Lea, Saraswat and Wen 2008, section 3.3).

/// So many tasks change pools at a time, at most, and never more than half of what is there: who looks for work locks
/// another's pool that much less often, and leaves enough for the next.
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
    /// For the worker whose pool it is.
    pub fn of_own(is_fifo: bool) -> Self {
        if is_fifo { End::Oldest } else { End::Newest }
    }
}

/// How many tasks go to another pool at a time, of so many: at least one.
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
