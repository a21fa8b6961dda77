//! Items moved to a part for each value of a digit, by all workers.

use crate::blocks::share_of;
use crate::fresh::Start;
use std::mem::MaybeUninit;

/// The fewest items of a block: so many that the counts of a thousand values are a small part of its work.
const LEAST: usize = 4096;

/// What a key must not do, and has done.
pub(super) const KEY_CHANGED: &str = "the key of an item is always the same";

/// Writes the items to a part of `to` for each value of their digit, in their order, and returns where the parts end.
/// Each block of the items counts them, and has places for them then.
///
/// # Panics
///
/// If `digit` panics, or is not the same for an item when it is called again. Otherwise all places have been written.
pub(super) fn scatter<T: Copy + Send + Sync>(
    from: &[T],
    to: &mut [MaybeUninit<T>],
    values: usize,
    digit: impl Fn(&T) -> usize + Copy + Send + Sync,
) -> Vec<usize> {
    assert!(from.len() <= to.len());
    let size = share_of(from.len(), LEAST);
    let mut ends = vec![0; from.len().div_ceil(size) * values];
    filch::for_each((filch::chunks(from, size), filch::chunks_mut(&mut ends, values)), |_, (block, counts)| {
        // What a copy of its own has captured can be kept in registers.
        let digit_of = digit;
        block.iter().for_each(|item| counts[digit_of(item)] += 1);
    });
    // Where the items of each block with each value begin; those of the next block, or value, begin where they end.
    let mut next = vec![0; ends.len()];
    let mut end = 0;
    let mut value_ends = Vec::with_capacity(values);
    for value in 0..values {
        for place in (value..ends.len()).step_by(values) {
            next[place] = end;
            end += ends[place];
            ends[place] = end;
        }
        value_ends.push(end);
    }
    let to = Start(to.as_mut_ptr());
    let blocks = (filch::chunks(from, size), filch::chunks_mut(&mut next, values), filch::chunks(&ends, values));
    filch::for_each(blocks, |_, (block, next, ends)| {
        let digit_of = digit;
        // SAFETY: zero is at most the number of places.
        let to = unsafe { to.at(0) };
        for item in block {
            let value = digit_of(item);
            let place = next[value];
            assert!(place < ends[value], "{KEY_CHANGED}");
            next[value] = place + 1;
            // SAFETY: it is one of as many places as there are items, and no other block nor value has it.
            let place = unsafe { to.add(place) };
            // SAFETY: as above.
            unsafe { place.write(MaybeUninit::new(*item)) };
        }
    });
    // Each block has written as many items as it has places, and none twice: so all are initialised.
    value_ends
}
