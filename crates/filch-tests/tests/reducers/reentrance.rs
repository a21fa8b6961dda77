//! Updates inside of updates, and in a monoid's own code.

use crate::common::{eager_pool, panic_text};
use crate::{ROUNDS, fork_apart};
use filch::monoids::{self, Append, Monoid, Sum};
use filch::{Reducer, Strand};
use std::sync::atomic::{AtomicBool, Ordering};

#[test]
fn an_update_within_an_update_panics_and_leaves_the_view_usable() {
    let sum = Reducer::new(Sum::<u64>::new());
    let nested = |sum: &Reducer<Sum<u64>>| {
        let text = panic_text(|| sum.update(|outer| sum.update(|inner| *inner += *outer)));
        assert!(text.contains("within an update"), "{text}");
        sum.put(1);
    };
    nested(&sum);
    let pool = eager_pool(2);
    pool.run(|mut s| fork_apart(&mut s, |_| nested(&sum), |_| nested(&sum)));
    assert_eq!(sum.into_inner(), 3);
}

#[test]
fn an_update_may_fork_and_its_branches_update_other_reducers() {
    let pool = eager_pool(3);
    for _ in 0..ROUNDS {
        let outer = Reducer::new(Append::<Vec<u64>>::new());
        let inner = Reducer::new(Append::<Vec<u64>>::new());
        let step = |s: &mut Strand<'_>, n| {
            outer.update(|list| {
                list.push(n);
                fork_apart(s, |_| inner.put(vec![n]), |_| inner.put(vec![n + 1]));
                list.push(n + 1);
            });
        };
        pool.run(|mut s| fork_apart(&mut s, |mut s| step(&mut s, 0), |mut s| step(&mut s, 2)));
        assert_eq!(outer.into_inner(), [0, 1, 2, 3]);
        assert_eq!(inner.into_inner(), [0, 1, 2, 3]);
    }
}

#[test]
fn combining_may_fork_and_update_other_reducers() {
    let pool = eager_pool(3);
    for _ in 0..ROUNDS {
        let combined = Reducer::new(Sum::<usize>::new());
        let append = monoids::of(Vec::new, |left: &mut Vec<u64>, right| {
            filch::join(|| combined.put(1), || combined.put(1));
            left.extend(right);
        });
        let list = Reducer::new(append);
        let n = if cfg!(miri) { 8 } else { 100 };
        pool.run(|mut s| s.for_each(0..n, |_, i| list.update(|list| list.push(i))));
        assert_eq!(pool.run(|_| list.into_inner()), (0..n).collect::<Vec<_>>());
        assert_eq!(combined.into_inner() % 2, 0);
    }
}

#[test]
fn identity_may_update_the_reducer_that_it_is_of() {
    static IS_DONE: AtomicBool = AtomicBool::new(true);
    static LIST: std::sync::LazyLock<Reducer<Odd>> = std::sync::LazyLock::new(|| Reducer::new(Odd));

    /// Updates its own reducer while it makes the second view.
    struct Odd;

    impl Monoid for Odd {
        type View = Vec<u64>;

        fn identity(&self) -> Vec<u64> {
            if !IS_DONE.swap(true, Ordering::SeqCst) {
                LIST.put(vec![1]);
            }
            Vec::new()
        }

        fn combine(&self, left: &mut Vec<u64>, right: Vec<u64>) {
            left.extend(right);
        }
    }

    LIST.put(vec![0]);
    IS_DONE.store(false, Ordering::SeqCst);
    // Not its home.
    let seen = std::thread::spawn(|| {
        LIST.put(vec![2]);
        LIST.update(|view| view.clone())
    });
    assert_eq!(seen.join().expect("no panic"), [1, 2]);
}
