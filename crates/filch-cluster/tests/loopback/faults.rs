//! What searches return when something goes wrong.

use crate::problems::{Board, Knapsack, Queens, Tree};
use filch::{Bound, CancelToken, Search};
use filch_cluster::{Cluster, ClusterError, Corrupt, Failure, Loopback, Portable, Unportable};
use serde::{Deserialize, Serialize};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

#[test]
fn a_panic_at_a_node_fails_the_search_on_all_ranks_and_names_one() {
    for ranks in 1..=4 {
        let results = Cluster::loopback(ranks, |c| {
            let tree = Tree { at_node: |path| assert!(!path.ends_with(&[2, 1, 2]), "so it is"), ..Tree::new(3, 9) };
            let failed = c.search(&tree, Vec::new()).count();
            assert!(matches!(c.search(&tree, Vec::new()).count(), Err(ClusterError::Unusable(_))));
            failed
        });
        for result in results.unwrap() {
            let Err(ClusterError::Failed { failure: Failure::Panicked(text), .. }) = result else {
                panic!("{result:?}");
            };
            assert_eq!(text, "so it is");
        }
    }
}

#[test]
fn a_rank_that_is_cancelled_around_a_search_ends_it_on_all_ranks() {
    // Before the search, or while it runs.
    let around = |c: &Cluster, is_before: bool, token: &CancelToken| {
        if is_before {
            token.cancel();
        } else {
            token.cancel_after(Duration::from_millis(20));
        }
        c.search(&Queens(20), Board::default()).count()
    };
    for (is_before, ranks, cancelled) in
        [(true, 3, 0), (true, 3, 1), (false, 3, 0), (false, 3, 2), (true, 1, 0), (false, 1, 0)]
    {
        let results = Cluster::loopback(ranks, |c| {
            let token = CancelToken::new();
            if c.rank() == cancelled {
                token.run_here(|| around(c, is_before, &token)).map_err(|_| "the search returns its error").unwrap()
            } else {
                c.search(&Queens(20), Board::default()).count()
            }
        });
        let expected = Err(ClusterError::Failed { rank: cancelled, failure: Failure::Cancelled });
        assert_eq!(results, Ok(vec![expected; ranks]));
    }
}

#[test]
fn a_panic_where_results_are_combined_or_between_searches_fails_all_ranks_too() {
    let results = Cluster::loopback(3, |c| {
        c.search(&Queens(11), Board::default()).fold(|| 0, |n, _| n + 1, |_: u64, _| panic!("combined"))
    });
    for result in results.unwrap() {
        assert!(
            matches!(&result, Err(ClusterError::Failed { failure: Failure::Panicked(text), .. }) if text == "combined")
        );
    }
    let results = Cluster::loopback(3, |c| {
        let run = AssertUnwindSafe(|| c.run(|c| assert_ne!(c.rank(), 1, "between")));
        match catch_unwind(run) {
            Ok(()) => c.search(&Queens(8), Board::default()).count().map_err(|error| error.to_string()),
            Err(_) => Ok(0),
        }
    });
    let results = results.unwrap();
    assert!(results[1] == Ok(0) && results[0] == results[2], "{results:?}");
    assert!(results[0].as_ref().is_err_and(|error| error.starts_with("rank 1: panicked: ")), "{results:?}");
}

/// A count whose destructor panics.
#[derive(Serialize, Deserialize)]
struct Fragile(u64);

impl Drop for Fragile {
    fn drop(&mut self) {
        assert!(self.0 == 0 || std::thread::panicking(), "dropped");
    }
}

#[test]
fn results_that_panic_when_they_are_dropped_fail_all_ranks_and_no_panic_leaves_the_search() {
    let mut failed = 0;
    for seed in 0..40 {
        // Some of the results have come by then.
        let left = AtomicUsize::new(2 + seed as usize % 5);
        let plus = |mut a: Fragile, mut b: Fragile| {
            a.0 += std::mem::take(&mut b.0);
            if left.fetch_sub(1, Ordering::Relaxed) == 1 {
                (a.0, b.0) = (0, 0);
                panic!("combined");
            }
            a
        };
        let count = |count: Fragile, _: &Vec<u8>| plus_one(count);
        let results = Loopback::new(5).seed(seed).delay(Duration::from_micros(100)).run(|c| {
            let tree = Tree::new(seed, 11);
            let result = c.search(&tree, Vec::new()).fold(|| Fragile(0), count, plus);
            result.map(|mut count| std::mem::take(&mut count.0))
        });
        for result in results.unwrap() {
            match result {
                Ok(count) => assert_eq!(count, Tree::new(seed, 11).leaves()),
                Err(ClusterError::Failed { failure: Failure::Panicked(_), .. }) => failed += 1,
                Err(error) => panic!("{error}"),
            }
        }
    }
    assert!(failed > 0);
}

