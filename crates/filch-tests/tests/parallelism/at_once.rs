//! Pieces of work that sleep: at some time, nearly all workers are in one, in every construct, under every scheduler
//! that shares.
//!
//! Pieces end after a short sleep, so that this also holds where work is shared only when a worker returns from a
//! piece. There are many of them. Once as many as expected are there at the same time, the others end at once.

use crate::common::{eager_pool, scheduler};
use filch::{Node, Scope, SpeculativeStrand, State, Steps, Strand};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Sizes of pools, and how many of their workers have to be in a piece at the same time.
const POOLS: [(usize, usize); 3] = [(4, 4), (16, 12), (64, 32)];

/// So many pieces for each worker. Where work spreads by one worker for each piece that ends, a few are enough.
const PIECES: usize = 100;

/// How many pieces are under way, and how many have been.
pub(crate) struct Inside {
    expected: usize,
    now: AtomicUsize,
    most: AtomicUsize,
}

impl Inside {
    pub(crate) fn expect(expected: usize) -> Self {
        Inside { expected, now: AtomicUsize::new(0), most: AtomicUsize::new(0) }
    }

    /// A piece, which sleeps for a moment unless as many as expected have been under way at the same time.
    pub(crate) fn piece(&self) {
        let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        let most = self.most.fetch_max(now, Ordering::SeqCst).max(now);
        if most < self.expected {
            std::thread::sleep(Duration::from_millis(2));
        }
        self.now.fetch_sub(1, Ordering::SeqCst);
    }

    /// As many pieces as expected were under way at some time.
    pub(crate) fn assert_met(self, what: &str) {
        assert_eq!(self.now.into_inner(), 0, "all pieces have ended");
        let (most, expected) = (self.most.into_inner(), self.expected);
        assert!(most >= expected, "{what}: never more than {most} pieces at the same time, instead of {expected}");
    }
}

type Construct = fn(Strand<'_>, usize, &Inside);

fn joins(mut s: Strand<'_>, n: usize, inside: &Inside) {
    if n == 1 {
        return inside.piece();
    }
    s.join(|s| joins(s, n / 2, inside), |s| joins(s, n - n / 2, inside));
}

/// One branch of each fork is a piece, the other is the rest.
fn list(mut s: Strand<'_>, n: usize, inside: &Inside) {
    if n > 0 {
        s.join(|_| inside.piece(), |s| list(s, n - 1, inside));
    }
}

fn ranges(mut s: Strand<'_>, n: usize, inside: &Inside) {
    s.for_each(0..n, |_, _| inside.piece());
}

fn items(mut s: Strand<'_>, n: usize, inside: &Inside) {
    s.for_each_item(0..n, |_, _| inside.piece());
}

fn unknown_items(mut s: Strand<'_>, n: usize, inside: &Inside) {
    s.for_each_item((0..).take_while(move |&i| i < n), |_, _| inside.piece());
}

fn spawn_each(mut s: Strand<'_>, n: usize, inside: &Inside) {
    let child = |_: SpeculativeStrand<'_>, _: State<'_, usize>, _: usize| {
        inside.piece();
        Ok(1)
    };
    let add = |count: &mut usize, one| *count += one;
    let (count, ()) = s.speculate(0, |p, _| p.spawn_each(0..n, child, add));
    assert_eq!(count, n);
}

fn spawns(mut s: Strand<'_>, n: usize, inside: &Inside) {
    let child = |_: SpeculativeStrand<'_>, _: State<'_, usize>| {
        inside.piece();
        Ok(1)
    };
    let (count, ()) = s.speculate(0, |p, _| (0..n).for_each(|_| p.spawn_add(child)));
    assert_eq!(count, n);
}

fn scope(mut s: Strand<'_>, n: usize, inside: &Inside) {
    s.scope(|_, scope| (0..n).for_each(|_| scope.spawn(|_| inside.piece())));
}

fn scope_tree(mut s: Strand<'_>, n: usize, inside: &Inside) {
    fn halves<'scope>(scope: &'scope Scope<'scope, '_>, n: usize, inside: &'scope Inside) {
        if n == 1 {
            return inside.piece();
        }
        scope.spawn(move |_| halves(scope, n - n / 2, inside));
        halves(scope, n / 2, inside);
    }
    s.scope(|_, scope| halves(scope, n, inside));
}

fn traversal(_: Strand<'_>, n: usize, inside: &Inside) {
    filch::traverse(
        [n],
        || (),
        |list, n: usize| {
            if n > 1 {
                list.push(n / 2);
                list.push(n - n / 2);
            } else {
                inside.piece();
            }
        },
    );
}

/// The visits of a batch become slow in the middle.
fn visits_that_turn_dear(_: Strand<'_>, n: usize, inside: &Inside) {
    let cheap = 100_000;
    let visit = |item: usize| {
        if item >= cheap {
            inside.piece()
        }
    };
    filch::traverse(0..cheap + n, || (), |_, item| visit(item));
}

fn search(_: Strand<'_>, n: usize, inside: &Inside) {
    let choices = |path: &mut Vec<usize>| if path.last() == Some(&1) { Node::Solution } else { Node::Choices(0..2) };
    let apply = |path: &mut Vec<usize>, choice: usize| {
        let n = path.last().copied().unwrap_or(1);
        path.push((n + choice) / 2);
    };
    let steps = Steps::new(choices, apply, |path: &mut Vec<usize>, _| _ = path.pop());
    filch::search(&steps, vec![n]).for_each(|_| inside.piece());
}

/// Each worker has a piece, whatever the scheduler.
fn broadcast(mut s: Strand<'_>, _: usize, inside: &Inside) {
    (0..PIECES).for_each(|_| _ = s.broadcast(|_, _| inside.piece()));
}

const CONSTRUCTS: [(&str, Construct); 13] = [
    ("joins", joins),
    ("list", list),
    ("ranges", ranges),
    ("items", items),
    ("unknown items", unknown_items),
    ("spawn_each", spawn_each),
    ("spawns", spawns),
    ("scope", scope),
    ("scope tree", scope_tree),
    ("traversal", traversal),
    ("visits that turn dear", visits_that_turn_dear),
    ("search", search),
    ("broadcast", broadcast),
];

/// Whether the scheduler allows no more than a few workers in a piece at the same time.
fn is_narrow(construct: &str) -> bool {
    let scheduler = scheduler().to_string();
    // Nothing is shared. Or each squad works on one inter-socket task.
    let shares_little = scheduler.starts_with("chaos") || scheduler.contains("boundary") && construct != "broadcast";
    // A worker gives only when it comes back from a piece, and then to the rest of the list or of the iterator: what it
    // has kept it takes back itself, and what is left goes as a whole.
    let only_asks = ["tascell", "patience=never", "balancer=private"].iter().any(|name| scheduler.contains(name));
    let is_rest = ["list", "items", "unknown items", "spawn_each"].contains(&construct);
    // A procedure that runs a child spawns no others meanwhile. It runs none where each is left to an idle worker.
    let leaves = scheduler.starts_with("default") || scheduler.starts_with("cab");
    shares_little || only_asks && is_rest || !leaves && construct == "spawns"
}

#[test]
fn nearly_all_workers_are_in_a_piece_at_some_time() {
    for (workers, expected) in POOLS {
        let pool = eager_pool(workers);
        for (name, construct) in CONSTRUCTS {
            if !is_narrow(name) {
                let inside = Inside::expect(expected);
                pool.run(|s| construct(s, PIECES * workers, &inside));
                inside.assert_met(&format!("{name} on {workers} workers"));
            }
        }
    }
}
