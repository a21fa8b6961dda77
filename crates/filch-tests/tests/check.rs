//! Checks of programs: what depends on the schedule is found and shortened, and what does not passes.
#![allow(missing_docs)]
#![cfg(panic = "unwind")]

mod common;

use common::{fib, panic_text};
use filch::monoids::{self, Append};
use filch::{Check, Difference, Reducer, Strand};
#[cfg(not(miri))]
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::SeqCst};

const SEEDS: u64 = if cfg!(miri) { 60 } else { 200 };

/// Enough for programs that pass.
const FEW: u64 = if cfg!(miri) { 3 } else { 200 };

fn check() -> Check {
    Check::new().seeds(SEEDS)
}

/// Increments by a load and a store, with a fork in between.
fn increment(s: &mut Strand<'_>, count: &AtomicU64) {
    let before = count.load(SeqCst);
    s.join(|_| (), |_| ());
    count.store(before + 1, SeqCst);
}

fn two_increments(mut s: Strand<'_>) -> u64 {
    let count = AtomicU64::new(0);
    s.join(|mut s| increment(&mut s, &count), |mut s| increment(&mut s, &count));
    count.into_inner()
}

/// The numbers of the items of a loop, in the order in which they were pushed.
fn pushed(mut s: Strand<'_>) -> Vec<u64> {
    let list = Mutex::new(Vec::new());
    s.for_each(0..10_u64, |_, i| list.lock().unwrap().push(i));
    list.into_inner().unwrap()
}

/// A difference of numbers, by a reducer whose operation is not associative.
fn subtracted(mut s: Strand<'_>) -> i64 {
    let difference = Reducer::new(monoids::of(|| 0, |left: &mut i64, right: i64| *left -= right));
    let subtract = |mut s: Strand<'_>, n: i64| {
        s.join(|_| difference.put(n), |_| difference.put(n + 1));
    };
    s.join(|s| subtract(s, 1), |s| subtract(s, 10));
    difference.into_inner()
}

fn found<T: PartialEq + std::fmt::Debug + Send>(f: impl Fn(Strand<'_>) -> T + Sync) -> Box<Difference<T>> {
    check().try_run_with(f).expect_err("the result depends on the schedule")
}

#[test]
fn an_increment_that_is_not_atomic_is_found_with_a_single_move() {
    let difference = found(two_increments);
    assert_eq!((difference.expected(), difference.found()), (&2, Ok(&1)));
    assert_eq!((difference.num_moves(), difference.is_repeatable()), (1, true));
    let text = difference.to_string();
    assert!(text.contains("serial program: 2\n") && text.contains(": 1\n"), "{text}");
    assert!(text.contains("a fork: the oldest second branch") || text.contains("a first branch: the oldest"), "{text}");
}

#[test]
#[cfg_attr(miri, ignore = "stacks are not read there")]
fn the_message_names_the_line_at_which_the_schedules_part() {
    let text = found(two_increments).to_string();
    assert!(text.contains("check.rs:") && text.contains("in increment"), "{text}");
}

#[test]
fn pushes_under_a_lock_are_found_in_loops_items_tasks_and_branches() {
    let list = || Mutex::new(Vec::new());
    let push = |list: &Mutex<Vec<u64>>, i| list.lock().unwrap().push(i);
    let of = |list: Mutex<Vec<u64>>| list.into_inner().unwrap();
    let loops = found(pushed);
    let items = found(|mut s| {
        let list = list();
        s.for_each_item(0..5, |_, i| push(&list, i));
        of(list)
    });
    let tasks = found(|mut s| {
        let list = list();
        s.scope(|_, scope| {
            let list = &list;
            (0..4).for_each(|i| scope.spawn(move |_| push(list, i)));
        });
        of(list)
    });
    let branches = found(|mut s| {
        let list = list();
        s.join(|mut s| s.join(|_| push(&list, 0), |_| push(&list, 1)), |_| push(&list, 2));
        of(list)
    });
    for (name, difference) in [("loops", loops), ("items", items), ("tasks", tasks), ("branches", branches)] {
        assert_eq!((difference.num_moves(), difference.is_repeatable()), (1, true), "{name}: {difference}");
        let mut sorted = difference.found().expect("no panic").clone();
        sorted.sort_unstable();
        let mut expected = difference.expected().clone();
        expected.sort_unstable();
        assert_eq!(sorted, expected, "the same in another order");
    }
}

#[test]
fn a_reducer_whose_operation_is_not_associative_is_found() {
    let difference = found(subtracted);
    assert_ne!(difference.found(), Ok(difference.expected()));
    assert_eq!(difference.num_moves(), 1);
}

#[test]
fn a_reduction_that_is_not_associative_is_found_on_an_ordinary_pool() {
    let difference = found(|mut s| s.map_reduce(1..20_i64, || 0, |_, i| i, |a, b| a - b));
    assert_eq!((difference.num_moves(), *difference.expected()), (1, -190));
}

#[test]
fn a_panic_under_some_schedules_is_found() {
    let difference = found(|s| {
        let list = pushed(s);
        assert!(list.is_sorted(), "{list:?} is out of order");
    });
    assert!(difference.found().unwrap_err().ends_with("is out of order"));
    assert!(difference.to_string().contains("a panic: ["));
}

#[test]
#[cfg_attr(miri, ignore = "there are many runs")]
fn two_moves_are_found_where_one_does_not_suffice() {
    // Each fork may be turned around by itself; only both of them show.
    let difference = found(|mut s| {
        let turned = |s: &mut Strand<'_>| {
            let order = AtomicUsize::new(0);
            let (inner, outer) =
                s.join(|mut s| s.join(|_| (), |_| order.fetch_add(1, SeqCst)).1, |_| order.fetch_add(1, SeqCst));
            outer < inner
        };
        turned(&mut s) && turned(&mut s)
    });
    assert_eq!((difference.expected(), difference.found()), (&false, Ok(&true)));
    assert_eq!(difference.num_moves(), 2, "{difference}");
}

