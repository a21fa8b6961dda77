//! Searches inside of speculations: an abort ends every part of them, and nobody sees what they have found.

use crate::common::{
    Counted, assert_usable, eager_pool, must_end, panic_text, scheduler, tasks, waits_for_descendants,
};
use crate::problems::{Board, QUEENS, Queens, Tree};
use filch::{Aborted, Bound, Node, Search, SpeculativeStrand, State, Steps};
use std::iter;
use std::sync::atomic::{AtomicUsize, Ordering};

const WORKERS: &[usize] = if cfg!(miri) { &[1, 3] } else { &[1, 2, 4] };

/// How many nodes of an endless search are visited before something happens.
const NODES: usize = if cfg!(miri) { 12 } else { 90 };

/// Whether children run on other threads than that of the body.
fn has_other_threads() -> bool {
    !scheduler().to_string().starts_with("chaos")
}

/// How many ways there are to [`ask`].
const WAYS: usize = 7;

/// Asks a search for something that it has to visit all nodes for, if `solutions` are all that it has, or if it has
/// none.
fn ask<P>(mut s: SpeculativeStrand<'_>, problem: &P, way: usize, solutions: &[Vec<u8>]) -> Result<(), Aborted>
where
    P: Search<Workspace = Vec<u8>>,
{
    let search = s.search(problem, Vec::new());
    let count = solutions.len() as u64;
    match way {
        0 => assert_eq!(search.count()?, count),
        1 => {
            let add = |found, path: &Vec<u8>| found + path.len();
            assert_eq!(search.fold(|| 0, add, |a, b| a + b)?, solutions.iter().map(Vec::len).sum());
        }
        2 => {
            let visited = AtomicUsize::new(0);
            search.for_each(|_| _ = visited.fetch_add(1, Ordering::Relaxed))?;
            assert_eq!(visited.into_inner() as u64, count);
        }
        3 => assert_eq!(search.find_any(|_| ())?.is_some(), count > 0),
        4 => assert_eq!(search.find_first(Vec::clone)?.as_ref(), solutions.first()),
        5 => {
            let best = search.find_best(&Bound::highest(), |path| path.len() as i64, |path| path.len())?;
            assert_eq!(best.map(|best| best.1), solutions.iter().map(Vec::len).max());
        }
        _ => {
            let mut received = Vec::new();
            let all = search.all(Vec::clone, |path| received.push(path));
            assert!(solutions.starts_with(&received), "what is received has a gap");
            assert!(all.is_err() || received.len() == solutions.len());
            all?;
        }
    }
    Ok(())
}

/// A tree that takes for ever, without a solution. Calls `visit` at each node.
fn endless<'a>(visit: impl Fn() + Sync + 'a) -> impl Search<Workspace = Vec<u8>> {
    /// All that is asked is compiled once, not for each `visit`.
    fn of_any(visit: Box<dyn Fn() + Sync + '_>) -> impl Search<Workspace = Vec<u8>> {
        let node = move |path: &mut Vec<u8>| {
            visit();
            Node::Choices(0..if path.len() == 100 { 0 } else { 2_u8 })
        };
        Steps::new(node, |path: &mut Vec<u8>, choice| path.push(choice), |path: &mut Vec<u8>, _| _ = path.pop())
    }
    of_any(Box::new(visit))
}

#[test]
fn a_search_that_nobody_aborts_has_a_result() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        for seed in 0..if cfg!(miri) { 1 } else { 5 } {
            let tree = Tree::new(seed);
            let solutions = tree.oracle();
            for way in 0..WAYS {
                let (ended, ()) = pool.run(|mut s| {
                    s.speculate(0, |p, _| {
                        p.spawn_each([(), ()], |s, _, ()| ask(s, &tree, way, &solutions), |ended, ()| *ended += 1);
                    })
                });
                assert_eq!(ended, 2);
            }
        }
    }
    let n = if cfg!(miri) { 4 } else { 6 };
    let outside = filch::run(|s| SpeculativeStrand::from(s).search(&Queens { n }, Board::default()).count());
    assert_eq!(outside, Ok(QUEENS[n as usize]));
}

/// After an abort each worker comes to one node at most, the one for which it had looked before.
#[test]
fn an_abort_at_a_node_ends_all_parts_at_their_next_ones() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        for round in 0..if cfg!(miri) { 1 } else { 20 } {
            for way in 0..WAYS {
                let [visited, is_over, late] = [const { AtomicUsize::new(0) }; 3];
                let before = (tasks(&pool), pool.counters().begun_after_abort);
                pool.run(|mut s| {
                    s.speculate((), |p, speculation| {
                        let tree = endless(|| {
                            late.fetch_add(is_over.load(Ordering::SeqCst), Ordering::SeqCst);
                            if visited.fetch_add(1, Ordering::SeqCst) == round * 50 {
                                speculation.abort();
                                is_over.store(1, Ordering::SeqCst);
                            }
                        });
                        let child = |s: SpeculativeStrand<'_>, _: State<'_, ()>, ()| {
                            assert_eq!(ask(s, &tree, way, &[]), Err(Aborted));
                            Err::<(), _>(Aborted)
                        };
                        p.spawn_each([(), ()], child, |(), ()| ());
                    })
                });
                assert!(late.load(Ordering::SeqCst) <= workers, "{late:?} on {workers} workers");
                let counted = pool.counters().begun_after_abort - before.1;
                assert!(counted <= tasks(&pool) - before.0, "{counted} pieces that have not moved are counted");
            }
        }
        assert_usable(&pool);
    }
}

