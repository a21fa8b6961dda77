//! The rows: parallel iterators, each with the callback in one of the closures or values that it is given.

use crate::row::{Row, losing, moving, row};
use crate::site::{Bomb, Site};
use filch_rayon::prelude::*;
use std::cmp::Ordering;
use std::iter::Sum;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

pub(crate) fn all() -> impl Iterator<Item = &'static Row> {
    ROWS.iter()
}

const ROWS: &[Row] = &[
    row("iterator, for_each", N, for_each),
    row("iterator, map and collect", N, collect),
    row("iterator, filter", N, filter),
    row("iterator, filter_map and collect", N, filter_map),
    row("iterator, flat_map", N, flat_map),
    row("iterator, flat_map_iter: next", N, flat_map_iter),
    row("iterator, map_init: init", 1, map_init),
    row("iterator, fold: identity", 1, |site| fold(site, At::Identity)),
    row("iterator, fold: fold", N, |site| fold(site, At::Fold)),
    row("iterator, reduce: identity", 1, |site| fold(site, At::ReduceIdentity)),
    moving("iterator, reduce: reduce", |site| fold(site, At::Reduce)),
    row("iterator, sum", 1, sum),
    row("iterator, find_any", 1, find_any),
    row("iterator, find_first", 1, find_first),
    row("iterator, position_last", 1, position_last),
    moving("iterator, min_by: comparator", min_by),
    row("iterator, max_by_key: key", N, max_by_key),
    row("iterator, cmp: comparator", 1, cmp),
    row("iterator, try_for_each", N, try_for_each),
    row("iterator, drop of items", N, drop_items),
    row("iterator, drop of results", N, drop_results),
    // An item that comes after the one that is found is dropped quietly by rayon.
    losing(row("iterator, drop of items that are not visited", 1, drop_unvisited)),
    row("iterator, clone of cloned", N, cloned),
    row("bridge, next", N, bridge_next),
    row("bridge, item", N, bridge_item),
    row("bridge, clone of a value for each item", N, bridge_clone),
    row("sort, comparator", 1, sort),
    row("sort, cached key", N, sort_by_cached_key),
    row("text, separator", N, text),
];

const N: usize = if cfg!(miri) { 4 } else { 24 };
const SUM: usize = N * (N - 1) / 2;

/// The numbers below `N`, in blocks of at most three.
macro_rules! numbers {
    () => {
        (0..N).into_par_iter().filch().with_max_len(3)
    };
}

fn for_each(site: &Arc<Site>) {
    let sum = AtomicUsize::new(0);
    site.pool().run(|_| {
        numbers!().for_each(|i| {
            site.call();
            sum.fetch_add(i, SeqCst);
        });
    });
    assert_eq!(sum.into_inner(), SUM);
}

/// The number, after a call.
fn called(site: &Site, i: usize) -> usize {
    site.call();
    i
}

fn collect(site: &Arc<Site>) {
    let found: Vec<_> = site.pool().run(|_| numbers!().map(|i| called(site, i)).collect());
    assert!(found.into_iter().eq(0..N));
}

fn filter(site: &Arc<Site>) {
    let found: Vec<_> = site.pool().run(|_| numbers!().filter(|&i| called(site, i).is_multiple_of(2)).collect());
    assert!(found.into_iter().eq((0..N).step_by(2)));
}

fn filter_map(site: &Arc<Site>) {
    let found: Vec<_> =
        site.pool().run(|_| numbers!().filter_map(|i| (called(site, i).is_multiple_of(2)).then_some(i)).collect());
    assert!(found.into_iter().eq((0..N).step_by(2)));
}

fn flat_map(site: &Arc<Site>) {
    let twice = |i| [called(site, i), i].into_par_iter().filch();
    let found: usize = site.pool().run(|_| numbers!().flat_map(twice).sum());
    assert_eq!(found, 2 * SUM);
}

fn flat_map_iter(site: &Arc<Site>) {
    let twice = |i| (0..2).map(move |_| called(site, i));
    let found: usize = site.pool().run(|_| numbers!().flat_map_iter(twice).sum());
    assert_eq!(found, 2 * SUM);
}

fn map_init(site: &Arc<Site>) {
    let found: usize = site.pool().run(|_| numbers!().map_init(|| called(site, 1), |one, i| *one * i).sum());
    assert_eq!(found, SUM);
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Identity,
    Fold,
    ReduceIdentity,
    Reduce,
}

fn fold(site: &Arc<Site>, at: At) {
    let call = |now| if now == at { site.call() } else { site.beside() };
    let list = |now| {
        call(now);
        Vec::new()
    };
    let found = site.pool().run(|_| {
        numbers!()
            .fold(
                || list(At::Identity),
                |mut list, i| {
                    call(At::Fold);
                    list.push(i);
                    list
                },
            )
            .reduce(
                || list(At::ReduceIdentity),
                |mut left, mut right| {
                    call(At::Reduce);
                    left.append(&mut right);
                    left
                },
            )
    });
    assert!(found.into_iter().eq(0..N));
}

/// A number whose addition is the callback.
struct Added<'a>(usize, &'a Site);

/// What adds up to nothing has no site.
struct Total<'a>(usize, Option<&'a Site>);

impl<'a> Sum<Added<'a>> for Total<'a> {
    fn sum<I: Iterator<Item = Added<'a>>>(items: I) -> Self {
        items.fold(Total(0, None), |total, item| Total(total.0 + called(item.1, item.0), Some(item.1)))
    }
}

