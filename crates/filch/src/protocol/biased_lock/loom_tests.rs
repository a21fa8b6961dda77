//! Loom checks the biased lock. `cargo xtask loom` runs these tests, and the mutants that they must reject.

use super::BiasedLock;
use loom::sync::Arc;
use loom::thread;

/// Called by the owner.
fn enter(shared: &BiasedLock<usize>) {
    // SAFETY: this thread is the owner.
    unsafe { shared.enter(|value| *value += 1) };
}

/// Runs an owner that enters so often, beside other threads that visit so often. Each adds one; loom reports it if two
/// of them touch the value at the same time. Under loom the lock is biased after each entry that has taken it.
fn check(entries: usize, others: usize, visits: usize) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(move || {
        let shared = Arc::new(BiasedLock::new(0));
        enter(&shared);
        let others_of: Vec<_> = (0..others)
            .map(|_| {
                let shared = Arc::clone(&shared);
                thread::spawn(move || {
                    for _ in 0..visits {
                        shared.visit(|value| *value += 1).expect("there is a barrier");
                    }
                })
            })
            .collect();
        for _ in 0..entries {
            enter(&shared);
        }
        others_of.into_iter().for_each(|other| other.join().unwrap());
        let sum = shared.visit(|value| *value).expect("there is a barrier");
        assert_eq!(sum, 1 + entries + others * visits);
    });
}

#[test]
fn the_owner_and_others_take_turns() {
    check(2, 1, 2);
    check(1, 2, 1);
}

/// A thread that visits once.
fn visitor(shared: &Arc<BiasedLock<usize>>) -> thread::JoinHandle<()> {
    let shared = Arc::clone(shared);
    thread::spawn(move || shared.visit(|value| *value += 1).expect("there is a barrier"))
}

/// The owner leaves while another thread may be waiting for it.
#[test]
fn the_owner_leaves() {
    loom::model(|| {
        let shared = Arc::new(BiasedLock::new(0));
        enter(&shared);
        let visitor = visitor(&shared);
        enter(&shared);
        // SAFETY: as above.
        unsafe { shared.share() };
        visitor.join().unwrap();
        assert_eq!(shared.visit(|value| *value), Some(3));
    });
}

/// The occupant of a worker changes: the next owner has heard of the last one.
#[test]
fn another_thread_becomes_the_owner() {
    loom::model(|| {
        let shared = Arc::new(BiasedLock::new(0));
        enter(&shared);
        let visitor = visitor(&shared);
        let next = thread::spawn({
            let shared = Arc::clone(&shared);
            // The owner before this one does not enter again.
            move || enter(&shared)
        });
        visitor.join().unwrap();
        next.join().unwrap();
        assert_eq!(shared.visit(|value| *value), Some(3));
    });
}
