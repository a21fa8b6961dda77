//! The columns: what a callback uses.

use crate::common::fib;
use crate::site::{Site, Token};
use filch::monoids::Append;
use filch::{Aborted, CancelToken, Cancelled, Node, Reducer, SpeculativeStrand, State, Steps};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Plain,
    /// Runs whatever waits to be run, until something has happened.
    Yields,
    Panics,
    /// Aborts a construct of its own, and the one that calls it.
    Aborts,
}

/// A column.
#[derive(Debug)]
pub(crate) struct Use {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    /// How often a cell uses it.
    pub(crate) most: usize,
    pub(crate) run: fn(&Site),
}

const fn plain(name: &'static str, run: fn(&Site)) -> Use {
    Use { name, kind: Kind::Plain, most: if cfg!(miri) { 2 } else { 8 }, run }
}

/// Something that takes much longer than a fork.
const fn dear(name: &'static str, run: fn(&Site)) -> Use {
    Use { most: 2, ..plain(name, run) }
}

pub(crate) const ALL: &[Use] = &[
    plain("nothing", |_| ()),
    plain("join", join),
    plain("strand", strand),
    plain("loop", a_loop),
    plain("items", items),
    plain("scope", scope),
    plain("spawn", spawn),
    plain("traverse", traverse),
    plain("search", search),
    plain("speculate", speculate),
    plain("reducer", reducer),
    plain("caught panic", caught_panic),
    Use { kind: Kind::Yields, ..plain("yield", yields) },
    plain("broadcast", broadcast),
    plain("this pool", |site| site.pool().run(|s| assert_eq!(fib(s, 6), 8))),
    plain("other pool", |site| site.pools.other.run(|s| assert_eq!(fib(s, 6), 8))),
    dear("thread of other pool", |site| site.pools.server.run_on_worker(|s| assert_eq!(fib(s, 6), 8))),
    dear("new pool", new_pool),
    dear("channel", channel),
    dear("caller", caller),
    Use { kind: Kind::Panics, most: 1, ..plain("panic", |_| ()) },
    Use { kind: Kind::Aborts, ..plain("abort", abort) },
];

const ITEMS: usize = if cfg!(miri) { 3 } else { 12 };

fn join(_: &Site) {
    let (a, b) = filch::join(|| String::from("a"), || String::from("b"));
    assert_eq!((&*a, &*b), ("a", "b"));
}

fn strand(_: &Site) {
    let n = if cfg!(miri) { 3 } else { 7 };
    let found = filch::scope(|s, _| fib(s, n));
    assert_eq!(found, [0, 1, 1, 2, 3, 5, 8, 13][n as usize]);
}

fn a_loop(_: &Site) {
    let sum = filch::map_reduce(0..ITEMS, || 0, |_, i| i, |a, b| a + b);
    assert_eq!(sum, ITEMS * (ITEMS - 1) / 2);
    let done = AtomicUsize::new(0);
    filch::for_each(0..ITEMS, |_, _| _ = done.fetch_add(1, SeqCst));
    assert_eq!(done.into_inner(), ITEMS);
}

fn items(_: &Site) {
    let done = AtomicUsize::new(0);
    filch::for_each_item((0..ITEMS).map(|i| i + 1), |_, i| _ = done.fetch_add(i, SeqCst));
    assert_eq!(done.into_inner(), ITEMS * (ITEMS + 1) / 2);
}

fn scope(_: &Site) {
    let done = AtomicUsize::new(0);
    filch::scope(|_, scope| {
        for i in 0..4 {
            let done = &done;
            scope.spawn(move |mut s| {
                s.join(|_| done.fetch_add(i, SeqCst), |_| done.fetch_add(1, SeqCst));
            });
        }
    });
    assert_eq!(done.into_inner(), 10);
}

fn spawn(site: &Site) {
    let pending = Token::new(Arc::clone(&site.pending));
    filch::spawn(move |mut s| {
        assert_eq!(s.join(|_| 1, |_| 2), (1, 2));
        drop(pending);
    });
}