impl<'a> Sum<Total<'a>> for Total<'a> {
    fn sum<I: Iterator<Item = Total<'a>>>(items: I) -> Self {
        items.fold(Total(0, None), |total, item| {
            item.1.inspect(|site| site.call());
            Total(total.0 + item.0, total.1.or(item.1))
        })
    }
}

fn sum(site: &Arc<Site>) {
    let total: Total<'_> = site.pool().run(|_| numbers!().map(|i| Added(i, site)).sum());
    assert_eq!(total.0, SUM);
}

fn find_any(site: &Arc<Site>) {
    let found = site.pool().run(|_| numbers!().find_any(|&i| called(site, i) % 3 == 1));
    assert_eq!(found.map(|i| i % 3), Some(1));
}

fn find_first(site: &Arc<Site>) {
    let found = site.pool().run(|_| numbers!().find_first(|&i| called(site, i) % 3 == 1));
    assert_eq!(found, Some(1));
}

fn position_last(site: &Arc<Site>) {
    let found = site.pool().run(|_| numbers!().position_last(|i| called(site, i) == N - 2));
    assert_eq!(found, Some(N - 2));
}

fn compare(site: &Site, a: &usize, b: &usize) -> Ordering {
    site.call();
    (a * 7 % N).cmp(&(b * 7 % N))
}

fn min_by(site: &Arc<Site>) {
    let found = site.pool().run(|_| numbers!().min_by(|a, b| compare(site, a, b)));
    assert_eq!(found, Some(0));
}

fn max_by_key(site: &Arc<Site>) {
    let found = site.pool().run(|_| numbers!().max_by_key(|&i| called(site, i * 7 % N)));
    assert_eq!(found, (0..N).max_by_key(|&i| i * 7 % N));
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

fn cmp(site: &Arc<Site>) {
    let all = |last| numbers!().map(move |i| Compared(if i == N - 1 { last } else { i }, site));
    assert_eq!(site.pool().run(|_| all(7).cmp(all(8))), Ordering::Less);
}

fn try_for_each(site: &Arc<Site>) {
    let result: Result<(), usize> = site.pool().run(|_| {
        numbers!().try_for_each(|_| {
            site.call();
            Ok(())
        })
    });
    assert_eq!(result, Ok(()));
}

fn bombs(site: &Arc<Site>) -> Vec<Bomb<&Site>> {
    (0..N).map(|_| Bomb::new(&**site)).collect()
}

fn drop_items(site: &Arc<Site>) {
    let count = AtomicUsize::new(0);
    site.pool().run(|_| {
        bombs(site).into_par_iter().filch().with_max_len(3).for_each(|bomb| {
            count.fetch_add(1, SeqCst);
            drop(bomb);
        });
    });
    assert_eq!(count.into_inner(), N);
}

fn drop_results(site: &Arc<Site>) {
    site.pool().run(|_| {
        let found: Vec<_> = numbers!().map(|i| (i, Bomb::new(&**site))).collect();
        assert!(found.iter().map(|it| it.0).eq(0..N));
    });
}

fn drop_unvisited(site: &Arc<Site>) {
    let found = site.pool().run(|_| {
        let all = bombs(site).into_par_iter().filch().with_max_len(3).enumerate();
        all.find_any(|(i, _)| i % 3 == 1).map(|(i, _)| i)
    });
    assert_eq!(found.map(|i| i % 3), Some(1));
}

/// A number whose clone is the callback.
struct Cloned<'a>(usize, &'a Site);

impl Clone for Cloned<'_> {
    fn clone(&self) -> Self {
        Cloned(called(self.1, self.0), self.1)
    }
}

fn cloned(site: &Arc<Site>) {
    let all: Vec<_> = (0..N).map(|i| Cloned(i, site)).collect();
    let found: usize = site.pool().run(|_| all.par_iter().filch().with_max_len(3).cloned().map(|it| it.0).sum());
    assert_eq!(found, SUM);
}

fn bridge_next(site: &Arc<Site>) {
    let sum: usize = site.pool().run(|_| (0..N).map(|i| called(site, i)).filch_bridge().sum());
    assert_eq!(sum, SUM);
}

fn bridge_item(site: &Arc<Site>) {
    let mut found: Vec<_> = site.pool().run(|_| (0..N).filch_bridge().map(|i| called(site, i)).collect());
    found.sort_unstable();
    assert!(found.into_iter().eq(0..N));
}

fn bridge_clone(site: &Arc<Site>) {
    let sum: usize = site.pool().run(|_| (0..N).filch_bridge().map_with(Cloned(0, site), |_, i| i).sum());
    assert_eq!(sum, SUM);
}

fn sort(site: &Arc<Site>) {
    let mut items: Vec<usize> = (0..N).map(|i| i * 7 % N).collect();
    let mut expected = items.clone();
    expected.sort_by_key(|i| i * 7 % N);
    site.pool().run(|_| items.filch().par_sort_by(|a, b| compare(site, a, b)));
    assert_eq!(items, expected);
}

fn sort_by_cached_key(site: &Arc<Site>) {
    let mut items: Vec<usize> = (0..N).collect();
    site.pool().run(|_| items.filch().par_sort_by_cached_key(|&i| N - called(site, i)));
    assert!(items.into_iter().eq((0..N).rev()));
}

fn text(site: &Arc<Site>) {
    let text = "a,".repeat(N);
    let is_comma = |c| {
        site.call();
        c == ','
    };
    let fields = site.pool().run(|_| text.filch().par_split(is_comma).filter(|field| *field == "a").count());
    assert_eq!(fields, N);
}
