//! Deadlines, and tokens inside of each other.

use super::common::{eager_pool, fib, must_end};
use filch::{CancelToken, Cancelled};
use std::time::Duration;

const SHORT: Duration = Duration::from_millis(1);
const LONG: Duration = Duration::from_secs(36_000);

fn await_cancelled(token: &CancelToken) {
    while !token.is_cancelled() {
        std::thread::yield_now();
    }
}

#[test]
fn a_deadline_ends_a_run() {
    must_end(|| {
        let pool = eager_pool(2);
        let token = CancelToken::after(SHORT);
        assert_eq!(pool.run_until(&token, |s| fib(s, 90)), Err(Cancelled));
        assert_eq!(pool.run_until(&token, |_| unreachable!("it is over")), Err::<(), _>(Cancelled));
    });
}

#[test]
fn the_earliest_of_several_deadlines_counts_and_a_distant_one_does_no_harm() {
    must_end(|| {
        let token = CancelToken::after(LONG);
        assert!(!token.is_cancelled());
        token.cancel_after(SHORT);
        token.cancel_after(LONG);
        await_cancelled(&token);
        let never = CancelToken::after(Duration::MAX);
        assert!(!never.is_cancelled());
    });
}

#[test]
fn tokens_end_in_the_order_of_their_deadlines() {
    must_end(|| {
        let late = CancelToken::after(LONG);
        let tokens: Vec<_> = (0..4).map(|i| CancelToken::after(SHORT * (4 - i))).collect();
        tokens.iter().for_each(await_cancelled);
        assert!(!late.is_cancelled());
    });
}

#[test]
fn a_child_has_the_deadline_of_a_parent_that_is_gone() {
    must_end(|| {
        let child = CancelToken::after(SHORT).child().child();
        await_cancelled(&child);
    });
}

#[test]
fn a_token_cancels_those_inside_and_not_those_around() {
    let all = CancelToken::new();
    let (one, other) = (all.child(), all.child());
    let inner = one.child();
    one.cancel();
    assert_eq!([&all, &one, &other, &inner].map(CancelToken::is_cancelled), [false, true, false, true]);
    assert!(one.child().is_cancelled(), "born cancelled");
    all.cancel();
    assert!(other.is_cancelled() && all.child().is_cancelled());
}

#[test]
fn children_that_are_gone_are_forgotten_and_deep_ones_dropped_without_recursion() {
    let all = CancelToken::new();
    for _ in 0..100 {
        drop(all.child());
    }
    let kept: Vec<_> = (0..20).map(|_| all.child()).collect();
    all.cancel();
    assert!(kept.iter().all(CancelToken::is_cancelled));
    let root = CancelToken::new();
    let mut deep = root.child();
    for _ in 0..if cfg!(miri) { 100 } else { 200_000 } {
        deep = deep.child();
    }
    root.cancel();
    assert!(deep.is_cancelled());
}
