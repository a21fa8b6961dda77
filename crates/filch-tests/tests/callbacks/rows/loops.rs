//! Range loops.

use crate::row::{Row, losing, row};
use crate::site::{Bomb, Site};
use filch::{Affinity, CancelToken, Cancelled, PerWorker};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

pub(super) const ROWS: &[Row] = &[
    row("for_each, body", N, body),
    row("for_each, drop of captures", 1, captures),
    row("for_each_with, body", N, with),
    row("for_each_with, make", 1, with_made),
    row("for_each_with, drop of states", 1, with_drops),
    row("for_each_affine, body", N, affine),
    row("for_each_until, body", N, until),
    // An error is returned instead.
    losing(row("try_for_each, drop of errors", 1, errors)),
    row("find_any, predicate", 1, find),
    row("chunks_mut, body", N / 2, chunks),
    row("map_reduce, identity", 1, |site| reduce(site, At::Identity)),
    row("map_reduce, map", N, |site| reduce(site, At::Map)),
    row("map_reduce, combine", 1, |site| reduce(site, At::Combine)),
    row("map_reduce, drop of values", 1, |site| reduce(site, At::Drop)),
];

const N: usize = if cfg!(miri) { 4 } else { 24 };

fn body(site: &Arc<Site>) {
    let sum = AtomicUsize::new(0);
    site.pool().run(|mut s| {
        s.for_each(0..N, |_, i| {
            site.call();
            sum.fetch_add(i, SeqCst);
        });
    });
    assert_eq!(sum.into_inner(), N * (N - 1) / 2);
}

fn captures(site: &Arc<Site>) {
    let sum = &AtomicUsize::new(0);
    site.pool().run(|mut s| {
        let bomb = Bomb::new(&**site);
        s.for_each(0..N, move |_, i| {
            let _bomb = &bomb;
            site.beside();
            sum.fetch_add(i, SeqCst);
        });
    });
    assert_eq!(sum.load(SeqCst), N * (N - 1) / 2);
}

fn with(site: &Arc<Site>) {
    let sum = AtomicUsize::new(0);
    site.pool().run(|mut s| {
        s.for_each_with(
            || 0,
            0..N,
            |_, last, i| {
                *last = i;
                site.call();
                sum.fetch_add(*last, SeqCst);
            },
        );
    });
    assert_eq!(sum.into_inner(), N * (N - 1) / 2);
}

fn with_made(site: &Arc<Site>) {
    let counts = PerWorker::new(|| {
        site.call();
        0
    });
    site.pool().run(|_| filch::for_each_using(&counts, 0..N, |_, count, i| *count += i));
    assert_eq!(counts.into_states().sum::<usize>(), N * (N - 1) / 2);
}

fn with_drops(site: &Arc<Site>) {
    let sum = AtomicUsize::new(0);
    site.pool().run(|_| {
        let make = || Bomb::new(&**site);
        filch::for_each_with(make, 0..N, |_, _, i| _ = sum.fetch_add(i, SeqCst));
    });
    assert_eq!(sum.into_inner(), N * (N - 1) / 2);
}

fn affine(site: &Arc<Site>) {
    let (sum, mut affinity) = (AtomicUsize::new(0), Affinity::new());
    site.pool().run(|mut s| {
        s.for_each_affine(&mut affinity, 0..N, |_, i| {
            site.call();
            sum.fetch_add(i, SeqCst);
        });
    });
    assert_eq!(sum.into_inner(), N * (N - 1) / 2);
}

fn until(site: &Arc<Site>) {
    let (token, count) = (CancelToken::new(), AtomicUsize::new(0));
    let result = site.pool().run(|mut s| {
        s.for_each_until(&token, 0..N, |_, _| {
            site.call_or(&|| token.cancel());
            count.fetch_add(1, SeqCst);
        })
    });
    match result {
        Ok(()) => assert_eq!(count.into_inner(), N),
        Err(Cancelled) => assert!(site.is_aborted()),
    }
}

fn errors(site: &Arc<Site>) {
    let error = site.pool().run(|mut s| {
        s.try_for_each(0..N, |_, i| {
            site.beside();
            if i % 3 == 1 { Err((i, Bomb::new(&**site))) } else { Ok(()) }
        })
    });
    assert_eq!(error.expect_err("there are some").0 % 3, 1);
}

fn find(site: &Arc<Site>) {
    let found = site.pool().run(|_| {
        filch::find_any(0..N, |_, &i| {
            site.call();
            i == N - 1
        })
    });
    assert_eq!(found, Some(N - 1));
}

fn chunks(site: &Arc<Site>) {
    let mut numbers = [0; N];
    site.pool().run(|_| {
        filch::for_each(filch::chunks_mut(&mut numbers, 2), |_, chunk| {
            site.call();
            chunk.fill(chunk.len());
        });
    });
    assert_eq!(numbers, [2; N]);
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Identity,
    Map,
    Combine,
    Drop,
}

/// A list in a value that is counted.
struct List<'a>(Vec<usize>, #[allow(dead_code, reason = "it counts")] Option<Bomb<&'a Site>>);

fn reduce<'a>(site: &'a Arc<Site>, at: At) {
    let call = |now| if now == at { site.call() } else { site.beside() };
    let list = |items| List(items, (at == At::Drop).then(|| Bomb::new(&**site)));
    let identity = || {
        call(At::Identity);
        list(Vec::new())
    };
    let map = |i| {
        call(At::Map);
        list(vec![i])
    };
    let combine = |mut left: List<'a>, mut right: List<'a>| {
        call(At::Combine);
        left.0.append(&mut right.0);
        // A panic of a destructor at the end of a function makes rustc forget what the function returns (its issue
        // 47949).
        drop(right);
        left
    };
    let found = site.pool().run(|_| filch::map_reduce(0..N, identity, |_, i| map(i), combine));
    assert!(found.0.iter().copied().eq(0..N));
}
