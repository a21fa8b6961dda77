//! What a thread believes of its loops.

use super::*;
use crate::block::BLOCK_NS;

/// Two kinds that share a place.
const KINDS: [Kind; 2] = [Kind(FUNCTION_BYTES), Kind(FUNCTION_BYTES * (PLACES + 1))];

fn with_pace<R>(f: impl FnOnce(&Pace) -> R) -> R {
    let pace = Pace::unknown();
    pace.give_to(KINDS[0]);
    f(&pace)
}

/// A loop of ten items that there is room for, where nobody wants anything.
fn ten_in_room(pace: &Pace, items: impl FnOnce()) {
    let has_room = pace.has_room(KINDS[0], 10);
    let left = if has_room { pace.take_room(10) } else { pace.take_more_room(10).expect("room for few items") };
    items();
    pace.note_room(KINDS[0], left);
}

#[test]
fn an_unknown_loop_begins_with_one_item_that_is_timed() {
    with_pace(|pace| {
        pace.begin();
        assert!(pace.make_room(KINDS[0], 1).is_none());
        assert_eq!(pace.block(1_000_000), 1);
        assert!(!pace.has_credit(1));
        assert!(!pace.is_not_worth_a_call(1));
    });
}

#[test]
fn blocks_take_as_long_as_they_should_after_a_few_that_were_timed() {
    for item_ns in [1, 10, 1000, BLOCK_NS, 1_000_000] {
        with_pace(|pace| {
            for _ in 0..4 {
                let len = pace.block(1_000_000);
                pace.note_block(len, len as u64 * item_ns, 0);
            }
            assert_eq!(pace.block(1_000_000) as u64, (BLOCK_NS / item_ns).max(1));
        });
    }
}

#[test]
fn short_loops_are_timed_rarely() {
    with_pace(|pace| {
        let mut timed = 0;
        for _ in 0..10_000 {
            pace.begin();
            if pace.make_room(KINDS[0], 10).is_none() && !pace.has_credit(10) {
                pace.note_block(10, 50, 0);
                timed += 1;
            }
        }
        // 120 such loops fill a block.
        let (in_a_block, untimed) = (BLOCK_NS / 50, u64::from(UNTIMED_BLOCKS));
        assert!(timed <= 10_000 / (in_a_block * untimed) + 3, "{timed} of 10,000");
    });
}

#[test]
fn a_loop_that_is_its_own_ancestor_divides_at_each_item() {
    with_pace(|pace| {
        pace.note_block(1000, 1000, 0);
        let outer = pace.begin_items();
        pace.begin();
        assert!(pace.make_room(KINDS[0], 1).is_none());
        assert_eq!(pace.block(1_000_000), 1);
        assert!(pace.has_credit(1), "its items are not timed");
        let inner = pace.begin_items();
        pace.end_items(KINDS[0], inner);
        assert!(pace.is_inside.get(), "the outer loop is still there");
        pace.end_items(KINDS[0], outer);
        for _ in 0..RECURSIVE {
            assert_eq!(pace.block(1_000_000), 1);
            pace.begin();
        }
        assert!(pace.block(1_000_000) > 1);
    });
}

/// Runs `f` on the only worker of a pool, whose run has forked.
fn where_nobody_wants_anything(f: impl FnOnce() + Send) {
    filch::Pool::builder().workers(1).build().unwrap().run(|_| {
        filch::join(|| (), || ());
        assert!(!filch::is_wanted());
        f();
    });
}

#[test]
fn a_short_loop_finds_out_at_its_end_that_it_was_an_ancestor() {
    where_nobody_wants_anything(|| {
        with_pace(|pace| {
            pace.note_block(1000, 1000, 0);
            let inner = || ten_in_room(pace, || ());
            inner();
            assert!(pace.block(1000) > 1);
            ten_in_room(pace, inner);
            assert_eq!(pace.block(1000), 1);
        });
    });
}

#[test]
fn a_short_loop_finds_out_that_a_loop_inside_has_begun_on_another_way() {
    where_nobody_wants_anything(|| {
        with_pace(|pace| {
            pace.note_block(1000, 1000, 0);
            ten_in_room(pace, || assert!(pace.make_room(KINDS[0], 1000).is_none()));
            assert_eq!(pace.block(1000), 1);
        });
    });
}

