//! Reducers: the final value is the serial one, whoever ran what; and whatever users' code does, no view is used twice at
//! once, dropped twice or lost.
#![allow(missing_docs)]

mod common;

use common::{Counted, assert_usable, await_value, eager_pool, panic_text};
use filch::monoids::{self, Append, Max, Min, Monoid, Sum};
use filch::{Pool, Reducer, Scheduler, Strand};
use std::panic::panic_any;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Tasks to go through before a property counts as seen.
const ROUNDS: usize = if cfg!(miri) { 1 } else { 40 };

/// Leaves of a tree.
const LEAVES: u64 = if cfg!(miri) { 24 } else { 600 };

/// 2×2 matrices modulo a prime: a product that hardly ever commutes.
struct Product;

type Matrix = [[u64; 2]; 2];

impl Monoid for Product {
    type View = Matrix;

    fn identity(&self) -> Matrix {
        [[1, 0], [0, 1]]
    }

    fn combine(&self, left: &mut Matrix, right: Matrix) {
        *left = left.map(|row| [0, 1].map(|j| (row[0] * right[0][j] + row[1] * right[1][j]) % 1_000_003));
    }
}

/// Everything that a walk reports to.
struct Report {
    text: Reducer<Append<String>>,
    list: Reducer<Append<Vec<u64>>>,
    product: Reducer<Product>,
    sum: Reducer<Sum<u64>>,
    least: Reducer<Min<u64>>,
    greatest: Reducer<Max<u64>>,
}

type Value = (String, Vec<u64>, Matrix, u64, Option<u64>, Option<u64>);

impl Report {
    fn new() -> Self {
        Report {
            text: Reducer::new(Append::new()),
            list: Reducer::new(Append::new()),
            product: Reducer::new(Product),
            sum: Reducer::new(Sum::new()),
            least: Reducer::new(Min::new()),
            greatest: Reducer::new(Max::new()),
        }
    }

    fn note(&self, n: u64) {
        self.text.update(|text| text.push_str(&format!("{n},")));
        // Not everything everywhere, so that views of one reducer are missing where another has some.
        if n % 3 != 0 {
            self.list.put(vec![n, n * n]);
        }
        if n % 5 != 1 {
            self.product.put([[n % 7, 1], [n % 11, 2]]);
        }
        if n % 2 == 0 {
            self.sum.update(|sum| *sum += n);
            self.least.put(Some(n));
            self.greatest.put(Some(n));
        }
    }

    fn into_inner(self) -> Value {
        (
            self.text.into_inner(),
            self.list.into_inner(),
            self.product.into_inner(),
            self.sum.into_inner(),
            self.least.into_inner(),
            self.greatest.into_inner(),
        )
    }
}

/// What a walk over `lo..hi` reports: the places between its forks, too. Branches are of unequal size.
fn walk(s: Option<Strand<'_>>, lo: u64, hi: u64, skew: u64, report: &Report) {
    if hi - lo < 2 {
        return report.note(lo);
    }
    let middle = lo + ((hi - lo) / skew).max(1);
    report.note(1000 + lo);
    match s {
        // By turns with and without a strand.
        Some(mut s) if lo % 2 == 0 => {
            s.join(|s| walk(Some(s), lo, middle, skew, report), |s| walk(Some(s), middle, hi, skew, report));
            report.note(2000 + lo);
            if lo % 3 == 0 {
                s.join(|s| walk(Some(s), hi, hi + 3, 2, report), |_| report.note(hi));
            }
        }
        Some(_) => {
            filch::join(|| walk(None, lo, middle, skew, report), || walk(None, middle, hi, skew, report));
            report.note(3000 + lo);
        }
        None => {
            filch::join(|| walk(None, lo, middle, skew, report), || walk(None, middle, hi, skew, report));
        }
    }
}

/// The same without a fork.
fn walk_serially(is_explicit: bool, lo: u64, hi: u64, skew: u64, note: &mut dyn FnMut(u64)) {
    if hi - lo < 2 {
        return note(lo);
    }
    let middle = lo + ((hi - lo) / skew).max(1);
    note(1000 + lo);
    let stays = is_explicit && lo % 2 == 0;
    walk_serially(stays, lo, middle, skew, note);
    walk_serially(stays, middle, hi, skew, note);
    if stays {
        note(2000 + lo);
        if lo % 3 == 0 {
            walk_serially(true, hi, hi + 3, 2, note);
            note(hi);
        }
    } else if is_explicit {
        note(3000 + lo);
    }
}

/// Computed with plain variables.
fn serial(skew: u64) -> Value {
    let mut value = (String::new(), Vec::new(), Product.identity(), 0, None, None);
    walk_serially(true, 0, LEAVES, skew, &mut |n| {
        value.0.push_str(&format!("{n},"));
        if n % 3 != 0 {
            value.1.extend([n, n * n]);
        }
        if n % 5 != 1 {
            Product.combine(&mut value.2, [[n % 7, 1], [n % 11, 2]]);
        }
        if n % 2 == 0 {
            value.3 += n;
            value.4 = Some(value.4.map_or(n, |least: u64| least.min(n)));
            value.5 = Some(value.5.map_or(n, |greatest: u64| greatest.max(n)));
        }
    });
    value
}

