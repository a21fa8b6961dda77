//! What searches return when nothing goes wrong.

use crate::problems::{Board, Knapsack, Queens, Tree};
use filch::{Bound, Node, Steps};
use filch_cluster::{Cluster, Loopback};
use std::time::Duration;

/// OEIS A000170.
const QUEENS: [(u32, u64); 5] = [(8, 92), (9, 352), (10, 724), (11, 2_680), (12, 14_200)];

#[test]
fn all_ranks_count_the_known_numbers_of_queens() {
    for ranks in 1..=8 {
        for (n, count) in QUEENS {
            let counts = Cluster::loopback(ranks, |c| c.search(&Queens(n), Board::default()).count());
            assert_eq!(counts, Ok(vec![Ok(count); ranks]), "{n} queens on {ranks} ranks");
        }
    }
}

#[test]
fn trees_are_counted_exactly_under_delays_by_any_seed() {
    for seed in 0..200 {
        let tree = Tree::new(seed, 8);
        let leaves = tree.leaves();
        let ranks = 1 + seed as usize % 8;
        let delay = Duration::from_micros([0, 20, 300, 2_000][seed as usize / 8 % 4]);
        let loopback = Loopback::new(ranks).seed(seed).delay(delay).workers(1 + seed as usize / 50);
        let counts = loopback.run(|c| c.search(&Tree::new(seed, 8), Vec::new()).count());
        assert_eq!(counts, Ok(vec![Ok(leaves); ranks]), "seed {seed}");
    }
}

#[test]
fn any_seed_will_do() {
    let counts = Loopback::new(3).seed(u64::MAX).run(|c| c.search(&Queens(8), Board::default()).count());
    assert_eq!(counts, Ok(vec![Ok(92); 3]));
}

#[test]
fn searches_follow_each_other_and_each_begins_where_the_one_before_has_ended() {
    let counts = Loopback::new(4).delay(Duration::from_micros(200)).run(|c| {
        let count = |seed| c.search(&Tree::new(seed, 7), Vec::new()).count();
        (0..30).map(count).collect::<Result<Vec<_>, _>>()
    });
    let expected: Vec<_> = (0..30).map(|seed| Tree::new(seed, 7).leaves()).collect();
    assert_eq!(counts, Ok(vec![Ok(expected); 4]));
}

#[test]
fn any_solution_is_one_and_the_same_on_all_ranks() {
    for ranks in 1..=5 {
        let found = Cluster::loopback(ranks, |c| c.search(&Queens(16), Board::default()).find_any(Board::clone));
        let found: Vec<Board> = found.into_iter().flatten().map(|found| found.unwrap().expect("a solution")).collect();
        assert!(found.len() == ranks && found[0].rows == 16 && found[0].is_legal());
        assert!(found.iter().all(|board| board.queens == found[0].queens));
    }
    let none = Cluster::loopback(3, |c| c.search(&Queens(3), Board::default()).find_any(|_| ()));
    assert_eq!(none, Ok(vec![Ok(None); 3]));
}

#[test]
fn the_only_solution_is_found_though_it_is_the_last_node_of_its_part() {
    for seed in 0..40 {
        let depth = 1 + seed as usize % 8;
        let found = Loopback::new(2 + seed as usize % 3).seed(seed).run(|c| {
            let is_last = |word: &[u8]| word.iter().all(|&letter| letter == 2);
            let words = Steps::new(
                |word: &mut Vec<u8>| match word.len() == depth {
                    true if is_last(word) => Node::Solution,
                    is_long => Node::Choices(0..if is_long { 0 } else { 3_u8 }),
                },
                |word: &mut Vec<u8>, letter| word.push(letter),
                |word: &mut Vec<u8>, _| _ = word.pop(),
            );
            c.search(&words, Vec::new()).find_any(Vec::len)
        });
        assert!(found.unwrap().into_iter().all(|found| found == Ok(Some(depth))), "seed {seed}");
    }
}

#[test]
fn the_best_solution_is_the_best_on_all_ranks_and_all_know_its_value() {
    for seed in 0..20 {
        let ranks = 1 + seed as usize % 6;
        let results = Loopback::new(ranks).seed(seed).run(|c| {
            let bound = Bound::highest();
            let knapsack = Knapsack::new(seed, 22, &bound);
            let best = c.search(&knapsack, Default::default());
            let best = best.find_best(&bound, |packed| packed.value, |packed| packed.decided.clone());
            let (value, packed) = best.unwrap().expect("a solution");
            let values = knapsack.things.iter().zip(packed).filter(|(_, packed)| *packed).map(|(thing, _)| thing.1);
            assert_eq!((value, bound.get()), (values.sum(), Some(value)), "seed {seed}");
            (value, knapsack.best())
        });
        assert!(results.unwrap().into_iter().all(|(value, best)| value == best), "seed {seed}");
    }
}

#[test]
fn a_steal_takes_three_messages_and_a_copy() {
    let counters = Cluster::loopback(2, |c| {
        assert_eq!(c.search(&Queens(12), Board::default()).count(), Ok(14_200));
        c.counters()
    });
    let all = counters.unwrap().into_iter().reduce(|a, b| a.plus(&b)).expect("two ranks");
    assert!(all.copies >= all.parts && all.asks == all.gives + all.refusals, "{all}");
    // The end takes End, Done, Leave, and an ask with its refusal.
    assert!(all.messages <= 3 * all.parts + 3 + 2 * all.refusals, "{all}");
}