fn plus_one(mut count: Fragile) -> Fragile {
    count.0 += 1;
    count
}

/// A workspace that says itself how it is sent, and at a depth panics, or cannot be sent.
#[derive(Clone, Default)]
struct Own {
    path: Vec<u8>,
    panics: bool,
}

impl Portable for Own {
    fn encode(&self, to: &mut Vec<u8>) -> Result<(), Unportable> {
        assert!(!self.panics, "encoding");
        Err(Unportable(format!("{} bytes, and {} before", self.path.len(), to.len())))
    }

    fn decode(_: &mut &[u8]) -> Result<Self, Corrupt> {
        Err(Corrupt("never sent".into()))
    }
}

#[test]
fn a_workspace_that_cannot_be_encoded_or_whose_encoding_panics_fails_all_ranks() {
    for panics in [false, true] {
        let results = Cluster::loopback(3, |c| {
            let tree = Tree::new(5, 12);
            let words = filch::Steps::new(
                |own: &mut Own| tree.choices(&mut own.path),
                |own: &mut Own, step| tree.apply(&mut own.path, step),
                |own: &mut Own, step| tree.undo(&mut own.path, step),
            );
            c.search(&words, Own { panics, ..Own::default() }).count()
        });
        for result in results.unwrap() {
            match result {
                Err(ClusterError::Failed { rank: 0, failure: Failure::Panicked(text) }) if panics => {
                    assert_eq!(text, "encoding");
                }
                Err(ClusterError::Failed { rank: 0, failure: Failure::Unportable { .. } }) if !panics => {}
                other => panic!("{other:?}"),
            }
        }
    }
}

/// A workspace that arrives as nothing that can be read.
#[derive(Clone, Default)]
struct Unreadable(Vec<u8>);

impl Portable for Unreadable {
    fn encode(&self, to: &mut Vec<u8>) -> Result<(), Unportable> {
        self.0.encode(to)
    }

    fn decode(_: &mut &[u8]) -> Result<Self, Corrupt> {
        Err(Corrupt("unreadable".into()))
    }
}

#[test]
fn a_part_that_cannot_be_decoded_fails_all_ranks() {
    let words = filch::Steps::new(
        |word: &mut Unreadable| match word.0.len() {
            12 => filch::Node::Solution,
            _ => filch::Node::Choices(0..4_u8),
        },
        |word: &mut Unreadable, letter| word.0.push(letter),
        |word: &mut Unreadable, _| _ = word.0.pop(),
    );
    for result in Loopback::new(3).workers(2).run(|c| c.search(&words, Unreadable::default()).count()).unwrap() {
        let Err(ClusterError::Failed { failure: Failure::Corrupt { text, .. }, .. }) = result else {
            panic!("{result:?}");
        };
        assert_eq!(text, "unreadable");
    }
}

#[test]
fn ranks_that_search_for_different_things_all_fail() {
    for seed in 0..10 {
        let results = Loopback::new(2).seed(seed).run(|c| match c.rank() {
            0 => c.search(&Queens(13), Board::default()).count().is_ok(),
            _ => c.search(&Tree::new(1, 9), Vec::new()).find_any(|_| ()).is_ok(),
        });
        assert_eq!(results, Ok(vec![false, false]), "seed {seed}");
    }
}

#[test]
fn with_survival_a_rank_that_is_lost_after_it_has_told_one_other_that_it_fails_ends_all_searches() {
    for panics in [false, true] {
        let results = Loopback::new(3).survive(true).kill(2, 1).run(|c| match c.rank() {
            2 if panics => catch_unwind(AssertUnwindSafe(|| c.run(|_| panic!("so")))).unwrap_or(false),
            2 => {
                c.give_up("so");
                false
            }
            _ => c.search(&Queens(11), Board::default()).count().is_ok(),
        });
        assert_eq!(results, Ok(vec![false; 3]));
    }
}

#[test]
fn a_message_that_is_spoilt_after_a_rank_has_given_up_keeps_nobody_waiting() {
    for seed in 0..20 {
        let loopback = Loopback::new(3).seed(seed).corrupt(1, 2 + seed % 3).delay(Duration::from_micros(200));
        let results = loopback.run(|c| {
            if c.rank() > 0 {
                c.give_up("enough");
            }
            c.search(&Queens(10), Board::default()).count().is_ok()
        });
        assert_eq!(results, Ok(vec![false; 3]), "seed {seed}");
    }
}

