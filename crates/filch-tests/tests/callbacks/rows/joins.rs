//! Joins.

use crate::row::{Row, moving, row};
use crate::site::{Bomb, Site, Token};
use std::sync::Arc;

pub(super) const ROWS: &[Row] = &[
    row("join, branches", 2, branches),
    row("join, drop of captures", 2, captures),
    row("join, drop of results", 2, results),
    moving("join_with, make", |site| accumulated(site, At::Make)),
    moving("join_with, merge", |site| accumulated(site, At::Merge)),
    row("join_with, drop of accumulators", 1, |site| accumulated(site, At::Drop)),
];

fn branches(site: &Arc<Site>) {
    let branch = |n: u32| {
        site.call();
        (n, Token::new(&**site))
    };
    let ((a, b), c) = site
        .pool()
        .run(|mut s| s.join(|mut s| s.join(|_| branch(1), |_| branch(2)), |_| filch::join(|| branch(3), || branch(4))));
    assert_eq!([a.0, b.0, c.0.0, c.1.0], [1, 2, 3, 4]);
}

fn captures(site: &Arc<Site>) {
    let bombs = || (Bomb::new(&**site), Bomb::new(&**site));
    let branch = |n: u32, bomb: Bomb<&Site>| {
        site.beside();
        drop(bomb);
        n
    };
    let found = site.pool().run(|mut s| {
        let ((a, b), (c, d)) = (bombs(), bombs());
        // Those of the outer join are dropped with the closures, those of the inner one by the branches.
        s.join(
            move |mut s| {
                let _a = a;
                s.join(move |_| branch(1, c), move |_| branch(2, d))
            },
            move |_| {
                let _b = &b;
                site.beside();
                3
            },
        )
    });
    assert_eq!(found, ((1, 2), 3));
}

fn results(site: &Arc<Site>) {
    let result = |n: u32| {
        site.beside();
        (n, Bomb::new(&**site))
    };
    site.pool().run(|mut s| {
        let (a, b) = s.join(
            |_| result(1),
            |mut s| {
                drop(s.join(|_| result(3), |_| result(4)));
                result(2)
            },
        );
        assert_eq!((a.0, b.0), (1, 2));
    });
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Make,
    Merge,
    Drop,
}

/// The numbers that a branch has added.
struct Numbers<'a>(Vec<u32>, #[allow(dead_code, reason = "it counts")] Result<Bomb<&'a Site>, Token<&'a Site>>);

fn accumulated(site: &Arc<Site>, at: At) {
    let numbers = || match at {
        At::Drop => Numbers(Vec::new(), Ok(Bomb::new(&**site))),
        _ => Numbers(Vec::new(), Err(Token::new(&**site))),
    };
    let call = |now| if now == at { site.call() } else { site.beside() };
    let make = || {
        call(At::Make);
        numbers()
    };
    let merge = |left: &mut Numbers<'_>, mut right: Numbers<'_>| {
        call(At::Merge);
        left.0.append(&mut right.0);
    };
    let add = |numbers: &mut Numbers<'_>, n| {
        site.beside();
        numbers.0.push(n);
    };
    site.pool().run(|mut s| {
        let mut all = numbers();
        s.join_with(
            &mut all,
            make,
            |mut s, own| {
                s.join_with(own, make, |_, own| add(own, 1), |_, own| add(own, 2), merge);
            },
            |mut s, own| {
                s.join_with(own, make, |_, own| add(own, 3), |_, own| add(own, 4), merge);
            },
            merge,
        );
        assert_eq!(all.0, [1, 2, 3, 4]);
    });
}
