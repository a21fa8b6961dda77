//! A worker that waits, at a scope's end or at a join, runs parts of what it waits for.

use crate::add;
use crate::common::{self, again_where_work_is_taken, await_value, eager_pool, must_end, takes};
use filch::Strand;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

#[test]
fn a_body_may_await_its_tasks_if_another_worker_is_there() {
    for from_elsewhere in [false, true] {
        again_where_work_is_taken(2, |pool| {
            let begun = AtomicUsize::new(0);
            pool.run(|mut s| {
                s.scope(|_, scope| {
                    if from_elsewhere {
                        std::thread::scope(|threads| {
                            threads.spawn(|| scope.spawn(|_| add(&begun)));
                        });
                    } else {
                        scope.spawn(|_| add(&begun));
                    }
                    await_value(&begun, 1);
                });
            });
        });
    }
}

#[test]
fn the_owner_runs_what_is_spawned_while_it_waits_and_nobody_else_can() {
    // The other worker runs a task until one that a thread from elsewhere spawns is over: only the owner can run that.
    again_where_work_is_taken(2, |pool| {
        let (begun, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        pool.run(|mut s| {
            s.scope(|_, scope| {
                scope.spawn(|_| {
                    add(&begun);
                    std::thread::scope(|threads| {
                        threads.spawn(|| scope.spawn(|_| add(&done)));
                    });
                    await_value(&done, 1);
                });
                await_value(&begun, 1);
            });
        });
    });
}

#[test]
fn a_waiting_owner_helps_the_workers_that_run_its_tasks() {
    again_where_work_is_taken(2, |pool| {
        let (begun, helped) = (AtomicUsize::new(0), AtomicUsize::new(0));
        pool.run(|mut s| {
            s.scope(|_, scope| {
                // Each branch awaits the other, and only the owner is free to run one.
                scope.spawn(|mut s| {
                    add(&begun);
                    s.join(|_| await_value(&helped, 1), |_| add(&helped));
                });
                await_value(&begun, 1);
            });
        });
    });
}

#[test]
fn a_waiter_at_a_join_runs_tasks_of_a_scope_inside_what_it_waits_for() {
    again_where_work_is_taken(2, |pool| {
        let (begun, ran) = (AtomicUsize::new(0), AtomicUsize::new(0));
        pool.run(|mut s| {
            s.join(
                |_| await_value(&begun, 1),
                |mut s| {
                    add(&begun);
                    s.scope(|_, scope| {
                        scope.spawn(|_| add(&ran));
                        await_value(&ran, 1);
                    });
                },
            );
        });
    });
}

#[test]
fn a_waiting_owner_runs_tasks_of_scopes_inside_its_tasks() {
    again_where_work_is_taken(2, |pool| {
        let (begun, ran) = (AtomicUsize::new(0), AtomicUsize::new(0));
        pool.run(|mut s| {
            s.scope(|_, scope| {
                scope.spawn(|mut s| {
                    add(&begun);
                    s.scope(|_, inner| {
                        inner.spawn(|_| add(&ran));
                        await_value(&ran, 1);
                    });
                });
                await_value(&begun, 1);
            });
        });
    });
}

#[test]
#[cfg_attr(miri, ignore = "about depth only: with fewer levels there is room")]
fn an_owner_that_has_no_room_for_more_names_runs_its_own_tasks() {
    // Deeper than helping may nest, in one pool of one worker, and in one where others help.
    fn deep(mut s: Strand<'_>, levels: usize, done: &AtomicUsize) {
        s.scope(|_, scope| {
            scope.spawn(|s| {
                if levels > 0 {
                    deep(s, levels - 1, done)
                }
            });
            scope.spawn(|mut s| {
                s.join(|_| add(done), |_| add(done));
            });
        });
    }
    const LEVELS: usize = 200;
    for workers in [1, 3] {
        let pool = eager_pool(workers);
        let done = AtomicUsize::new(0);
        pool.run(|s| deep(s, LEVELS, &done));
        assert_eq!(done.into_inner(), 2 * (LEVELS + 1));
    }
}

#[test]
fn a_waiter_runs_no_older_frame_of_the_worker_that_helps_it() {
    if !takes() || !common::waits_for_descendants() {
        return;
    }
    let pool = eager_pool(2);
    for _ in 0..if cfg!(miri) { 2 } else { 30 } {
        let [held, released, helped] = [const { AtomicUsize::new(0) }; 3];
        let (in_task, strayed) = (AtomicBool::new(false), AtomicBool::new(false));
        pool.run(|mut s| {
            s.scope(|mut s, outer| {
                // Keeps the other worker busy until the task below is there.
                outer.spawn(|_| {
                    add(&held);
                    await_value(&released, 1);
                });
                await_value(&held, 1);
                s.join(
                    |mut s| {
                        s.scope(|_, inner| {
                            inner.spawn(|mut s| {
                                in_task.store(true, Ordering::SeqCst);
                                let help = |_: Strand<'_>| {
                                    add(&helped);
                                    // The other worker waits for this and must find nothing else to do.
                                    common::busy(std::time::Duration::from_millis(1));
                                };
                                s.join(|_| await_value(&helped, 1), help);
                                in_task.store(false, Ordering::SeqCst);
                            });
                            add(&released);
                            while !in_task.load(Ordering::SeqCst) {
                                std::thread::yield_now();
                            }
                        });
                    },
                    // Latent below the owner of the inner scope when that helps.
                    |_| strayed.store(in_task.load(Ordering::SeqCst), Ordering::SeqCst),
                );
            });
        });
        assert!(!strayed.into_inner(), "no part of the task that was being waited for");
    }
}

#[test]
fn what_an_owner_forks_while_it_helps_is_not_hidden_by_its_older_frames() {
    must_end(|| {
        again_where_work_is_taken(2, |pool| {
            let [helped, seen] = [const { AtomicUsize::new(0) }; 2];
            common::with_another_held(pool, |s, released| {
                common::await_above_an_older_frame(s, released, |mut s| {
                    s.join(
                        |_| await_value(&helped, 1),
                        |mut s| {
                            // The owner runs this, and the other worker waits for it.
                            add(&helped);
                            s.join(|_| await_value(&seen, 1), |_| add(&seen));
                        },
                    );
                });
            });
        });
    });
}

#[test]
fn a_worker_that_waits_for_an_owner_finds_what_the_owner_forks_while_it_helps() {
    must_end(|| {
        again_where_work_is_taken(3, |pool| {
            let [helped, seen] = [const { AtomicUsize::new(0) }; 2];
            common::with_another_held(pool, |mut s, released| {
                let own = |s: Strand<'_>| {
                    common::await_above_an_older_frame(s, released, |mut s| {
                        s.join(
                            // Waits at no join, so no worker finds what the second branch forks by way of this one.
                            |_| await_value(&seen, 1),
                            |mut s| {
                                add(&helped);
                                s.join(|_| await_value(&seen, 1), |_| add(&seen));
                            },
                        );
                    });
                };
                s.join(|_| await_value(&helped, 1), own);
            });
        });
    });
}
