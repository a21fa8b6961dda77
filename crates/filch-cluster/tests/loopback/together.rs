//! Exchanges and traversals on ranks that are threads.

use filch::CancelToken;
use filch_cluster::{Cluster, ClusterError, Failure, Loopback, Outlet};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

#[test]
fn a_rank_that_is_cancelled_around_a_traversal_or_an_exchange_ends_it_on_all_ranks() {
    let steps = |c: &Cluster| {
        let visit = |outlet: &mut Outlet<'_, '_, u64>, n: u64| {
            if n > 0 {
                outlet.push(n - 1);
                outlet.push(n.saturating_sub(5));
            }
        };
        c.traverse((c.rank() == 0).then_some(40), |n| *n as usize % 3, visit).is_ok()
    };
    for (later, exchanges) in [(false, false), (true, false), (false, true)] {
        let go = |c: &Cluster| if exchanges { c.exchange(vec![Vec::new(); 3]).is_ok() } else { steps(c) };
        let results = Loopback::new(3).run(|c| {
            if c.rank() != 1 {
                return go(c);
            }
            let token = CancelToken::new();
            if later {
                token.cancel_after(Duration::from_millis(2))
            } else {
                token.cancel()
            }
            token.run_here(|| go(c)).unwrap_or(false)
        });
        assert_eq!(results, Ok(vec![false; 3]), "later: {later}, exchanges: {exchanges}");
    }
}

/// What rank `from` gives to rank `to` in a round: sometimes nothing, sometimes more than a piece.
fn parcel(round: usize, from: usize, to: usize) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed((round * 100 + from * 10 + to) as u64);
    let len = match random.u32(..8) {
        0 => 0,
        1 => (1 << 20) * random.usize(..3),
        2 => (1 << 20) + random.usize(..1 << 20),
        _ => random.usize(..100),
    };
    let start = random.u8(..);
    (0..len).map(|i| start.wrapping_add(i as u8)).collect()
}

#[test]
fn each_rank_gets_what_each_has_given_to_it_in_this_round() {
    for ranks in 1..=8 {
        let loopback = Loopback::new(ranks).seed(ranks as u64).delay(Duration::from_micros(300));
        let results = loopback.run(|c| {
            for round in 0..4 {
                let outgoing = (0..ranks).map(|to| parcel(round, c.rank(), to)).collect();
                let incoming = c.exchange(outgoing)?;
                let expected = (0..ranks).map(|from| parcel(round, from, c.rank())).collect::<Vec<_>>();
                assert!(incoming == expected, "{ranks} ranks, rank {}, round {round}", c.rank());
                // Searches between exchanges have numbers of the same order.
                assert_eq!(c.search(&super::problems::Queens(6), Default::default()).count()?, 4);
            }
            let sum = c.all_reduce(&(c.rank() as u64), |a, b| a + b)?;
            let names = c.all_gather(&format!("rank {}", c.rank()))?;
            let at_0 = c.gather(vec![c.rank() as u8; 3])?;
            assert_eq!(at_0.len(), if c.rank() == 0 { ranks } else { 0 });
            Ok::<_, ClusterError>((sum, names.join(" ")))
        });
        let names = (0..ranks).map(|rank| format!("rank {rank}")).collect::<Vec<_>>().join(" ");
        let expected = ((ranks * (ranks - 1) / 2) as u64, names);
        for result in results.expect("pools") {
            assert_eq!(result.as_ref(), Ok(&expected), "{ranks} ranks");
        }
    }
}

#[test]
fn a_rank_that_is_lost_in_an_exchange_or_panics_fails_all_and_is_named() {
    let rounds = |c: &Cluster| (0..50).try_for_each(|_| c.exchange(vec![vec![1]; c.size()]).map(|_| ()));
    for result in Loopback::new(4).kill(2, 31).run(rounds).expect("pools") {
        assert_eq!(result, Err(ClusterError::Failed { rank: 2, failure: Failure::Lost }));
    }
    let results = std::sync::Mutex::new(Vec::new());
    let run = || {
        Loopback::new(3).run(|c| {
            assert!(c.rank() != 1, "so it is");
            let result = c.exchange(vec![Vec::new(); 3]);
            results.lock().expect("not poisoned").push(result);
        })
    };
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err());
    let failure = Failure::Panicked("so it is".into());
    let results = results.into_inner().expect("not poisoned");
    assert_eq!(results.len(), 2);
    for result in results {
        assert_eq!(result, Err(ClusterError::Failed { rank: 1, failure: failure.clone() }));
    }
}

