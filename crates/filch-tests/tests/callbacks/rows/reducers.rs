//! Reducers and their monoids.

use crate::row::{Row, moving, row};
use crate::site::{Bomb, Site};
use filch::Reducer;
use filch::monoids::{Max, Monoid};
use std::cmp::Ordering;
use std::sync::Arc;

pub(super) const ROWS: &[Row] = &[
    row("reducer, identity", 1, |site| run(site, At::Identity)),
    moving("reducer, combine", |site| run(site, At::Combine)),
    row("reducer, update", N, |site| run(site, At::Update)),
    row("reducer, drop of views", 1, |site| run(site, At::Drop)),
    row("reducer, comparator", N - 1, comparator),
];

const N: usize = if cfg!(miri) { 4 } else { 24 };

#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Identity,
    Combine,
    Update,
    Drop,
}

struct Append<'a> {
    site: &'a Site,
    at: At,
}

impl Append<'_> {
    fn call(&self, at: At) {
        if at == self.at { self.site.call() } else { self.site.beside() }
    }
}

struct View<'a>(Vec<usize>, #[allow(dead_code, reason = "it counts")] Option<Bomb<&'a Site>>);

impl<'a> Monoid for Append<'a> {
    type View = View<'a>;

    fn identity(&self) -> View<'a> {
        self.call(At::Identity);
        View(Vec::new(), (self.at == At::Drop).then(|| Bomb::new(self.site)))
    }

    fn combine(&self, left: &mut View<'a>, mut right: View<'a>) {
        self.call(At::Combine);
        left.0.append(&mut right.0);
    }
}

fn run(site: &Arc<Site>, at: At) {
    let list = site.pool().run(|mut s| {
        let list = Reducer::new(Append { site, at });
        s.for_each(0..N, |_, i| {
            list.update(|view| {
                if at == At::Update {
                    site.call()
                } else {
                    site.beside()
                }
                view.0.push(i);
            });
        });
        list.into_inner()
    });
    assert!(list.0.iter().copied().eq(0..N));
}

/// A number whose comparison is the callback.
struct Compared<'a>(usize, &'a Site);

impl Ord for Compared<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.1.call();
        self.0.cmp(&other.0)
    }
}

impl PartialOrd for Compared<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Eq for Compared<'_> {}

impl PartialEq for Compared<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

fn comparator(site: &Arc<Site>) {
    let largest = site.pool().run(|mut s| {
        let largest = Reducer::new(Max::new());
        s.for_each(0..N, |_, i| largest.put(Some(Compared(i * 7 % N, site))));
        largest.into_inner()
    });
    assert_eq!(largest.map(|it| it.0), (0..N).map(|i| i * 7 % N).max());
}
