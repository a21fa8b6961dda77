//! As many pieces of work as there are workers, in all constructs, at once and late.

use crate::common::busy;
use crate::meeting::{Meeting, meet};
use crate::{on_all_pools, on_pools};
use filch::{Pool, Scope, Strand};
use std::time::Duration;

/// Begins that many pieces.
type Shape = fn(Strand<'_>, usize, &Meeting);

fn joins(mut s: Strand<'_>, n: usize, meeting: &Meeting) {
    if n == 1 {
        return meeting.attend();
    }
    s.join(|s| joins(s, n / 2, meeting), |s| joins(s, n - n / 2, meeting));
}

fn joins_without_a_strand(_: Strand<'_>, n: usize, meeting: &Meeting) {
    fn halves(n: usize, meeting: &Meeting) {
        if n == 1 {
            return meeting.attend();
        }
        filch::join(|| halves(n / 2, meeting), || halves(n - n / 2, meeting));
    }
    halves(n, meeting);
}

/// A spine: one branch of each fork is a leaf, the other is the rest.
fn list(mut s: Strand<'_>, n: usize, meeting: &Meeting) {
    if n == 1 {
        return meeting.attend();
    }
    s.join(|_| meeting.attend(), |s| list(s, n - 1, meeting));
}

fn list_to_the_left(mut s: Strand<'_>, n: usize, meeting: &Meeting) {
    if n == 1 {
        return meeting.attend();
    }
    s.join(|s| list_to_the_left(s, n - 1, meeting), |_| meeting.attend());
}

fn items(mut s: Strand<'_>, n: usize, meeting: &Meeting) {
    s.for_each_item(0..n, |_, _| meeting.attend());
}

fn looped(mut s: Strand<'_>, n: usize, meeting: &Meeting) {
    s.for_each(0..n, |_, _| meeting.attend());
}

fn loops_in_a_loop(mut s: Strand<'_>, n: usize, meeting: &Meeting) {
    let rows = n.isqrt();
    s.for_each(0..rows, |mut s, row| {
        let columns = n / rows + usize::from(row < n % rows);
        s.for_each(0..columns, |_, _| meeting.attend());
    });
}

/// The body is one of the pieces.
fn scope(mut s: Strand<'_>, n: usize, meeting: &Meeting) {
    s.scope(|_, scope| {
        (1..n).for_each(|_| scope.spawn(|_| meeting.attend()));
        meeting.attend();
    });
}

/// All pieces are tasks, and the worker that opens the scope runs one at the end of the scope.
fn scope_of_tasks(mut s: Strand<'_>, n: usize, meeting: &Meeting) {
    s.scope(|_, scope| (0..n).for_each(|_| scope.spawn(|_| meeting.attend())));
}

fn spawn_from_task<'scope>(scope: &'scope Scope<'scope, '_>, n: usize, meeting: &'scope Meeting) {
    scope.spawn(move |_| {
        if n > 1 {
            spawn_from_task(scope, n - 1, meeting);
        }
        meeting.attend();
    });
}

fn scope_that_spawns_from_tasks(mut s: Strand<'_>, n: usize, meeting: &Meeting) {
    s.scope(|_, scope| {
        spawn_from_task(scope, n - 1, meeting);
        meeting.attend();
    });
}

fn scope_of_tasks_that_spawn(mut s: Strand<'_>, n: usize, meeting: &Meeting) {
    s.scope(|_, scope| spawn_from_task(scope, n, meeting));
}

/// The worker that begins one of these runs a piece of it, whatever the others do.
const SHAPES: [(&str, Shape); 9] = [
    ("joins", joins),
    ("joins without a strand", joins_without_a_strand),
    ("list", list),
    ("list to the left", list_to_the_left),
    ("items", items),
    ("loop", looped),
    ("loops in a loop", loops_in_a_loop),
    ("scope", scope),
    ("scope that spawns from tasks", scope_that_spawns_from_tasks),
];

/// If others have all pieces before the worker that begins one of these comes to the end of the scope, it waits, and
/// may run nothing that is older.
const SHAPES_OF_TASKS: [(&str, Shape); 2] =
    [("scope of tasks", scope_of_tasks), ("scope of tasks that spawn", scope_of_tasks_that_spawn)];

fn try_all(pool: &Pool, run: impl Fn(Strand<'_>, usize, &Meeting, Shape) + Sync) {
    try_these(pool, &SHAPES, run);
}

fn try_these(pool: &Pool, shapes: &[(&str, Shape)], run: impl Fn(Strand<'_>, usize, &Meeting, Shape) + Sync) {
    let n = pool.num_workers();
    for &(name, shape) in shapes {
        eprintln!("{name}, {n} workers");
        meet(n, |meeting| pool.run(|s| run(s, n, meeting, shape)));
    }
}

#[test]
fn as_many_pieces_as_there_are_workers_run_at_the_same_time() {
    on_all_pools(|pool| {
        let run = |s: Strand<'_>, n: usize, meeting: &Meeting, shape: Shape| shape(s, n, meeting);
        try_all(pool, run);
        try_these(pool, &SHAPES_OF_TASKS, run);
    });
}

/// Above a fork whose first branch does not end meanwhile.
#[test]
fn pieces_run_at_the_same_time_above_an_older_fork() {
    on_all_pools(|pool| {
        try_all(pool, |mut s, n, meeting, shape| {
            s.join(|s| shape(s, n - 1, meeting), |_| meeting.attend());
        });
    });
}

/// Workers that have slept for long during a run are called for what comes.
#[test]
fn pieces_run_at_the_same_time_after_a_long_serial_stretch() {
    on_pools(&[2, 5], |pool| {
        try_all(pool, |mut s, n, meeting, shape| {
            s.join(|_| (), |_| ());
            busy(Duration::from_millis(12));
            shape(s, n, meeting);
        });
    });
}

/// As above, where what is older is on the ladder all the while, and its owner does not come back to it.
#[test]
fn pieces_run_at_the_same_time_after_a_long_serial_stretch_inside_a_branch() {
    on_pools(&[2, 5], |pool| {
        try_all(pool, |mut s, n, meeting, shape| {
            s.join(
                |s| {
                    busy(Duration::from_millis(12));
                    shape(s, n, meeting);
                },
                |_| (),
            );
        });
    });
}

/// In two runs at a time, of two threads.
#[test]
fn pieces_run_at_the_same_time_in_two_runs() {
    on_pools(&[4, 16], |pool| {
        let n = pool.num_workers() / 2;
        for (_, shape) in SHAPES {
            let [one, other] = [Meeting::of(n), Meeting::of(n)];
            std::thread::scope(|scope| {
                scope.spawn(|| pool.run(|s| shape(s, n, &one)));
                scope.spawn(|| pool.run(|s| shape(s, n, &other)));
            });
            one.assert_over();
            other.assert_over();
        }
    });
}
