//! Scopes, detached tasks, broadcasts and runs.

use crate::row::{Row, losing, row};
use crate::site::{Bomb, Site, Token};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

pub(super) const ROWS: &[Row] = &[
    row("scope, body", 1, |site| scope(site, At::Body)),
    row("scope, task", TASKS, |site| scope(site, At::Task)),
    row("scope, drop of captures", TASKS, |site| scope(site, At::Drop)),
    // The scope is cancelled, so it may drop a task quietly.
    losing(row("scope, drop of cancelled tasks", 1, cancelled)),
    row("scope_in_place, body", 1, in_place),
    losing(row("spawn, task", TASKS, |site| detached(site, At::Task))),
    losing(row("spawn, drop of captures", TASKS, |site| detached(site, At::Drop))),
    losing(row("spawn_broadcast, task", 1, detached_broadcast)),
    row("broadcast, closure", 1, broadcast),
    row("broadcast, drop of results", 1, broadcast_results),
    row("run, closure", 1, run),
    row("run_on_worker, closure", 1, run_on_worker),
];

const TASKS: usize = if cfg!(miri) { 2 } else { 6 };

#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Body,
    Task,
    Drop,
}

fn scope(site: &Arc<Site>, at: At) {
    let sum = AtomicUsize::new(0);
    let call = |now| if now == at { site.call() } else { site.beside() };
    site.pool().run(|mut s| {
        s.scope(|_, scope| {
            for i in 0..TASKS {
                let (sum, call, bomb) = (&sum, &call, (at == At::Drop).then(|| Bomb::new(&**site)));
                scope.spawn(move |_| {
                    let _bomb = bomb;
                    call(At::Task);
                    sum.fetch_add(i, SeqCst);
                });
            }
            call(At::Body);
        });
    });
    assert_eq!(sum.into_inner(), TASKS * (TASKS - 1) / 2);
}

fn cancelled(site: &Arc<Site>) {
    site.pool().run(|_| {
        filch::scope(|_, scope| {
            for i in 0..TASKS {
                let bomb = Bomb::new(&**site);
                scope.spawn(move |_| {
                    let _bomb = &bomb;
                    site.beside();
                });
                if i == TASKS / 2 {
                    scope.cancel();
                }
            }
        });
    });
}

fn in_place(site: &Arc<Site>) {
    let sum = AtomicUsize::new(0);
    site.pool().scope_in_place(|scope| {
        for i in 0..TASKS {
            let sum = &sum;
            scope.spawn(move |_| {
                site.beside();
                sum.fetch_add(i, SeqCst);
            });
        }
        site.call();
    });
    assert_eq!(sum.into_inner(), TASKS * (TASKS - 1) / 2);
}

fn detached(site: &Arc<Site>, at: At) {
    let sum = Arc::new(AtomicUsize::new(0));
    site.pool().run(|_| {
        for i in 0..TASKS {
            let (site, sum) = (Arc::clone(site), Arc::clone(&sum));
            let (pending, bomb) =
                (Token::new(Arc::clone(&site.pending)), (at == At::Drop).then(|| Bomb::new(Arc::clone(&site))));
            filch::spawn(move |_| {
                let (_pending, _bomb) = (pending, bomb);
                sum.fetch_add(i, SeqCst);
                if at == At::Task { site.call() } else { site.beside() }
            });
        }
    });
    while !site.is_over() {
        std::thread::yield_now();
    }
    assert_eq!(sum.load(SeqCst), TASKS * (TASKS - 1) / 2);
}

fn detached_broadcast(site: &Arc<Site>) {
    let seen = Arc::new(AtomicUsize::new(0));
    let (task_site, task_seen) = (Arc::clone(site), Arc::clone(&seen));
    let pending = Token::new(Arc::clone(&site.pending));
    site.pool().spawn_broadcast(move |_, _| {
        let _pending = &pending;
        task_seen.fetch_add(1, SeqCst);
        task_site.call();
    });
    while !site.is_over() {
        std::thread::yield_now();
    }
    // A panic may keep others from beginning.
    assert!(site.has_thrown() || seen.load(SeqCst) == site.pool().num_workers());
}

fn broadcast(site: &Arc<Site>) {
    let workers = site.pool().broadcast(|_, to| {
        site.call();
        to.index()
    });
    assert!(workers.into_iter().eq(0..site.pool().num_workers()));
}

fn broadcast_results(site: &Arc<Site>) {
    site.pool().run(|_| {
        let results = filch::broadcast(|_, to| (to.index(), Bomb::new(&**site)));
        assert!(results.iter().map(|result| result.0).eq(0..site.pool().num_workers()));
    });
}

fn run(site: &Arc<Site>) {
    let (n, _bomb) = site.pool().run(|_| {
        site.call();
        (1, Token::new(&**site))
    });
    assert_eq!(n, 1);
}

fn run_on_worker(site: &Arc<Site>) {
    let run = || {
        site.call();
        1
    };
    assert_eq!(site.pools.other.run_on_worker(|_| run()) + site.pool().run_on_worker(|_| run()), 2);
}
