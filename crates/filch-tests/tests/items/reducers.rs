//! What items put into reducers is combined in the order of the items.

use crate::common::{await_value, eager_pool, takes};
use crate::{FEW, WORKERS};
use filch::Reducer;
use filch::monoids::Append;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

#[test]
fn reducers_come_to_what_the_serial_loop_makes_of_them() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        for _ in 0..if cfg!(miri) { 1 } else { 20 } {
            let list = Reducer::new(Append::<Vec<usize>>::new());
            pool.run(|mut s| {
                s.for_each_item(0..FEW, |mut s, i| {
                    // Not everywhere, so that some parts leave nothing.
                    if i % 3 != 0 {
                        s.join(|_| list.put(vec![2 * i]), |_| list.put(vec![2 * i + 1]));
                    }
                });
            });
            let expected: Vec<usize> = (0..FEW * 2).filter(|i| i / 2 % 3 != 0).collect();
            assert_eq!(list.into_inner(), expected);
        }
    }
}

#[test]
fn reducers_keep_their_order_while_the_loops_beginner_is_busy_and_parts_are_freed_before_it_sees_them() {
    if !takes() {
        return;
    }
    let pool = eager_pool(4);
    let list = Reducer::new(Append::<Vec<usize>>::new());
    let enough = if cfg!(miri) { 4 } else { 100 };
    let (moves, mut made_on, mut count) = (AtomicUsize::new(0), None, 0);
    // The right to iterate has moved each time that another thread than before asks for an item.
    let items = std::iter::from_fn(|| {
        let here = Some(thread::current().id());
        moves.fetch_add(usize::from(made_on != here), Ordering::SeqCst);
        made_on = here;
        count += 1;
        (moves.load(Ordering::SeqCst) < enough).then_some(count - 1)
    });
    pool.run(|mut s| {
        s.for_each_item(items, |_, i| {
            list.put(vec![i]);
            if i == 0 {
                await_value(&moves, enough);
            } else {
                // Lets another worker take the rest, which is rare otherwise if there are fewer processors.
                thread::yield_now();
            }
        });
    });
    assert_eq!(list.into_inner(), (0..count - 1).collect::<Vec<_>>());
}