#[test]
fn deterministic_programs_pass_and_their_result_is_returned() {
    assert_eq!(check().seeds(FEW).run_with(|s| fib(s, 6)), 8);
    let squares = || {
        let mut squares = vec![0; 20];
        filch::for_each((0.., &mut squares), |_, (i, square)| *square = i * i);
        squares
    };
    assert_eq!(check().seeds(FEW).run(squares), (0..20).map(|i| i * i).collect::<Vec<_>>());
    let sum = check().seeds(FEW).run(|| {
        let sum = AtomicU64::new(0);
        filch::scope(|_, scope| {
            (0..9).for_each(|i| {
                scope.spawn({
                    let sum = &sum;
                    move |_| _ = sum.fetch_add(i, SeqCst)
                })
            })
        });
        sum.into_inner()
    });
    assert_eq!(sum, 36);
    let in_order: Vec<u32> = check().seeds(FEW).run_with(|mut s| {
        let list = Reducer::new(Append::<Vec<u32>>::new());
        s.for_each(0..20_u32, |_, i| list.put(vec![i]));
        list.into_inner()
    });
    assert!(in_order.into_iter().eq(0..20));
    // As many increments that are not atomic, but not in parallel.
    check().seeds(FEW).run_with(|mut s| {
        let count = AtomicU64::new(0);
        (0..3).for_each(|_| increment(&mut s, &count));
        count.into_inner()
    });
}

#[test]
fn with_one_worker_nothing_moves() {
    assert_eq!(check().seeds(FEW).workers(1).run_with(two_increments), 2);
}

#[test]
fn a_seed_has_the_same_result_each_time_also_with_loops_whose_bodies_take_other_times() {
    let slow = AtomicUsize::new(0);
    let program = |s: Strand<'_>| {
        // Long enough to change the blocks of a loop that is paced by the clock.
        (0..slow.load(SeqCst)).for_each(|_| std::hint::spin_loop());
        pushed(s)
    };
    let first = found(program);
    slow.store(if cfg!(miri) { 10 } else { 100_000 }, SeqCst);
    let again = check().seed(first.seed()).try_run_with(program).expect_err("the same schedule");
    assert_eq!((first.found(), first.schedule()), (again.found(), again.schedule()));
}

#[test]
fn what_depends_on_something_else_than_the_schedule_is_called_that() {
    let calls = AtomicU64::new(0);
    let difference = found(|_| calls.fetch_add(1, SeqCst));
    assert!(!difference.is_repeatable());
    assert!(difference.to_string().contains("something else"));
    assert_eq!(difference.schedule(), format!("seed={}", difference.seed()));
}

#[test]
fn a_program_that_panics_in_serial_order_panics_as_it_does() {
    assert_eq!(panic_text(|| check().run(|| -> u32 { panic!("in any case") })), "in any case");
}

#[test]
fn a_check_panics_with_the_difference() {
    let text = panic_text(|| check().run_with(two_increments));
    assert!(text.starts_with("the result depends on the schedule") && text.contains("FILCH_CHECK=seed="), "{text}");
}

#[test]
fn checks_run_inside_of_runs_and_of_each_other() {
    let pool = common::eager_pool(2);
    let (a, b) = pool.run(|mut s| s.join(|_| check().seeds(9).run_with(|s| fib(s, 4)), |_| 1));
    assert_eq!((a, b), (3, 1));
    assert_eq!(check().seeds(3).run(|| check().seeds(3).run_with(|s| fib(s, 4))), 3);
    common::assert_usable(&pool);
}

/// What the tests below run in processes of their own, by the variable that says so.
const INNER: &str = "FILCH_TEST_INNER_CHECK";

#[test]
fn inner() {
    if std::env::var_os(INNER).is_some() {
        Check::new().seeds(1).run_with(two_increments);
    }
}

/// Runs `inner` with a variable. Returns whether it has passed, and what it has said.
#[cfg(not(miri))]
fn with_variable(name: &str, value: &str) -> (bool, String) {
    let mut test = Command::new(std::env::current_exe().expect("a test binary"));
    test.args(["inner", "--exact", "--nocapture"]).env(INNER, "1").env(name, value);
    let output = test.output().expect("it runs");
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[cfg(not(miri))]
#[test]
fn variables_name_the_seeds_and_the_schedule() {
    let difference = found(two_increments);
    let (passes, text) = with_variable("FILCH_CHECK", &difference.schedule());
    assert!(!passes && text.contains(&difference.schedule()), "{text}");
    // The schedule without moves.
    let seed = (0..).find(|&seed| Check::new().seed(seed).try_run_with(two_increments).is_ok()).expect("some pass");
    assert!(with_variable("FILCH_CHECK", &format!("seed={seed}")).0);
    let (passes, text) = with_variable("FILCH_CHECK_SEEDS", "200");
    assert!(!passes && text.contains("the result depends"), "{text}");
    for (name, value) in [("FILCH_CHECK", "seven"), ("FILCH_CHECK_SEEDS", "-1")] {
        let (passes, text) = with_variable(name, value);
        assert!(!passes && text.contains(&format!("{name} is `{value}`; expected")), "{text}");
    }
}
