//! The same pieces of work in every construct that shares.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, TryRecvError, channel};
use std::thread;
use std::time::Duration;

use filch::{Node, Pool, Reducer, Scope, SpeculativeStrand, State, Steps, Yield, monoids};
use filch_rayon::prelude::*;

use super::shape::tree;

/// A piece of work. Shared, because detached tasks may not borrow.
pub(super) type Piece = Arc<dyn Fn() + Send + Sync>;

/// Runs this many pieces, and returns when all have ended.
pub(super) type Run = fn(&Pool, usize, &Piece);

/// A construct has a name, and runs pieces.
pub(super) const CONSTRUCTS: [(&str, Run); 21] = [
    ("join, a tree", joins),
    ("for_each", ranges),
    ("for_each in for_each", ranges_in_ranges),
    ("for_each, with a reducer", reduced),
    ("for_each_item, a range", items),
    ("for_each_item, of unknown length", unknown_items),
    ("scope, a loop of spawns", scope_loop),
    ("scope, a tree of spawns", scope_tree),
    ("speculate, spawn", speculation),
    ("speculate, spawn_each", speculation_of_items),
    ("traverse, many roots", roots),
    ("traverse, a tree", traversal),
    ("search, of two choices", two_choices),
    ("search, of many choices", many_choices),
    ("spawn, a loop", detached_loop),
    ("spawn, a tree", detached_tree),
    ("broadcast", broadcasts),
    ("filch-rayon, for_each", iterators),
    ("for_each, after cheap ones", ranges_that_turn_expensive),
    ("filch-rayon, after cheap ones", iterators_that_turn_expensive),
    ("traverse, after cheap ones", visits_that_turn_expensive),
];

fn joins(pool: &Pool, n: usize, piece: &Piece) {
    pool.run(|s| tree(s, n, &**piece));
}

fn ranges(pool: &Pool, n: usize, piece: &Piece) {
    pool.run(|mut s| s.for_each(0..n, |_, _| piece()));
}

fn ranges_in_ranges(pool: &Pool, n: usize, piece: &Piece) {
    let rows = n.isqrt();
    pool.run(|mut s| {
        s.for_each(0..rows, |mut s, row| {
            s.for_each(n * row / rows..n * (row + 1) / rows, |_, _| piece());
        });
    });
}

fn reduced(pool: &Pool, n: usize, piece: &Piece) {
    let count = Reducer::new(monoids::Sum::<usize>::new());
    pool.run(|mut s| {
        s.for_each(0..n, |_, _| {
            piece();
            count.put(1);
        });
    });
    assert_eq!(count.into_inner(), n, "pieces");
}

fn items(pool: &Pool, n: usize, piece: &Piece) {
    pool.run(|mut s| s.for_each_item(0..n, |_, _| piece()));
}

fn unknown_items(pool: &Pool, n: usize, piece: &Piece) {
    let mut left = n;
    let next = move || {
        left = left.checked_sub(1)?;
        Some(left)
    };
    pool.run(|mut s| s.for_each_item(std::iter::from_fn(next), |_, _| piece()));
}

fn scope_loop(pool: &Pool, n: usize, piece: &Piece) {
    pool.run(|mut s| s.scope(|_, scope| (0..n).for_each(|_| scope.spawn(|_| piece()))));
}

fn scope_tree(pool: &Pool, n: usize, piece: &Piece) {
    fn halves<'scope>(scope: &'scope Scope<'scope, '_>, n: usize, piece: &'scope Piece) {
        if n == 1 {
            return piece();
        }
        scope.spawn(move |_| halves(scope, n - n / 2, piece));
        halves(scope, n / 2, piece);
    }
    pool.run(|mut s| s.scope(|_, scope| halves(scope, n, piece)));
}

fn speculation(pool: &Pool, n: usize, piece: &Piece) {
    let child = |_: SpeculativeStrand<'_>, _: State<'_, usize>| {
        piece();
        Ok(1)
    };
    let (count, ()) = pool.run(|mut s| s.speculate(0, |p, _| (0..n).for_each(|_| p.spawn_add(child))));
    assert_eq!(count, n, "pieces");
}

fn speculation_of_items(pool: &Pool, n: usize, piece: &Piece) {
    let child = |_: SpeculativeStrand<'_>, _: State<'_, usize>, _| {
        piece();
        Ok(1)
    };
    let add = |count: &mut usize, one| *count += one;
    let (count, ()) = pool.run(|mut s| s.speculate(0, |p, _| p.spawn_each(0..n, child, add)));
    assert_eq!(count, n, "pieces");
}