fn traverse(_: &Site) {
    let depth = if cfg!(miri) { 2 } else { 4 };
    let found = filch::traverse(
        [0_u32],
        || 0,
        |list, level| {
            *list.workspace() += 1;
            if level < depth {
                list.push(level + 1);
                list.push_next(level + 1);
            }
        },
    );
    assert_eq!(found.workspaces.iter().sum::<u32>(), (2 << depth) - 1);
}

fn search(_: &Site) {
    let depth = if cfg!(miri) { 2 } else { 4 };
    let words = Steps::new(
        |word: &mut Vec<u8>| if word.len() == depth { Node::Solution } else { Node::Choices(0..2_u8) },
        |word: &mut Vec<u8>, letter| word.push(letter),
        |word: &mut Vec<u8>, _| _ = word.pop(),
    );
    assert_eq!(filch::search(&words, Vec::new()).count(), 1 << depth);
}

fn speculate(_: &Site) {
    let (sum, ()) = filch::speculate(0, |p, _| {
        (0..3).for_each(|n| p.spawn_add(move |_, _| Ok(n)));
        p.spawn_each(3..6, |_, _, n| Ok(n), |sum, n| *sum += n);
    });
    assert_eq!(sum, 15);
    assert_eq!(filch::first_of(0..9, |_, n| Ok((n == 7).then_some(n))), Some(7));
}

fn reducer(_: &Site) {
    let list = Reducer::new(Append::<Vec<usize>>::new());
    filch::for_each(0..ITEMS, |_, i| list.put(vec![i]));
    assert!(list.into_inner().into_iter().eq(0..ITEMS));
}

/// A panic that unwinds through forks, and that the callback catches.
fn caught_panic(_: &Site) {
    let unwinds = || {
        filch::join(
            || {
                filch::for_each(0..ITEMS, |_, i| {
                    if i == 2 {
                        resume_unwind(Box::new(1_u8))
                    }
                })
            },
            || filch::join(|| resume_unwind(Box::new(1_u8)), || ()),
        )
    };
    let payload = catch_unwind(AssertUnwindSafe(unwinds)).expect_err("it panics");
    assert_eq!(payload.downcast_ref(), Some(&1_u8));
}

/// Waits for a detached task, and runs meanwhile whatever there is.
fn yields(site: &Site) {
    let done = Arc::new(AtomicUsize::new(0));
    let task = (Arc::clone(&done), Token::new(Arc::clone(&site.pending)));
    filch::spawn(move |_| task.0.store(1, SeqCst));
    while done.load(SeqCst) == 0 {
        if filch::yield_now() != Some(filch::Yield::Executed) {
            std::thread::yield_now();
        }
    }
}

fn broadcast(_: &Site) {
    let workers = filch::broadcast(|_, to| to.index());
    assert!(workers.into_iter().eq(0..filch::num_workers()));
}

fn new_pool(site: &Site) {
    let pool = (site.pools.build)().build().expect("a small pool");
    pool.run(|s| assert_eq!(fib(s, 6), 8));
    let pending = Token::new(Arc::clone(&site.pending));
    pool.spawn(move |_| drop(pending));
}

fn channel(site: &Site) {
    let (sender, receiver) = std::sync::mpsc::channel();
    site.pools.server.spawn(move |mut s| sender.send(s.join(|_| 1, |_| 2)).expect("somebody waits"));
    assert_eq!(receiver.recv(), Ok((1, 2)));
}

/// Blocks on a thread that runs in the same pool, as a caller from outside.
fn caller(site: &Site) {
    let pools = Arc::clone(&site.pools);
    let caller = std::thread::spawn(move || pools.pool.run(|s| fib(s, 6)));
    assert_eq!(caller.join().expect("no panic"), 8);
}

fn abort(_: &Site) {
    let (sum, ()) = filch::speculate(0, |p, speculation| {
        let child = |mut s: SpeculativeStrand<'_>, _: State<'_, usize>, i| {
            if i == 2 {
                speculation.abort();
                assert_eq!(s.join(|_| Ok(()), |_| Ok(())), Err(Aborted));
            }
            Ok(1)
        };
        p.spawn_each(0..ITEMS, child, |sum, n| *sum += n);
    });
    assert!(sum < ITEMS);
    let token = CancelToken::new();
    assert_eq!(filch::for_each_until(&token, 0..ITEMS, |_, _| token.cancel()), Err(Cancelled));
}