#[test]
fn a_corrupt_piece_and_ranks_that_ask_for_different_things_fail_all() {
    let rounds = |c: &Cluster| (0..9).try_for_each(|_| c.exchange(vec![vec![1, 2, 3]; c.size()]).map(|_| ()));
    for result in Loopback::new(3).corrupt(1, 5).run(rounds).expect("pools") {
        assert!(matches!(result, Err(ClusterError::Failed { failure: Failure::Corrupt { from: 1, .. }, .. })));
    }
    let different = |c: &Cluster| match c.rank() {
        0 => c.traverse([1_u32], |_| 1, |_, _| ()).map(|_| ()),
        _ => c.exchange(vec![Vec::new(); 2]).map(|_| ()),
    };
    for result in Loopback::new(2).run(different).expect("pools") {
        let text = result.expect_err("they differ").to_string();
        assert!(text.contains("in the same order"), "{text}");
    }
}

/// A graph: each number below n leads to three others that a hash says.
fn leads_to(n: u64, item: u64) -> impl Iterator<Item = u64> {
    (0..3).map(move |arm| (item * 31 + arm * 17 + (item ^ arm) % 7) % n)
}

fn reached(n: u64) -> usize {
    let (mut seen, mut stack) = (vec![false; n as usize], vec![1 % n]);
    while let Some(item) = stack.pop() {
        if !std::mem::replace(&mut seen[item as usize], true) {
            stack.extend(leads_to(n, item));
        }
    }
    seen.into_iter().filter(|&seen| seen).count()
}

#[test]
fn a_traversal_reaches_what_a_serial_one_does_whatever_the_delays() {
    for seed in 0..24 {
        let (ranks, n) = (1 + seed as usize % 8, [1, 10, 1_000, 20_000][seed as usize % 4]);
        let loopback = Loopback::new(ranks).workers(1 + seed as usize % 2).seed(seed);
        let counts = loopback.delay(Duration::from_micros(400 * (seed % 3))).run(|c| {
            let seen = (0..n).map(|_| AtomicU32::new(0)).collect::<Vec<_>>();
            let (owner, here) = (|item: &u64| *item as usize % ranks, c.rank());
            let visit = |outlet: &mut Outlet<'_, '_, u64>, item: u64| {
                assert_eq!(owner(&item), here);
                if seen[item as usize].fetch_add(1, Ordering::Relaxed) == 0 {
                    leads_to(n, item).for_each(|to| outlet.push(to));
                }
            };
            // The root is given by a rank that may not own it.
            c.traverse((c.rank() == ranks - 1).then_some(1 % n), owner, visit)?;
            let count = seen.iter().filter(|seen| seen.load(Ordering::Relaxed) > 0).count();
            c.all_reduce(&count, |a, b| a + b)
        });
        for count in counts.expect("pools") {
            assert_eq!(count, Ok(reached(n)), "seed {seed}, {ranks} ranks, {n} items");
        }
    }
}

#[test]
fn a_traversal_without_items_ends_and_one_that_panics_or_loses_a_rank_fails_on_all() {
    for result in Loopback::new(5).run(|c| c.traverse([0_u8; 0], |_| 0, |_, _| ())).expect("pools") {
        assert_eq!(result.map(|here| here.items), Ok(0));
    }
    let visit = |outlet: &mut Outlet<'_, '_, u32>, item: u32| {
        assert!(item < 90, "far enough");
        outlet.push(item + 1);
    };
    let walk = |c: &Cluster| c.traverse((c.rank() == 0).then_some(0), |item| *item as usize % 3, visit);
    for result in Loopback::new(3).run(walk).expect("pools") {
        let failure = Failure::Panicked("far enough".into());
        assert_eq!(result, Err(ClusterError::Failed { rank: 0, failure }));
    }
    for result in Loopback::new(3).kill(1, 9).run(walk).expect("pools") {
        assert_eq!(result, Err(ClusterError::Failed { rank: 1, failure: Failure::Lost }));
    }
}
