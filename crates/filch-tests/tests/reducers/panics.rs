//! Panics in everything that a reducer calls: they come out where it was called, and no view is lost with another.

use crate::common::{self, Counted, assert_usable, eager_pool, panic_text};
use crate::{ROUNDS, fork_apart};
use filch::Reducer;
use filch::monoids::{self, Monoid};
use std::panic::panic_any;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Panics when told to.
#[derive(Default)]
struct Fragile<'a> {
    in_identity: AtomicBool,
    in_combine: AtomicBool,
    elements: std::marker::PhantomData<fn() -> Counted<'a>>,
}

impl<'a> Monoid for &Fragile<'a> {
    type View = Vec<(u64, Counted<'a>)>;

    fn identity(&self) -> Self::View {
        if self.in_identity.load(Ordering::SeqCst) {
            panic_any("identity");
        }
        Vec::new()
    }

    fn combine(&self, left: &mut Self::View, mut right: Self::View) {
        if self.in_combine.swap(false, Ordering::SeqCst) {
            panic_any("combine");
        }
        left.append(&mut right);
    }
}

#[test]
fn in_an_update_end_the_join_and_no_view_is_lost() {
    let pool = eager_pool(3);
    for _ in 0..ROUNDS {
        let (alive, fragile) = (AtomicUsize::new(0), Fragile::default());
        let list = Reducer::new(&fragile);
        for place in 0..4 {
            let text = panic_text(|| {
                pool.run(|mut s| {
                    let at = |n| {
                        list.update(|list| {
                            list.push((n, Counted::new(&alive)));
                            if n == place {
                                panic_any("update");
                            }
                        });
                    };
                    fork_apart(&mut s, |_| at(0), |mut s| s.join(|_| at(1), |_| at(2)));
                    at(3);
                });
            });
            assert_eq!(text, "update");
            assert_usable(&pool);
        }
        let value = list.into_inner();
        assert_eq!(value.len(), alive.load(Ordering::SeqCst));
        drop(value);
        assert_eq!(alive.load(Ordering::SeqCst), 0);
    }
}

#[test]
fn of_identity_come_out_of_the_update_which_may_be_repeated() {
    let (alive, fragile) = (AtomicUsize::new(0), Fragile::default());
    let list = Reducer::new(&fragile);
    let push = |n| list.update(|list| list.push((n, Counted::new(&alive))));
    push(1);
    std::thread::scope(|threads| {
        threads.spawn(|| {
            fragile.in_identity.store(true, Ordering::SeqCst);
            assert_eq!(panic_text(|| push(2)), "identity");
            fragile.in_identity.store(false, Ordering::SeqCst);
            push(3);
        });
    });
    let value: Vec<u64> = list.into_inner().into_iter().map(|(n, _)| n).collect();
    assert_eq!((value, alive.load(Ordering::SeqCst)), (vec![1, 3], 0));
}

#[test]
fn of_combine_come_out_of_the_next_use_and_cost_one_operand() {
    if !common::takes() {
        return;
    }
    let pool = eager_pool(2);
    for _ in 0..ROUNDS {
        for at_end in [false, true] {
            let (alive, fragile) = (AtomicUsize::new(0), Fragile::default());
            let list = Reducer::new(&fragile);
            let push = |n| list.update(|list| list.push((n, Counted::new(&alive))));
            pool.run(|mut s| {
                fork_apart(&mut s, |_| push(1), |_| push(2));
                fork_apart(&mut s, |_| (), |_| push(3));
            });
            fragile.in_combine.store(true, Ordering::SeqCst);
            if at_end {
                assert_eq!(panic_text(|| list.into_inner()), "combine");
            } else {
                assert_eq!(panic_text(|| push(4)), "combine");
                push(5);
                let value: Vec<u64> = list.into_inner().into_iter().map(|(n, _)| n).collect();
                assert_eq!(value, [1, 3, 5]);
            }
            assert_eq!(alive.load(Ordering::SeqCst), 0);
        }
    }
}

#[test]
fn of_dropping_one_view_let_the_others_be_dropped() {
    struct Bomb<'a> {
        _counted: Counted<'a>,
        is_live: bool,
    }

    impl Drop for Bomb<'_> {
        fn drop(&mut self) {
            if self.is_live {
                panic_any("drop");
            }
        }
    }

    if !common::takes() {
        return;
    }
    let pool = eager_pool(2);
    for bomb in 1..=3 {
        let alive = AtomicUsize::new(0);
        let append = monoids::of(Vec::new, |left: &mut Vec<_>, mut right| left.append(&mut right));
        let list = Reducer::new(append);
        let push = |n| list.update(|list| list.push(Bomb { _counted: Counted::new(&alive), is_live: n == bomb }));
        pool.run(|mut s| {
            fork_apart(&mut s, |_| push(1), |_| push(2));
            fork_apart(&mut s, |_| (), |_| push(3));
        });
        assert_eq!(panic_text(|| drop(list)), "drop");
        assert_eq!(alive.load(Ordering::SeqCst), 0);
    }
}
