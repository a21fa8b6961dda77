//! Task graphs: every task once in a run, after those before it.
#![allow(missing_docs)]

mod common;

use common::{Counted, assert_usable, eager_pool, fib, must_end, panic_text};
use filch::{CycleError, GraphTask, TaskGraph, TaskGraphBuilder};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

const WORKERS: &[usize] = if cfg!(miri) { &[1, 3] } else { &[1, 2, 9] };

const RUNS: usize = if cfg!(miri) { 2 } else { 20 };

/// Of a square.
const SIDE: usize = if cfg!(miri) { 4 } else { 40 };

/// A square whose tasks each depend on the one to the left and the one above.
fn wavefront<'b, 'env>(
    graph: &'b TaskGraphBuilder<'env>,
    side: usize,
    task: impl Fn(usize, usize) + Copy + Send + 'env,
) -> Vec<GraphTask<'b, 'env>> {
    let mut tasks: Vec<GraphTask<'b, 'env>> = Vec::new();
    for i in 0..side * side {
        let (row, column) = (i / side, i % side);
        let new = graph.task(move |_| task(row, column));
        if column > 0 {
            new.after(&[tasks[i - 1]]);
        }
        if row > 0 {
            new.after(&[tasks[i - side]]);
        }
        tasks.push(new);
    }
    tasks
}

#[test]
fn each_task_runs_once_in_each_run_after_those_before_it() {
    let runs: Vec<AtomicUsize> = (0..SIDE * SIDE).map(|_| AtomicUsize::new(0)).collect();
    let at = |row: usize, column: usize| &runs[row * SIDE + column];
    let graph = TaskGraph::builder();
    wavefront(&graph, SIDE, |row, column| {
        let run = at(row, column).fetch_add(1, Ordering::Relaxed) + 1;
        for (row, column) in [(row.wrapping_sub(1), column), (row, column.wrapping_sub(1))] {
            if row < SIDE && column < SIDE {
                assert_eq!(at(row, column).load(Ordering::Relaxed), run);
            }
        }
    });
    let mut graph = graph.build().unwrap();
    assert_eq!(graph.len(), SIDE * SIDE);
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        for _ in 0..RUNS {
            pool.run(|s| graph.run_in(s));
        }
    }
    graph.run();
    let expected = RUNS * WORKERS.len() + 1;
    assert!(runs.iter().all(|runs| runs.load(Ordering::Relaxed) == expected));
}

#[test]
fn tasks_without_dependencies_and_tasks_with_many_all_run() {
    let wide = 10 * SIDE;
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        let [begun, ended] = [const { AtomicUsize::new(0) }; 2];
        let graph = TaskGraph::builder();
        let leaves: Vec<_> = (0..wide).map(|_| graph.task(|_| _ = begun.fetch_add(1, Ordering::Relaxed))).collect();
        let middle = graph.task(|_| assert_eq!(begun.load(Ordering::Relaxed), wide)).after(&leaves);
        // A dependency may be named twice.
        middle.after(&leaves[..2]);
        let more = |_| graph.task(|_| _ = ended.fetch_add(1, Ordering::Relaxed)).after(&[middle]);
        let more: Vec<_> = (0..wide).map(more).collect();
        graph.task(|_| assert_eq!(ended.load(Ordering::Relaxed), wide)).after(&more);
        let mut graph = graph.build().unwrap();
        pool.run(|s| graph.run_in(s));
        drop(graph);
        assert_eq!((begun.into_inner(), ended.into_inner()), (wide, wide));
    }
    let mut nothing = TaskGraph::builder().build().unwrap();
    assert!(nothing.is_empty());
    nothing.run();
}

/// Both of two tasks are under way before either ends.
#[test]
fn two_tasks_that_are_ready_run_at_the_same_time() {
    if common::scheduler().to_string().starts_with("chaos") {
        // Under chaos a worker that spawns a task may run it at once.
        return;
    }
    must_end(|| {
        let pool = eager_pool(2);
        let begun = AtomicUsize::new(0);
        let meet = |_: filch::Strand<'_>| {
            begun.fetch_add(1, Ordering::SeqCst);
            common::await_value(&begun, 2);
        };
        let graph = TaskGraph::builder();
        let first = graph.task(|_| ());
        let both = [graph.task(meet).after(&[first]), graph.task(meet).after(&[first])];
        graph.task(|_| begun.store(0, Ordering::SeqCst)).after(&both);
        let mut graph = graph.build().unwrap();
        for _ in 0..RUNS {
            pool.run(|s| graph.run_in(s));
        }
    });
}

