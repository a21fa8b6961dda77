//! Spawn loops.

use crate::row::{Row, losing, row};
use crate::site::{Bomb, Site, Token};
use filch::{CancelToken, Cancelled};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

pub(super) const ROWS: &[Row] = &[
    row("for_each_item, next", N, |site| run(site, At::Next)),
    row("for_each_item, body", N, |site| run(site, At::Body)),
    row("for_each_item, drop of items", N, |site| run(site, At::ItemDrop)),
    row("for_each_item, drop of the iterator", 1, |site| run(site, At::Drop)),
    row("for_each_item_until, body", N, until),
    // An error is returned instead.
    losing(row("try_for_each_item, drop of errors", 1, errors)),
];

const N: usize = if cfg!(miri) { 4 } else { 24 };

#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Next,
    Body,
    ItemDrop,
    Drop,
}

/// A value, in which the callback may be.
struct Held<'a>(#[allow(dead_code, reason = "it counts")] Result<Bomb<&'a Site>, Token<&'a Site>>);

impl<'a> Held<'a> {
    fn new(site: &'a Site, is_bomb: bool) -> Self {
        Held(if is_bomb { Ok(Bomb::new(site)) } else { Err(Token::new(site)) })
    }
}

struct Numbers<'a> {
    site: &'a Site,
    at: At,
    next: usize,
    _held: Held<'a>,
}

impl<'a> Iterator for Numbers<'a> {
    type Item = (usize, Held<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        if self.at == At::Next {
            self.site.call()
        } else {
            self.site.beside()
        }
        let i = self.next;
        self.next += 1;
        (i < N).then(|| (i, Held::new(self.site, self.at == At::ItemDrop)))
    }
}

fn run(site: &Arc<Site>, at: At) {
    let sum = AtomicUsize::new(0);
    site.pool().run(|mut s| {
        let numbers = Numbers { site, at, next: 0, _held: Held::new(site, at == At::Drop) };
        s.for_each_item(numbers, |_, (i, _held)| {
            if at == At::Body {
                site.call()
            } else {
                site.beside()
            }
            sum.fetch_add(i, SeqCst);
        });
    });
    assert_eq!(sum.into_inner(), N * (N - 1) / 2);
}

fn until(site: &Arc<Site>) {
    let (token, count) = (CancelToken::new(), AtomicUsize::new(0));
    let result = site.pool().run(|mut s| {
        s.for_each_item_until(&token, 0..N, |_, _| {
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
        s.try_for_each_item(0..N, |_, i| {
            site.beside();
            if i % 3 == 1 { Err((i, Bomb::new(&**site))) } else { Ok(()) }
        })
    });
    assert_eq!(error.expect_err("there are some").0 % 3, 1);
}