#[test]
fn a_corrupt_message_is_an_error_that_names_ranks_and_never_a_panic() {
    let mut failed = 0;
    for message in 0..6 {
        let loopback = Loopback::new(3).seed(message).corrupt(message as usize % 3, message / 2);
        let results = loopback.run(|c| c.search(&Queens(10), Board::default()).count()).unwrap();
        for result in results {
            match result {
                Ok(count) => assert_eq!(count, 724),
                Err(ClusterError::Failed { failure: Failure::Corrupt { from, .. }, .. }) => {
                    assert_eq!(from, message as usize % 3);
                    failed += 1;
                }
                Err(error) => panic!("{error}"),
            }
        }
    }
    assert!(failed >= 6, "{failed}");
}

#[test]
fn without_survival_a_lost_rank_is_named() {
    for seed in 0..20 {
        let loopback = Loopback::new(4).seed(seed).kill(2, seed % 5);
        let results = loopback.run(|c| c.search(&Queens(11), Board::default()).count()).unwrap();
        for (rank, result) in results.into_iter().enumerate().filter(|(rank, _)| *rank != 2) {
            match result {
                Ok(count) => assert_eq!(count, 2_680, "rank {rank} had left before"),
                Err(error) => assert_eq!(error, ClusterError::Failed { rank: 2, failure: Failure::Lost }),
            }
        }
    }
}

#[test]
fn a_rank_that_takes_no_part_in_a_search_is_lost() {
    for survives in [false, true] {
        let results = Loopback::new(4).survive(survives).run(|c| {
            (0..5).try_for_each(|_| c.search(&Queens(8), Board::default()).count().map(|_| ()))?;
            if c.rank() == 2 {
                return Ok(0);
            }
            c.search(&Queens(10), Board::default()).count()
        });
        let lost = Err(ClusterError::Failed { rank: 2, failure: Failure::Lost });
        let others = if survives { Ok(724) } else { lost };
        assert_eq!(results, Ok(vec![others.clone(), others.clone(), Ok(0), others]));
    }
}

#[test]
fn with_survival_counts_are_exact_whoever_is_lost_and_whenever() {
    let mut lost = 0;
    for seed in 0..200 {
        let ranks = 2 + seed as usize % 5;
        let mut loopback = Loopback::new(ranks).seed(seed).survive(true).delay(Duration::from_micros(seed % 3 * 200));
        for rank in 1..ranks.min(1 + 1 + seed as usize % 3) {
            loopback = loopback.kill(rank, seed / 3 % 12);
        }
        let tree = Tree::new(seed, 9);
        let results = loopback.run(|c| c.search(&Tree::new(seed, 9), Vec::new()).count()).unwrap();
        for (rank, result) in results.into_iter().enumerate() {
            match result {
                Err(error) => {
                    assert_eq!(error, ClusterError::Failed { rank, failure: Failure::Lost }, "seed {seed}");
                    lost += 1;
                }
                Ok(count) => assert_eq!(count, tree.leaves(), "seed {seed}, rank {rank}"),
            }
        }
    }
    assert!(lost > 100, "{lost} ranks were lost in time");
}

#[test]
fn with_survival_the_best_is_found_though_the_rank_that_has_found_it_is_lost() {
    for seed in 0..40 {
        let loopback = Loopback::new(4).seed(seed).survive(true).kill(1, seed % 7).kill(3, seed % 5);
        let results = loopback.run(|c| {
            let bound = Bound::highest();
            let knapsack = Knapsack::new(seed, 20, &bound);
            let best = c.search(&knapsack, Default::default()).find_best(&bound, |packed| packed.value, |_| ());
            best.map(|best| (best.expect("a solution").0, knapsack.best()))
        });
        for (rank, result) in results.unwrap().into_iter().enumerate() {
            match result {
                Ok((value, best)) => assert_eq!(value, best, "seed {seed}"),
                Err(error) => assert_eq!(error, ClusterError::Failed { rank, failure: Failure::Lost }, "seed {seed}"),
            }
        }
    }
}

#[test]
fn ranks_that_have_lost_their_lifelines_still_get_work() {
    let lost = [1, 2];
    let results = Loopback::new(4).survive(true).kill(1, 0).kill(2, 0).run(|c| {
        // Ranks 1 and 2, the lifelines of rank 3, are lost here.
        let first = c.search(&Queens(9), Board::default()).count();
        let before = c.counters();
        (first, c.search(&Queens(13), Board::default()).count(), c.counters().parts - before.parts)
    });
    for (rank, (first, second, gives)) in results.unwrap().into_iter().enumerate() {
        if !lost.contains(&rank) {
            assert_eq!((first, second), (Ok(352), Ok(73_712)));
            assert!(rank != 0 || gives > 0);
        }
    }
}

#[test]
fn the_loss_of_rank_0_fails_the_search_also_with_survival() {
    let results = Loopback::new(3).survive(true).kill(0, 2).run(|c| c.search(&Queens(11), Board::default()).count());
    for result in results.unwrap() {
        assert_eq!(result, Err(ClusterError::Failed { rank: 0, failure: Failure::Lost }));
    }
}
