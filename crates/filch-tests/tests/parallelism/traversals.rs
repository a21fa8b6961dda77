//! Traversals that other workers have joined in vain.

use crate::common::{await_value, must_end, takes};
use crate::on_pools;
use filch::{Batches, Pool, Traverse};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// A long thin part, with which no other worker can help, and then a visit that leaves few batches and waits until
/// another worker has begun one.
fn thin_then_wide(pool: &Pool, batches: usize) {
    const THIN: usize = 40;
    let begun = AtomicUsize::new(0);
    let traverse = Traverse::new().batches(Batches::Fixed(1));
    pool.run(|_| {
        traverse.run(
            [0],
            || (),
            |list, item: usize| match item {
                0..THIN => {
                    std::thread::sleep(Duration::from_micros(300));
                    list.push(item + 1);
                }
                THIN => {
                    (1..=batches).for_each(|i| list.push(THIN + i));
                    await_value(&begun, 1);
                }
                _ => _ = begun.fetch_add(1, Ordering::SeqCst),
            },
        )
    });
    assert_eq!(begun.into_inner(), batches);
}

#[test]
fn batches_that_wait_are_begun_though_others_have_come_in_vain() {
    if takes() {
        must_end(|| on_pools(&[2, 4], |pool| (2..5).for_each(|batches| thin_then_wide(pool, batches))));
    }
}
