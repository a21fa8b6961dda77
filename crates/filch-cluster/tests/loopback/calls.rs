//! Functions that are called for many arguments, values for all ranks, and what ranks count.

use crate::problems::{Board, Queens};
use filch::{Bits, Node, Search};
use filch_cluster::{Cluster, ClusterError, Failure, Loopback, Tally};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

/// Keeps a worker for a while.
fn busy(argument: &u64) -> u64 {
    (0..*argument * 2_000).fold(*argument, |hash, step| (hash ^ step).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

#[test]
fn results_come_in_the_order_of_the_arguments_of_rank_0_on_all_ranks_and_each_is_computed_once() {
    for (ranks, count) in [(1, 100), (2, 0), (2, 1), (3, 7), (5, 300)] {
        let calls = AtomicUsize::new(0);
        let loopback = Loopback::new(ranks).seed(count).workers(2).delay(Duration::from_micros(100));
        let results = loopback.run(|c| {
            let arguments = if c.rank() == 0 { (0..count).map(|i| i * 7 % 50).collect() } else { vec![1] };
            c.map(arguments, |argument| {
                calls.fetch_add(1, Ordering::Relaxed);
                (busy(argument), format!("{argument}"))
            })
        });
        let expected: Vec<_> = (0..count).map(|i| i * 7 % 50).map(|i| (busy(&i), i.to_string())).collect();
        assert_eq!(results, Ok(vec![Ok(expected); ranks]));
        assert_eq!(calls.into_inner(), count as usize);
    }
}

#[test]
fn a_panic_of_a_call_is_an_error_on_all_ranks() {
    let results = Cluster::loopback(3, |c| c.map((0..200_u64).collect(), |i| assert_ne!((*i, busy(i)).0, 150, "so")));
    for result in results.unwrap() {
        let Err(ClusterError::Failed { failure: Failure::Panicked(text), .. }) = result else { panic!("{result:?}") };
        assert!(text.ends_with("right: 150"), "{text}");
    }
}

#[test]
fn with_survival_calls_of_a_lost_rank_are_made_again() {
    for seed in 0..18 {
        let loopback = Loopback::new(4).seed(seed).survive(true).kill(1 + seed as usize % 3, 1 + seed / 3);
        let results = loopback.run(|c| (c.map((0..100).collect(), busy), c.rank())).unwrap();
        let expected: Vec<_> = (0..100).map(|i| busy(&i)).collect();
        let is_lost = |result: &Result<_, ClusterError>| result.is_err();
        assert!(results.iter().all(|(result, rank)| *result == Ok(expected.clone()) || *rank > 0 && is_lost(result)));
        assert!(results.iter().filter(|(result, _)| is_lost(result)).count() <= 1, "seed {seed}");
    }
}

#[test]
fn a_value_of_rank_0_comes_to_all_ranks() {
    let values = Cluster::loopback(4, |c| c.broadcast((c.rank() == 0).then(|| String::from("so"))));
    assert_eq!(values, Ok(vec![Ok(Some("so".into())); 4]));
}

#[test]
fn a_rank_that_gives_up_ends_the_searches_of_the_others_which_say_why() {
    let errors = Cluster::loopback(3, |c| {
        if c.rank() == 2 {
            c.give_up("cannot read things.txt");
        }
        c.search(&Queens(10), Board::default()).count().map_err(|error| error.to_string())
    });
    let errors = errors.unwrap();
    assert!(errors[..2].iter().all(|error| *error == Err("rank 2: cannot read things.txt".into())), "{errors:?}");
    assert!(errors[2].as_ref().is_err_and(|error| error.contains("cannot be used any more")), "{errors:?}");
}

#[test]
fn ranks_that_give_up_leave_with_those_that_have_not_heard_of_it() {
    for seed in 0..60 {
        let ranks = 2 + seed % 4;
        let gives_up = |rank: usize| match seed / 4 % 3 {
            0 => true,
            1 => rank == 0,
            _ => rank % 2 == 1,
        };
        let results = Loopback::new(ranks).seed(seed as u64).delay(Duration::from_micros(200)).run(|c| {
            let done = (0..seed / 12 % 3).all(|_| c.search(&Queens(6), Board::default()).count() == Ok(4));
            if done && gives_up(c.rank()) {
                c.give_up("enough");
            }
            // Some notice it here, and some when they leave.
            (c.rank() % 3 > 0).then(|| if seed % 2 == 0 { c.all_gather(&1).err() } else { c.broadcast(1).err() })
        });
        for (rank, noticed) in results.unwrap().into_iter().enumerate() {
            assert!(noticed.is_none_or(|error| error.is_some()), "seed {seed}, rank {rank}");
        }
    }
}

/// Counts its nodes.
struct Counted<'t>(Queens, &'t Nodes);

#[derive(Default)]
struct Nodes {
    untold: AtomicU64,
    of_others: AtomicU64,
}

impl Tally for Nodes {
    fn take(&self) -> Vec<u64> {
        Some(self.untold.swap(0, Ordering::Relaxed)).filter(|&nodes| nodes > 0).into_iter().collect()
    }

    fn add(&self, counts: &[u64]) {
        self.of_others.fetch_add(counts[0], Ordering::Relaxed);
    }
}

impl Search for Counted<'_> {
    type Workspace = Board;
    type Choices = Bits;

    fn choices(&self, board: &mut Board) -> Node<Bits> {
        self.1.untold.fetch_add(1, Ordering::Relaxed);
        self.0.choices(board)
    }

    fn apply(&self, board: &mut Board, file: u32) {
        self.0.apply(board, file);
    }

    fn undo(&self, board: &mut Board, file: u32) {
        self.0.undo(board, file);
    }
}

#[test]
fn what_all_ranks_have_counted_is_at_rank_0_when_the_search_returns() {
    let nodes = |ranks: usize| {
        let count = |c: &Cluster| {
            let nodes = Nodes::default();
            let problem = Counted(Queens(10), &nodes);
            assert_eq!(c.search(&problem, Board::default()).tally(&nodes).count(), Ok(724));
            nodes.untold.into_inner() + nodes.of_others.into_inner()
        };
        Loopback::new(ranks).seed(ranks as u64).delay(Duration::from_micros(300)).run(count).unwrap()
    };
    let alone = nodes(1)[0];
    for ranks in 2..=8 {
        assert_eq!(nodes(ranks)[0], alone, "{ranks} ranks");
    }
}