#[test]
fn the_error_names_a_cycle() {
    let names = |error: CycleError| error.cycle().join(" ");
    let graph = TaskGraph::builder();
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| graph.task(|_| ()).name(name));
    _ = (b.after(&[a, d]), c.after(&[b]), d.after(&[c]));
    graph.task(|_| ()).after(&[d]);
    let error = graph.build().unwrap_err();
    assert_eq!(error.to_string(), "tasks wait for each other: b → c → d → b");
    assert_eq!(names(error), "b c d");

    let graph = TaskGraph::builder();
    let first = graph.task(|_| ());
    let own = graph.task(|_| ()).after(&[first]);
    own.after(&[own]);
    assert_eq!(names(graph.build().unwrap_err()), "#1");

    // The last task of a square comes before the first.
    let graph = TaskGraph::builder();
    let tasks = wavefront(&graph, 3, |_, _| ());
    tasks[0].after(&[tasks[8]]);
    let cycle = names(graph.build().unwrap_err());
    assert!(cycle.starts_with("#0 ") && cycle.ends_with(" #8") && cycle.split(' ').count() == 5, "{cycle}");
}

/// What a graph of choices does: a task runs if no choice before it is against it, and something before it has run.
#[test]
fn choices_decide_which_tasks_run_and_branches_meet_again() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        for (first, second) in [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)] {
            let ran = Mutex::new(Vec::new());
            let note = |name: &'static str| {
                let ran = &ran;
                move |_: filch::Strand<'_>| ran.lock().unwrap().push(name)
            };
            let graph = TaskGraph::builder();
            let choice = graph.choice(move |_| first);
            let left = graph.task(note("left")).when(choice, 0);
            let left_end = graph.task(note("left end")).after(&[left]);
            let other = graph.choice(move |_| second).when(choice, 1);
            let right = graph.task(note("right")).when(other, 1);
            graph.task(note("meet")).after(&[left_end, right]);
            graph.task(note("both")).when(choice, 1).when(other, 0);
            graph.task(note("always")).after(&[choice]);
            let free = graph.task(note("free"));
            graph.task(note("vetoed")).after(&[free]).when(other, 1);
            let mut graph = graph.build().unwrap();
            for _ in 0..RUNS {
                pool.run(|s| graph.run_in(s));
                let mut ran = std::mem::take(&mut *ran.lock().unwrap());
                ran.sort_unstable();
                let mut expected = match (first, second) {
                    // The other choice is skipped, so it is not against the last task.
                    (0, _) => vec!["left", "left end", "meet", "vetoed"],
                    (1, 0) => vec!["both"],
                    (1, _) => vec!["right", "meet", "vetoed"],
                    _ => vec!["vetoed"],
                };
                expected.extend(["always", "free"]);
                expected.sort_unstable();
                assert_eq!(ran, expected, "{first}, {second}");
            }
        }
    }
}

#[test]
fn tasks_after_one_that_panics_do_not_run_and_the_graph_can_run_again() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        let [bad, ran] = [const { AtomicUsize::new(0) }; 2];
        let is_before = |row: usize, column: usize, bad: usize| row >= bad / SIDE && column >= bad % SIDE;
        let graph = TaskGraph::builder();
        wavefront(&graph, SIDE, |row, column| {
            let bad = bad.load(Ordering::Relaxed);
            assert!(row * SIDE + column != bad, "oh");
            assert!(!is_before(row, column, bad), "it depends on the bad one");
            ran.fetch_add(1, Ordering::Relaxed);
        });
        let mut graph = graph.build().unwrap();
        for place in [0, SIDE + 1, SIDE * SIDE - 1] {
            bad.store(place, Ordering::Relaxed);
            assert_eq!(panic_text(|| pool.run(|s| graph.run_in(s))), "oh");
            bad.store(SIDE * SIDE, Ordering::Relaxed);
            ran.store(0, Ordering::Relaxed);
            pool.run(|s| graph.run_in(s));
            assert_eq!(ran.load(Ordering::Relaxed), SIDE * SIDE);
        }
        assert_usable(&pool);
    }
}

