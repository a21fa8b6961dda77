//! Small trees, deep ones, and ladders without room.

use crate::common::{eager_pool, scheduler};
use crate::problems::{Board, Queens};
use filch::{Bits, Node, Pool, ShortList, Steps};

#[test]
fn a_root_may_be_a_solution_or_a_dead_end() {
    let pool = eager_pool(2);
    let solution = Steps::new(|_: &mut ()| Node::<Bits>::Solution, |_: &mut (), _| (), |_: &mut (), _| ());
    let dead_end = Steps::new(|_: &mut ()| Node::Choices(Bits(0)), |_: &mut (), _| (), |_: &mut (), _| ());
    assert_eq!(pool.run(|mut s| s.search(&solution, ()).count()), 1);
    assert_eq!(pool.run(|mut s| s.search(&dead_end, ()).count()), 0);
    assert_eq!(pool.run(|mut s| s.search(&solution, ()).find_first(|()| 7)), Some(7));
    assert_eq!(pool.run(|mut s| s.search(&dead_end, ()).find_any(|()| 7)), None);
}

/// The numbers of `digits` digits below `base`.
fn numbers(base: u8, digits: usize) -> impl filch::Search<Workspace = Vec<u8>, Choices = ShortList<u8, 4>> {
    Steps::new(
        move |path: &mut Vec<u8>| {
            if path.len() == digits { Node::Solution } else { Node::Choices((0..base).collect()) }
        },
        |path: &mut Vec<u8>, digit| path.push(digit),
        |path: &mut Vec<u8>, _| _ = path.pop(),
    )
}

#[test]
fn a_path_may_be_longer_than_any_stack() {
    let digits = if cfg!(miri) { 60 } else { 200_000 };
    let pool = eager_pool(2);
    assert_eq!(pool.run(|mut s| s.search(&numbers(1, digits), Vec::new()).count()), 1);
}

#[test]
fn a_search_on_a_full_ladder_runs_on_one_worker() {
    let pool = Pool::builder().workers(2).scheduler(scheduler()).ladder_capacity(1).build().expect("a small pool");
    let numbers = numbers(3, 5);
    let (one, other) = pool.run(|mut s| {
        s.join(
            |mut s| {
                let (one, other) = s.join(|mut s| s.search(&numbers, Vec::new()).count(), |_| 1);
                one + other
            },
            |mut s| s.search(&numbers, Vec::new()).count(),
        )
    });
    assert_eq!((one, other), (244, 243));
}

#[test]
fn a_search_needs_no_strand_and_no_run() {
    assert_eq!(filch::search(&Queens { n: 6 }, Board::default()).count(), 4);
    assert_eq!(filch::run(|_| filch::search(&Queens { n: 6 }, Board::default()).count()), 4);
}

#[test]
fn checked_steps_restore_the_workspace() {
    let pool = eager_pool(3);
    let n = if cfg!(miri) { 4 } else { 8 };
    let queens = Queens { n };
    let last = pool.run(|mut s| {
        let search = s.search(&queens, Board::default()).checked();
        search.fold(|| None, |_, board| Some(board.queens.clone()), |former, latter| latter.or(former))
    });
    assert_eq!(last, Some(if n == 8 { vec![7, 3, 0, 2, 5, 1, 6, 4] } else { vec![2, 0, 3, 1] }));
}