fn roots(pool: &Pool, n: usize, piece: &Piece) {
    pool.run(|_| filch::traverse(0..n, || (), |_, _| piece()));
}

fn traversal(pool: &Pool, n: usize, piece: &Piece) {
    pool.run(|_| {
        filch::traverse(
            [n],
            || (),
            |list, n: usize| {
                if n > 1 {
                    list.push(n / 2);
                    list.push(n - n / 2);
                } else {
                    piece();
                }
            },
        )
    });
}

/// The workspace has the number of pieces below each node on the path.
fn two_choices(pool: &Pool, n: usize, piece: &Piece) {
    let choices = |path: &mut Vec<usize>| match path.last() {
        Some(1) => Node::Solution,
        _ => Node::Choices(0..2_usize),
    };
    let apply = |path: &mut Vec<usize>, choice| {
        let n = path.last().copied().unwrap_or(1);
        path.push((n + choice) / 2);
    };
    let steps = Steps::new(choices, apply, |path: &mut Vec<usize>, _| _ = path.pop());
    pool.run(|_| filch::search(&steps, vec![n]).for_each(|_| piece()));
}

fn many_choices(pool: &Pool, n: usize, piece: &Piece) {
    let choices = |is_leaf: &mut bool| if *is_leaf { Node::Solution } else { Node::Choices(0..n) };
    let steps = Steps::new(choices, |is_leaf: &mut bool, _| *is_leaf = true, |is_leaf: &mut bool, _| *is_leaf = false);
    pool.run(|_| filch::search(&steps, false).for_each(|_| piece()));
}

/// Runs `spawn` in a run, and then other tasks until `spawn` and its clones have been dropped. The caller is one of the
/// workers.
fn work_until_gone(pool: &Pool, spawn: impl FnOnce(Sender<()>) + Send) {
    let (sender, receiver) = channel();
    pool.run(move |_| {
        spawn(sender);
        while receiver.try_recv() != Err(TryRecvError::Disconnected) {
            if filch::yield_now() != Some(Yield::Executed) {
                thread::sleep(Duration::from_micros(100));
            }
        }
    });
}

fn detached_loop(pool: &Pool, n: usize, piece: &Piece) {
    work_until_gone(pool, |sender| {
        for _ in 0..n {
            let (piece, sender) = (piece.clone(), sender.clone());
            filch::spawn(move |_| {
                piece();
                drop(sender);
            });
        }
    });
}

fn detached_tree(pool: &Pool, n: usize, piece: &Piece) {
    fn halves(n: usize, piece: Piece, sender: Sender<()>) {
        if n == 1 {
            return piece();
        }
        let (other, others_sender) = (piece.clone(), sender.clone());
        filch::spawn(move |_| halves(n - n / 2, other, others_sender));
        halves(n / 2, piece, sender);
    }
    work_until_gone(pool, |sender| {
        filch::spawn({
            let piece = piece.clone();
            move |_| halves(n, piece, sender)
        })
    });
}

/// As many pieces as there are workers at a time.
fn broadcasts(pool: &Pool, n: usize, piece: &Piece) {
    pool.run(|mut s| (0..n / pool.num_workers()).for_each(|_| _ = s.broadcast(|_, _| piece())));
}

fn iterators(pool: &Pool, n: usize, piece: &Piece) {
    pool.run(|_| (0..n).into_par_iter().filch().for_each(|_| piece()));
}

/// Runs the same loop, which calls its argument once for each piece, often without pieces and then with them.
fn after_cheap_ones(piece: &Piece, repeat: impl Fn(&(dyn Fn() + Sync))) {
    let is_dear = AtomicBool::new(false);
    let body = || {
        if is_dear.load(Ordering::Relaxed) {
            piece();
        }
    };
    (0..50).for_each(|_| repeat(&body));
    is_dear.store(true, Ordering::Relaxed);
    repeat(&body);
}

fn ranges_that_turn_expensive(pool: &Pool, n: usize, piece: &Piece) {
    pool.run(|_| after_cheap_ones(piece, |body| filch::for_each(0..n, |_, _| body())));
}

fn iterators_that_turn_expensive(pool: &Pool, n: usize, piece: &Piece) {
    pool.run(|_| after_cheap_ones(piece, |body| (0..n).into_par_iter().filch().for_each(|_| body())));
}

fn visits_that_turn_expensive(pool: &Pool, n: usize, piece: &Piece) {
    const CHEAP: usize = 100_000;
    pool.run(|_| {
        filch::traverse(
            0..CHEAP + n,
            || (),
            |_, item| {
                if item >= CHEAP {
                    piece();
                }
            },
        )
    });
}
