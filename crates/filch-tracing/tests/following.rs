//! Whatever moves is in the span of who forked it.
#![allow(missing_docs)]

use filch::{Pool, Scheduler, Strand};
use filch_tracing::{FollowingStrand, following, in_current_span, in_span};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;
use tracing::{Span, info_span};

/// Spans exist where somebody listens.
fn listen() {
    static LISTENS: Once = Once::new();
    LISTENS.call_once(|| {
        let quiet = tracing_subscriber::fmt().with_writer(std::io::sink).finish();
        tracing::subscriber::set_global_default(quiet).expect("there is no other one");
    });
}

/// Everything moves on one of these, and something on the other one.
fn pools() -> [Pool; 2] {
    let schedulers = ["chaos,seed=1".parse().expect("a scheduler"), Scheduler::default().with_period(Duration::ZERO)];
    schedulers.map(|it| Pool::builder().workers(3).scheduler(it).build().expect("a small pool"))
}

fn fork(mut s: Strand<'_>, depth: u32, span: &Span) {
    assert_eq!(Span::current().id(), span.id());
    if depth > 0 {
        s.join_following(|s| fork(s, depth - 1, span), |s| fork(s, depth - 1, span));
    }
}

#[test]
fn both_branches_of_joins_are_in_the_span_wherever_they_run() {
    listen();
    for pool in pools() {
        for _ in 0..20 {
            let span = info_span!("joins");
            in_span(&span, || pool.run(|s| fork(s, 8, &span)));
            assert!(Span::current().is_none());
        }
    }
}

#[test]
fn an_inner_span_follows_and_ends_with_its_call_also_when_it_unwinds() {
    listen();
    // Under chaos a thread runs what is outside of the inner span while it is in there, and enters the outer one twice.
    // Subscribers ignore that.
    let [_, pool] = pools();
    for _ in 0..20 {
        let (outer, inner) = (info_span!("outer"), info_span!("inner"));
        in_span(&outer, || {
            pool.run(|mut s| {
                s.join_following(
                    |s| in_span(&inner, || fork(s, 6, &inner)),
                    |s| {
                        _ = catch_unwind(AssertUnwindSafe(|| in_span(&inner, || panic!("inside"))));
                        fork(s, 6, &outer);
                    },
                );
                fork(s, 6, &outer);
            });
        });
    }
}

#[test]
fn loops_tasks_and_joins_without_strands_are_in_the_span() {
    listen();
    for pool in pools() {
        let (span, seen) = (info_span!("all"), AtomicUsize::new(0));
        let is_inside = || {
            assert_eq!(Span::current().id(), span.id());
            seen.fetch_add(1, Relaxed);
        };
        let _entered = span.enter();
        in_current_span(|| {
            pool.run(|mut s| {
                s.for_each_following(0..1_000, |_, _| is_inside());
                s.scope(|_, scope| (0..100).for_each(|_| scope.spawn(following(|_| is_inside()))));
                filch_tracing::join(is_inside, is_inside);
            });
        });
        assert_eq!(seen.into_inner(), 1_102);
    }
}
