//! The end of a team: its threads leave when it has been dismissed and its detached tasks are done.
//!
//! Three threads may meet here: one that dismisses the team, one that has counted out the last task, and one that is
//! about to sleep. Each of the first two writes, and then looks for what it needs in order to wake the third.
//!
//! | state | written by | read by |
//! |---|---|---|
//! | `is_dismissed` | the thread that dismisses, before it wakes those that are announced | all |
//! | the counts of tasks | the runner of a task, before it looks at `is_dismissed` | all |
//! | whether a thread sleeps | it, before it looks at `is_dismissed`, and then at the counts | who wakes it |
//!
//! A thread that finds the team dismissed and tasks left sleeps. There is a fence between its announcement and its look
//! at the counts, and one between the count of a runner and its look at `is_dismissed`. So the runner that ends the
//! last task comes later, finds the team dismissed, and wakes the thread. Where there are several counts, of two
//! threads that end the last task of one each, at least one finds all of them at zero. A thread that does not find the
//! team dismissed is woken by the one that dismisses it: all accesses of these two are sequentially consistent.
//!
//! Loom checks these sources (below). May import: `sync`.

use crate::sync::{AtomicBool, Ordering, memory_fence};

#[derive(Default)]
pub(crate) struct End {
    is_dismissed: AtomicBool,
}

impl End {
    /// Tells the threads to leave once the tasks are done.
    pub(crate) fn dismiss(&self, wake_all: impl FnOnce()) {
        if mutant!("dismissed_late") {
            wake_all();
            return self.is_dismissed.store(true, Ordering::SeqCst);
        }
        self.is_dismissed.store(true, Ordering::SeqCst);
        wake_all();
    }

    /// Whether the threads leave. For a thread that is about to sleep, and has announced that; or for any.
    pub(crate) fn is_over(&self, are_done: impl FnOnce() -> bool) -> bool {
        self.is_dismissed.load(Ordering::SeqCst) && {
            if !mutant!("is_over_unfenced") {
                memory_fence();
            }
            are_done()
        }
    }

    /// Called by a thread that has counted out the last task of one count.
    pub(crate) fn last_is_done(&self, are_done: impl FnOnce() -> bool, wake_all: impl FnOnce()) {
        if !mutant!("last_unfenced") {
            memory_fence();
        }
        if self.is_over(are_done) && !mutant!("last_silent") {
            wake_all();
        }
    }
}

#[cfg(all(test, loom))]
mod tests {
    use super::*;
    use crate::protocol::marks::Marks;
    use crate::protocol::sleep::Sleepers;
    use crate::sync::parker::Parker;
    use crate::sync::pending::Pending;
    use filch_policy::Plan;
    use loom::sync::Arc;
    use loom::thread;
    use std::time::Duration;

    fn check(test: impl Fn() + Sync + Send + 'static) {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(3);
        model.check(test);
    }

    fn beside<S: Send + Sync + 'static>(
        shared: &Arc<S>,
        f: impl FnOnce(&S) + Send + 'static,
    ) -> thread::JoinHandle<()> {
        let shared = Arc::clone(shared);
        thread::spawn(move || f(&shared))
    }

    /// A team with a detached task of each order, and a thread that has none of them.
    struct Team {
        end: End,
        counts: [Pending; 2],
        sleepers: Sleepers,
    }

    impl Team {
        /// With so many tasks in each order.
        fn with(tasks: [usize; 2]) -> Arc<Self> {
            let counts = tasks.map(|tasks| {
                let count = Pending::always_told();
                (0..tasks).for_each(|_| _ = count.add());
                count
            });
            Arc::new(Team { end: End::default(), counts, sleepers: Sleepers::new(1, None) })
        }

        fn are_done(&self) -> bool {
            self.counts.iter().all(Pending::is_zero)
        }

        /// What `life::live` does. There are no timeouts here, so a call that is missed is a deadlock, which loom
        /// reports.
        fn live(&self) {
            let is_over = || self.end.is_over(|| self.are_done());
            self.sleepers.begin_idle();
            while !is_over() {
                self.sleepers.sleep(0, Plan::Nap(Duration::MAX), false, |_| is_over());
            }
            assert!(self.are_done(), "it stays for the tasks");
            self.sleepers.leave(0);
        }

        fn dismiss(&self) {
            self.end.dismiss(|| self.sleepers.wake_all());
        }

        /// What `run_tasks::count_out` does.
        fn end_task(&self, order: usize) {
            if self.counts[order].complete(1) {
                self.end.last_is_done(|| self.are_done(), || self.sleepers.wake_all());
            }
        }
    }

    #[test]
    fn a_thread_without_a_task_leaves_when_the_team_is_dismissed_and_the_last_task_is_done() {
        check(|| {
            let team = Team::with([1, 0]);
            let idle = beside(&team, Team::live);
            let runner = beside(&team, |team| team.end_task(0));
            team.dismiss();
            runner.join().unwrap();
            idle.join().unwrap();
        });
    }

    #[test]
    fn a_thread_leaves_when_a_team_without_tasks_is_dismissed() {
        check(|| {
            let team = Team::with([0, 0]);
            let idle = beside(&team, Team::live);
            team.dismiss();
            idle.join().unwrap();
        });
    }

    /// Each of two threads ends the last task of its order.
    #[test]
    fn one_of_two_runners_knows_that_the_last_task_is_done() {
        check(|| {
            let team = Team::with([1, 1]);
            team.dismiss();
            let idle = beside(&team, Team::live);
            let runner = beside(&team, |team| team.end_task(0));
            team.end_task(1);
            runner.join().unwrap();
            idle.join().unwrap();
        });
    }

    /// A thread that announces itself, and looks. Loom takes sequentially consistent accesses for weaker than they are,
    /// so `Sleepers` has fences for it, and one of them would stand for that of `is_over`.
    #[test]
    fn a_thread_that_has_announced_itself_sees_the_last_count_or_is_woken() {
        check(|| {
            let shared = Arc::new((End::default(), Pending::always_told(), Marks::none(1), Parker::new()));
            shared.0.dismiss(|| ());
            shared.1.add();
            let runner = beside(&shared, |(end, count, announced, bed)| {
                let wake = || {
                    if announced.remove(0) {
                        bed.unpark();
                    }
                };
                if count.complete(1) {
                    end.last_is_done(|| count.is_zero(), wake);
                }
            });
            let (end, count, announced, bed) = &*shared;
            announced.insert(0);
            if !end.is_over(|| count.is_zero()) {
                bed.park();
            }
            assert!(count.is_zero());
            runner.join().unwrap();
        });
    }
}