#[test]
fn a_choice_that_panics_ends_the_run() {
    let pool = eager_pool(2);
    let graph = TaskGraph::builder();
    let choice = graph.choice(|_| panic!("undecided"));
    graph.task(|_| unreachable!("nothing is chosen")).when(choice, 0);
    let mut graph = graph.build().unwrap();
    assert_eq!(panic_text(|| pool.run(|s| graph.run_in(s))), "undecided");
    assert_usable(&pool);
}

#[test]
fn tasks_fork_change_what_they_borrow_and_run_graphs() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        let (mut numbers, mut inner_runs) = ([0; 3], 0);
        let count = Cell::new(0);
        let inner = TaskGraph::builder();
        inner.task(|_| inner_runs += 1);
        let mut inner = inner.build().unwrap();
        let graph = TaskGraph::builder();
        let depth = if cfg!(miri) { 4 } else { 12 };
        for number in &mut numbers {
            graph.task(move |s| *number += fib(s, depth));
        }
        graph.task(|s| inner.run_in(s));
        // It is `Send` and not `Sync`.
        graph.task(move |_| count.set(count.get() + 1));
        let mut graph = graph.build().unwrap();
        pool.run(|mut s| {
            graph.run_in(s.reborrow());
            graph.run_in(s);
        });
        drop(graph);
        drop(inner);
        assert_eq!(numbers, [2 * if cfg!(miri) { 3 } else { 144 }; 3]);
        assert_eq!(inner_runs, 2);
    }
}

#[test]
fn tasks_are_dropped_once_with_their_graph() {
    let alive = AtomicUsize::new(0);
    for is_built in [false, true] {
        let graph = TaskGraph::builder();
        for _ in 0..10 {
            let captured = Counted::new(&alive);
            graph.task(move |_| _ = &captured);
        }
        assert_eq!(alive.load(Ordering::SeqCst), 10);
        if is_built {
            let mut graph = graph.build().unwrap();
            graph.run();
            assert_eq!(alive.load(Ordering::SeqCst), 10);
        } else {
            drop(graph);
        }
        assert_eq!(alive.load(Ordering::SeqCst), 0);
    }
}

#[test]
fn a_dependency_on_another_graph_or_on_a_task_that_chooses_nothing_is_refused() {
    let [one, other] = [TaskGraph::builder(), TaskGraph::builder()];
    let task = one.task(|_| ());
    let stranger = other.choice(|_| 0);
    let refused = |f: &dyn Fn()| assert!(catch_unwind(AssertUnwindSafe(f)).is_err());
    refused(&|| _ = task.after(&[stranger]));
    refused(&|| _ = task.when(stranger, 0));
    refused(&|| _ = one.task(|_| ()).when(task, 0));
    refused(&|| _ = one.task(|_| ()).when(one.choice(|_| 0), usize::MAX));
}

/// The chain is longer than any stack is deep.
#[cfg(not(miri))]
#[test]
fn a_long_chain_with_branches_runs_on_a_small_stack() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        let ran = AtomicUsize::new(0);
        let graph = TaskGraph::builder();
        let run = |_: filch::Strand<'_>| _ = ran.fetch_add(1, Ordering::Relaxed);
        let mut last = graph.choice(|_| 0);
        for _ in 0..50_000 {
            let next = graph.task(run).after(&[last]);
            graph.task(run).after(&[last]);
            last = next;
        }
        let never = graph.choice(|_| 0);
        let mut last = graph.task(|_| unreachable!("skipped")).when(never, 1);
        for _ in 0..50_000 {
            last = graph.task(|_| unreachable!("skipped")).after(&[last]);
        }
        let mut graph = graph.build().unwrap();
        pool.run(|s| graph.run_in(s));
        drop(graph);
        assert_eq!(ran.into_inner(), 100_000);
    }
}

#[cfg(not(miri))]
#[test]
fn task_graphs_keep_their_promises_under_other_schedulers() {
    common::run_under_other_schedulers();
}