fn parallel(pool: &Pool, skew: u64) -> Value {
    let report = Report::new();
    pool.run(|s| walk(Some(s), 0, LEAVES, skew, &report));
    report.into_inner()
}

#[cfg(not(miri))]
#[test]
fn all_of_this_holds_under_every_scheduler() {
    common::run_under_every_scheduler();
}

#[test]
fn the_value_is_the_serial_one_however_many_workers_there_are() {
    for workers in [1, 2, 5] {
        let pool = eager_pool(workers);
        for skew in [2, 9] {
            let expected = serial(skew);
            for _ in 0..ROUNDS {
                assert_eq!(parallel(&pool, skew), expected);
            }
        }
    }
}

#[test]
fn the_value_is_the_serial_one_under_every_seed_of_chaos() {
    let seeds = if cfg!(miri) { 6 } else { 300 };
    for seed in 0..seeds {
        let pool = Pool::builder().workers(4).scheduler(Scheduler::chaos(seed)).build().expect("a pool");
        let skew = [2, 5, 40][seed as usize % 3];
        assert_eq!(parallel(&pool, skew), serial(skew), "seed {seed}");
        assert!(common::tasks(&pool) > 0);
    }
}

#[test]
fn iterations_of_a_loop_are_combined_in_their_order() {
    let pool = eager_pool(3);
    let n = if cfg!(miri) { 40 } else { 5_000 };
    let expected: Vec<u64> = (0..n).flat_map(|i| [i, i + 1]).collect();
    for _ in 0..ROUNDS {
        let list = Reducer::new(Append::<Vec<u64>>::new());
        pool.run(|mut s| {
            s.for_each(0..n, |mut s, i| {
                s.join(|_| list.update(|list| list.push(i)), |_| list.put(vec![i + 1]));
            });
        });
        assert_eq!(list.into_inner(), expected);
    }
}