#[test]
fn between_two_looks_at_what_others_want_are_few_items_of_however_many_loops() {
    where_nobody_wants_anything(|| {
        with_pace(|pace| {
            pace.note_block(1000, 1000, 0);
            let few = pace.pieces().few;
            assert!(10 < few && few <= 64);
            pace.take_more_room(10).expect("nobody wants anything");
            let more = (0..1000).take_while(|_| pace.has_room(KINDS[0], 10) && pace.take_room(10) > 0).count();
            assert_eq!(more, few / 10 - 1);
            let looks = (0..1_000_000).take_while(|_| pace.take_more_room(1).is_some()).count();
            assert_eq!(looks + 1, pace.block.get() as usize / few, "until the block counts");
        });
    });
}

#[test]
fn a_kind_that_takes_a_place_knows_nothing_of_the_one_that_had_it() {
    where_nobody_wants_anything(|| {
        Pace::with_own(KINDS[0], |pace| {
            pace.note_block(1000, 1000, 0);
            let inside = pace.begin_items();
            let other = || Pace::with_own(KINDS[1], |pace| assert!(pace.make_room(KINDS[1], 1).is_none()));
            ten_in_room(pace, other);
            pace.end_items(KINDS[0], inside);
            assert!(pace.is_of(KINDS[1]) && !pace.has_room(KINDS[1], 1));
            assert!(!pace.is_inside.get() && pace.recursive.get() == 0);
        });
    });
}

/// Outside of any run, where somebody always wants something.
#[test]
fn what_somebody_wants_is_not_run_undivided_unless_it_is_trivial() {
    with_pace(|pace| {
        pace.note_block(1000, 2_000, 0);
        assert!(pace.make_room(KINDS[0], 1).is_some() && pace.make_room(KINDS[0], 2).is_none());
        pace.note_block(1_000_000, 100_000, 0);
        assert!(pace.make_room(KINDS[0], 1000).is_some() && pace.make_room(KINDS[0], 10_000).is_none());
        assert!(pace.take_more_room(1).is_none());
    });
}

#[test]
fn a_short_loop_is_begun_quietly_where_nobody_wants_anything() {
    with_pace(|pace| {
        pace.note_block(1000, 2_000, 0);
        assert!(pace.begin_quietly(KINDS[0], 1000).is_none(), "outside of a run");
    });
    where_nobody_wants_anything(|| {
        with_pace(|pace| {
            assert!(pace.begin_quietly(KINDS[0], 1000).is_none(), "nothing is known");
            pace.note_block(1000, 2_000, 0);
            assert!(pace.begin_quietly(KINDS[1], 1000).is_none(), "another kind");
            assert!(pace.begin_quietly(KINDS[0], 10_000).is_none(), "longer than a block");
            let inside = pace.begin_items();
            assert!(pace.begin_quietly(KINDS[0], 1000).is_none(), "inside of itself");
            pace.end_items(KINDS[0], inside);
            let blocks = (0..1000).take_while(|_| pace.begin_quietly(KINDS[0], 3000).is_some()).count();
            assert_eq!(blocks, 1 + usize::from(UNTIMED_BLOCKS), "until a block is to be timed");
        });
    });
}

#[test]
fn only_blocks_after_one_that_was_as_cheap_as_believed_are_not_looked_after() {
    with_pace(|pace| {
        pace.note_block(1000, BLOCK_NS, 0);
        assert!(!pace.is_confirmed());
        pace.look_again(1000, Some(0), BLOCK_NS);
        assert!(pace.is_confirmed());
        pace.look_again(1000, None, 2 * BLOCK_NS + 100);
        assert!(pace.is_confirmed());
        pace.look_again(1000, None, 100 * BLOCK_NS);
        assert!(!pace.is_confirmed(), "it took long, or began late");
        pace.look_again(1000, Some(100 * BLOCK_NS), 101 * BLOCK_NS);
        assert!(pace.is_confirmed());
        pace.distrust();
        assert!(!pace.is_confirmed(), "another loop has begun");
    });
}