#[test]
fn an_abort_in_one_child_ends_an_endless_search_in_another() {
    if !has_other_threads() {
        return;
    }
    must_end(|| {
        for &workers in &WORKERS[1..] {
            let pool = eager_pool(workers);
            for way in 0..WAYS {
                let begun = AtomicUsize::new(0);
                let tree = endless(|| _ = begun.fetch_add(1, Ordering::SeqCst));
                pool.run(|mut s| {
                    s.speculate((), |p, speculation| {
                        let abort = |mut s: SpeculativeStrand<'_>, _: State<'_, ()>| {
                            // Some schedulers give others what they find only where a worker forks.
                            while begun.load(Ordering::SeqCst) < 100 {
                                s.join(|_| Ok(()), |_| Ok(()))?;
                            }
                            speculation.abort();
                            Ok(())
                        };
                        // It comes first: once all workers are in the search, nobody looks for another child.
                        p.spawn(abort, |(), ()| unreachable!("aborted"));
                        p.spawn(|s, _| ask(s, &tree, way, &[]), |(), ()| unreachable!("it is endless"));
                    })
                });
            }
            assert_usable(&pool);
        }
    });
}

#[test]
fn a_search_that_is_aborted_before_it_begins_visits_nothing() {
    let pool = eager_pool(2);
    let alive = AtomicUsize::new(0);
    pool.run(|mut s| {
        s.speculate((), |p, speculation| {
            let child = |mut s: SpeculativeStrand<'_>, _: State<'_, ()>, ()| {
                speculation.abort();
                let tree = endless(|| unreachable!("aborted"));
                (0..WAYS).for_each(|way| assert_eq!(ask(s.reborrow(), &tree, way, &[]), Err(Aborted)));
                let steps = Steps::new(|_: &mut _| Node::Choices(0..0_u8), |_: &mut _, _| (), |_: &mut _, _| ());
                assert_eq!(s.search(&steps, std::sync::Arc::new(Counted::new(&alive))).count(), Err(Aborted));
                // A plain search is never left half done.
                assert_eq!(s.plain().search(&Queens { n: 4 }, Board::default()).count(), QUEENS[4]);
                Ok(())
            };
            p.spawn_each([()], child, |(), ()| unreachable!("aborted"));
        })
    });
    assert_eq!(alive.into_inner(), 0);
}

#[test]
fn the_abort_of_an_outer_speculation_ends_a_search_and_that_of_an_inner_one_does_not() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        for way in 0..WAYS {
            pool.run(|mut s| {
                s.speculate((), |p, outer| {
                    let visited = AtomicUsize::new(0);
                    let tree = endless(|| {
                        if visited.fetch_add(1, Ordering::SeqCst) == NODES {
                            outer.abort();
                        }
                    });
                    let child = |mut s: SpeculativeStrand<'_>, _: State<'_, ()>, ()| {
                        let inner = s.speculate((), |p, _| {
                            p.spawn_each([()], |s, _, ()| ask(s, &tree, way, &[]), |(), ()| unreachable!());
                        });
                        assert_eq!(inner, Err(Aborted));
                        Ok(())
                    };
                    p.spawn_each([()], child, |(), ()| unreachable!("aborted"));
                })
            });
            // Each node of this search opens a speculation, searches there, and aborts it.
            let tree = Tree { depth: if cfg!(miri) { 2 } else { 4 }, ..Tree::new(3) };
            let solutions = tree.oracle();
            let nested = Steps::new(
                |path: &mut Vec<u8>| {
                    filch::speculate((), |p, inner| {
                        let small = endless(|| inner.abort());
                        let child =
                            |mut s: SpeculativeStrand<'_>, _: State<'_, ()>, ()| s.search(&small, vec![]).count();
                        p.spawn_each([()], child, |(), _| unreachable!("aborted"));
                    });
                    tree.choices(path)
                },
                |path: &mut Vec<u8>, choice| tree.apply(path, choice),
                |path: &mut Vec<u8>, choice| tree.undo(path, choice),
            );
            let (ended, ()) = pool.run(|mut s| {
                s.speculate(0, |p, _| {
                    p.spawn_each([()], |s, _, ()| ask(s, &nested, way, &solutions), |ended, ()| *ended += 1);
                })
            });
            assert_eq!(ended, 1);
        }
    }
}

#[cfg(panic = "unwind")]
#[test]
fn a_panic_in_a_search_that_is_aborted_is_passed_on() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        for (way, aborts) in (0..WAYS).flat_map(|way| [(way, false), (way, true)]) {
            let visited = AtomicUsize::new(0);
            let text = panic_text(|| {
                pool.run(|mut s| {
                    s.speculate((), |p, speculation| {
                        let tree = endless(|| {
                            if visited.fetch_add(1, Ordering::SeqCst) == NODES {
                                if aborts {
                                    speculation.abort();
                                }
                                panic!("expected");
                            }
                        });
                        // A worker that waits for a part of one search, and runs whatever it finds, may begin the other
                        // one. That would end only once the panic has left the first, which waits for this worker.
                        let children = if aborts || waits_for_descendants() { 2 } else { 1 };
                        let children = iter::repeat_n((), children);
                        p.spawn_each(children, |s, _, ()| ask(s, &tree, way, &[]), |(), ()| unreachable!("endless"));
                    })
                });
            });
            assert_eq!(text, "expected");
        }
        assert_usable(&pool);
    }
}