/// A fork whose second branch has begun elsewhere before the first is over, where there is somebody to begin it.
fn fork_apart<A: Send, B: Send>(
    s: &mut Strand<'_>,
    a: impl FnOnce(Strand<'_>) -> A,
    b: impl FnOnce(Strand<'_>) -> B + Send,
) -> (A, B) {
    let begun = AtomicUsize::new(0);
    s.join(
        |s| {
            let a = a(s);
            if common::takes() {
                await_value(&begun, 1);
            }
            a
        },
        |s| {
            begun.store(1, Ordering::SeqCst);
            b(s)
        },
    )
}

#[test]
fn a_reducer_made_in_a_moved_branch_goes_on_where_it_is_moved_to() {
    let pool = eager_pool(3);
    for _ in 0..ROUNDS {
        let text = pool.run(|mut s| {
            // Made elsewhere, with views of branches that moved from there.
            let (_, text) = fork_apart(
                &mut s,
                |_| (),
                |mut s| {
                    let text = Reducer::new(Append::<String>::new());
                    text.put("a".to_owned());
                    fork_apart(&mut s, |_| text.put("b".to_owned()), |_| text.put("c".to_owned()));
                    text
                },
            );
            text.put("d".to_owned());
            fork_apart(&mut s, |_| text.put("e".to_owned()), |_| text.put("f".to_owned()));
            // Ended in a third, while views lie with this one.
            let (_, text) = fork_apart(
                &mut s,
                |_| (),
                |mut s| {
                    fork_apart(&mut s, |_| text.put("g".to_owned()), |_| text.put("h".to_owned()));
                    text.into_inner()
                },
            );
            text
        });
        assert_eq!(text, "abcdefgh");
    }
}

#[test]
fn a_reducer_moved_into_a_branch_takes_the_views_of_earlier_branches_along() {
    let pool = eager_pool(3);
    for _ in 0..ROUNDS {
        let text = Reducer::new(Append::<String>::new());
        let text = pool.run(|mut s| {
            fork_apart(&mut s, |_| text.put("a".to_owned()), |_| text.put("b".to_owned()));
            // Not combined yet: home has not asked since.
            fork_apart(
                &mut s,
                |_| (),
                |mut s| {
                    text.put("c".to_owned());
                    fork_apart(&mut s, |_| text.put("d".to_owned()), |_| text.put("e".to_owned()));
                    text
                },
            )
            .1
        });
        text.put("f".to_owned());
        assert_eq!(text.into_inner(), "abcdef");
    }
}

#[test]
fn reducers_of_reducers_and_reducers_inside_of_updates() {
    let pool = eager_pool(3);
    for _ in 0..ROUNDS {
        let lines = Reducer::new(Append::<Vec<String>>::new());
        pool.run(|mut s| {
            s.for_each(0..if cfg!(miri) { 4 } else { 20_u64 }, |mut s, line| {
                let words = Reducer::new(Append::<String>::new());
                s.for_each(0..5_u64, |_, word| words.put(format!("{line}{word} ")));
                lines.update(|lines| lines.push(words.into_inner()));
            });
        });
        let lines = lines.into_inner();
        assert!(lines.iter().enumerate().all(|(i, line)| *line == format!("{i}0 {i}1 {i}2 {i}3 {i}4 ")), "{lines:?}");
    }
}

#[test]
fn runs_on_two_pools_are_part_of_what_their_caller_does() {
    let (a, b) = (eager_pool(2), eager_pool(2));
    for _ in 0..ROUNDS {
        let text = Reducer::new(Append::<String>::new());
        text.put("0".to_owned());
        let fork = |s: &mut Strand<'_>, left: &str, right: &str| {
            fork_apart(s, |_| text.put(left.to_owned()), |_| text.put(right.to_owned()));
        };
        a.run(|mut s| {
            fork(&mut s, "1", "2");
            b.run(|mut s| {
                fork(&mut s, "3", "4");
                a.run(|mut s| fork(&mut s, "5", "6"));
            });
            fork(&mut s, "7", "8");
        });
        b.run(|mut s| fork(&mut s, "9", "a"));
        assert_eq!(text.into_inner(), "0123456789a");
    }
}

#[test]
fn threads_outside_of_the_computation_lose_nothing() {
    let pool = eager_pool(2);
    let sum = Reducer::new(Sum::<u64>::new());
    let order = Reducer::new(Append::<String>::new());
    let turn = AtomicUsize::new(0);
    std::thread::scope(|threads| {
        for name in 1..=3 {
            let (pool, sum, order, turn) = (&pool, &sum, &order, &turn);
            threads.spawn(move || {
                await_value(turn, name - 1);
                order.put(format!("{name}:"));
                turn.store(name, Ordering::SeqCst);
                for _ in 0..if cfg!(miri) { 2 } else { 20 } {
                    pool.run(|mut s| s.for_each(0..10_u64, |_, i| sum.put(i)));
                }
                order.put(format!("{name}."));
            });
        }
        sum.put(1);
        order.put("0".to_owned());
    });
    order.put("0".to_owned());
    assert_eq!(sum.into_inner(), 1 + 3 * 45 * if cfg!(miri) { 2 } else { 20 });
    assert_eq!(order.into_inner(), "001:1.2:2.3:3.");
}

#[test]
fn a_reducer_that_nobody_borrows_may_go_while_its_users_go_on() {
    let pool = eager_pool(3);
    for _ in 0..ROUNDS {
        let alive = AtomicUsize::new(0);
        let identity = || vec![Counted::new(&alive)];
        pool.run(|mut s| {
            let monoid = monoids::of(identity, |left: &mut Vec<_>, mut right| left.append(&mut right));
            let list = Arc::new(Reducer::new(monoid));
            let (here, there) = (Arc::clone(&list), list);
            let gone = AtomicUsize::new(0);
            let (gone, alive) = (&gone, &alive);
            fork_apart(
                &mut s,
                move |mut s| {
                    fork_apart(&mut s, |_| here.update(|_| ()), |_| here.update(|_| ()));
                    drop(here);
                    gone.fetch_add(1, Ordering::SeqCst);
                },
                move |mut s| {
                    fork_apart(&mut s, |_| there.update(|_| ()), |_| there.update(|_| ()));
                    drop(there);
                    if gone.fetch_add(1, Ordering::SeqCst) == 1 {
                        assert_eq!(alive.load(Ordering::SeqCst), 0, "all views go with the reducer");
                    }
                },
            );
            assert_eq!(alive.load(Ordering::SeqCst), 0, "before what they borrow");
            // What is left of it is linked with nothing.
            let next = Reducer::new(Sum::<u64>::new());
            fork_apart(&mut s, |_| next.put(1), |_| next.put(2));
            assert_eq!(next.into_inner(), 3);
        });
    }
}

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

    /// Puts an element before the first view but the first.
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

/// Updates in the destructor of a thread-local, when the list of its thread's views may be gone.
#[test]
fn a_thread_that_ends_may_update_to_the_last() {
    struct Last(Arc<Reducer<Append<Vec<u64>>>>);

    impl Drop for Last {
        fn drop(&mut self) {
            self.0.put(vec![2]);
            self.0.put(vec![3]);
        }
    }

    std::thread_local!(static LAST: std::cell::RefCell<Option<Last>> = const { std::cell::RefCell::new(None) });

    for updates_first in [false, true] {
        let list = Arc::new(Reducer::new(Append::new()));
        list.put(vec![0]);
        let theirs = Arc::clone(&list);
        let thread = std::thread::spawn(move || {
            if updates_first {
                theirs.put(vec![1]);
                LAST.set(Some(Last(theirs)));
            } else {
                LAST.set(Some(Last(Arc::clone(&theirs))));
                theirs.put(vec![1]);
            }
        });
        thread.join().expect("no panic");
        let list = Arc::into_inner(list).expect("the last of them").into_inner();
        assert_eq!(list, [0, 1, 2, 3]);
    }
}

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

#[cfg(panic = "unwind")]
mod panics {
    use super::*;

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
                        fork_apart(
                            &mut s,
                            |_| if place == 0 { () } else { at(0) },
                            |mut s| s.join(|_| at(1), |_| at(2)),
                        );
                        at(if place == 0 { 0 } else { 3 });
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
}
