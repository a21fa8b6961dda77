//! Items brought into their buckets in place (the blocks of Axtmann, Witt, Ferizovic and Sanders 2022, section 4).
//!
//! Places are grouped to *slots* of a block each. In four steps:
//!
//! 1. Each *stripe* of the items is classified: items are moved to a buffer for their bucket, and a full buffer is
//!    written back, as a block, over items of the stripe that have been read before. What stays in buffers in the end
//!    is written back behind the blocks.
//! 2. Of what the stripes have left so, blocks are made in the same way. Less than a block of each bucket remains.
//! 3. The blocks are moved to the slots of their buckets ([`move_blocks`]).
//! 4. Buckets begin and end within slots: what sticks out is moved to where there is room, and the remains are added.
//!
//! Only the first step calls code of the user. During it the places between those that have been written and those
//! that have been read are just enough for what is in the buffers. So whatever ends it, all items are there again.
//!
//! What is done depends on the number of items alone, not on the number of workers.

use super::block_moves::{EMPTY, NONE, Slots, move_blocks};
use crate::fresh::Start;
use std::ptr;
use std::slice;

/// The bytes of a block: so many that moving it costs more than finding out where to.
const BLOCK_BYTES: usize = 1 << 10;

/// The most stripes: enough for all workers of a large machine.
const MOST_STRIPES: usize = 256;

/// The fewest blocks of a stripe for each bucket. A stripe leaves half a block of a bucket, which one worker cares for.
const LEAST_STRIPE: usize = 16;

/// The most items whose buckets are found at once.
pub(super) const BATCH: usize = 64;

/// Moves the items so that those of each bucket lie together, in the order of the buckets, and returns where each
/// bucket ends. `classify` gets up to [`BATCH`] items, and writes the bucket of each. Fewer than 255 buckets.
///
/// Memory: a block (1 KiB, or a larger item) for each bucket and worker, and up to 2 % of the items.
///
/// # Panics
///
/// If `classify` panics, or writes the number of no bucket. All items are there then, each once.
pub(super) fn distribute<T: Send>(
    items: &mut [T],
    buckets: usize,
    classify: impl Fn(&[T], &mut [u8]) + Send + Sync,
) -> Vec<usize> {
    assert!(buckets < usize::from(EMPTY) && size_of::<T>() > 0);
    let block = (BLOCK_BYTES / size_of::<T>()).max(1);
    let len = items.len();
    let slots = len.div_ceil(block);
    // All but the last one consist of whole slots.
    let stripe = slots.div_ceil(MOST_STRIPES).max(LEAST_STRIPE * buckets);
    let mut bucket_of = vec![EMPTY; slots];
    let mut left = vec![0; slots.div_ceil(stripe) * buckets];
    filch::for_each(
        (
            filch::chunks_mut(items, stripe * block),
            filch::chunks_mut(&mut bucket_of, stripe),
            filch::chunks_mut(&mut left, buckets),
        ),
        |_, (items, bucket_of, left)| {
            let mut stripe = Stripe { items, read: 0, written: 0, buffers: Buffers::new(buckets, block) };
            stripe.classify(bucket_of, &classify);
            left.copy_from_slice(&stripe.buffers.filled);
        },
    );
    let start = items.as_mut_ptr();
    let mut remains = Buffers::new(buckets, block);
    // SAFETY: stripes have this length, have left this, and this call alone has their items.
    unsafe { gather(start, len, stripe * block, &left, &mut bucket_of, &mut remains) };
    // SAFETY: all slots have a block or are empty, and what is in no block is in the buffers.
    unsafe { settle(start, len, bucket_of, &remains) }
}

/// Room for a block of each bucket. What is in it belongs to its user.
struct Buffers<T> {
    items: Vec<T>,
    /// The number of items of each bucket.
    filled: Vec<usize>,
    block: usize,
}

impl<T> Buffers<T> {
    fn new(buckets: usize, block: usize) -> Self {
        Buffers { items: Vec::with_capacity(buckets * block), filled: vec![0; buckets], block }
    }

    /// Moves an item to a buffer. If there is a block then, `room` gets it, and its bucket, and says where it goes.
    ///
    /// # Safety
    ///
    /// The item may be moved, the buffer is one, and `room` returns the address of room for a block.
    #[inline(always)]
    unsafe fn push(&mut self, item: *const T, bucket: usize, room: impl FnOnce() -> *mut T) {
        let filled = self.filled[bucket];
        // SAFETY: there is room for a block of each bucket.
        let buffer = unsafe { self.items.as_mut_ptr().add(bucket * self.block) };
        // SAFETY: the buffer is not full, since it would have been emptied.
        let place = unsafe { buffer.add(filled) };
        // SAFETY: as above, and guaranteed by the caller.
        unsafe { ptr::copy_nonoverlapping(item, place, 1) };
        self.filled[bucket] = filled + 1;
        if filled + 1 == self.block {
            // SAFETY: guaranteed by the caller.
            unsafe { ptr::copy_nonoverlapping(buffer, room(), self.block) };
            self.filled[bucket] = 0;
        }
    }

    /// The items of a bucket.
    fn of(&self, bucket: usize) -> &[T] {
        // SAFETY: there is room for a block of each bucket.
        let buffer = unsafe { self.items.as_ptr().add(bucket * self.block) };
        // SAFETY: so many are there.
        unsafe { slice::from_raw_parts(buffer, self.filled[bucket]) }
    }
}

/// A stripe that is classified. Those of its items that are not between `written` and `read` are there. It has the
/// others back when it is dropped.
struct Stripe<'a, T> {
    items: &'a mut [T],
    read: usize,
    written: usize,
    buffers: Buffers<T>,
}

impl<T> Stripe<'_, T> {
    fn classify(&mut self, bucket_of: &mut [u8], classify: &impl Fn(&[T], &mut [u8])) {
        let mut batch = [0; BATCH];
        while self.read < self.items.len() {
            let items = &self.items[self.read..];
            let items = &items[..items.len().min(BATCH)];
            let buckets = &mut batch[..items.len()];
            classify(items, buckets);
            let all = self.buffers.filled.len();
            assert!(buckets.iter().all(|&bucket| usize::from(bucket) < all), "there are {all} buckets");
            let start = self.items.as_mut_ptr();
            for &bucket in &*buckets {
                // SAFETY: it is one of the items.
                let item = unsafe { start.add(self.read) };
                self.read += 1;
                let (written, block) = (&mut self.written, self.buffers.block);
                let room = || {
                    bucket_of[*written / block] = bucket;
                    // SAFETY: at most as many items have been written as have been read.
                    let room = unsafe { start.add(*written) };
                    *written += block;
                    room
                };
                // SAFETY: the item has been read, and it is not used any more. There is room, because a block more has
                // been read than has been written.
                unsafe { self.buffers.push(item, usize::from(bucket), room) };
            }
        }
    }
}

impl<T> Drop for Stripe<'_, T> {
    fn drop(&mut self) {
        for bucket in 0..self.buffers.filled.len() {
            let items = self.buffers.of(bucket);
            // SAFETY: what is in the buffers has been read, and not been written.
            let room = unsafe { self.items.as_mut_ptr().add(self.written) };
            // SAFETY: as above. The items are not used in the buffers any more.
            unsafe { ptr::copy_nonoverlapping(items.as_ptr(), room, items.len()) };
            self.written += items.len();
        }
    }
}

/// Makes blocks of what the stripes have left behind their blocks. They are written where it has been. Less than a
/// block of each bucket remains, in the buffers.
///
/// # Safety
///
/// There are `len` items, in stripes of that length, `left` has how many of each bucket each stripe has left, and
/// `bucket_of` the buckets of all blocks. This call alone has the items.
unsafe fn gather<T>(
    start: *mut T,
    len: usize,
    stripe: usize,
    left: &[usize],
    bucket_of: &mut [u8],
    buffers: &mut Buffers<T>,
) {
    let block = buffers.block;
    let ends: Vec<usize> = (1..=len.div_ceil(stripe)).map(|number| len.min(number * stripe)).collect();
    let mut writing = 0;
    let lefts: Vec<&[usize]> = left.chunks_exact(buffers.filled.len()).collect();
    let behind_blocks = |number: usize| ends[number] - lefts[number].iter().sum::<usize>();
    let mut written = behind_blocks(0);
    for (number, left) in lefts.iter().enumerate() {
        let mut read = behind_blocks(number);
        for (bucket, &count) in left.iter().enumerate() {
            for _ in 0..count {
                // SAFETY: the stripe has left it here.
                let item = unsafe { start.add(read) };
                read += 1;
                let room = || {
                    // What has been read and not written is at least a block. In stripes before this one it consists
                    // of whole slots, so there is one in a stripe, or all of it is in this one.
                    while (if writing < number { ends[writing] } else { read }) - written < block {
                        writing += 1;
                        written = behind_blocks(writing);
                    }
                    bucket_of[written / block] = bucket as u8;
                    // SAFETY: it is a place of an item that has been read.
                    let room = unsafe { start.add(written) };
                    written += block;
                    room
                };
                // SAFETY: the item is not used any more, and there is room, as is said above.
                unsafe { buffers.push(item, bucket, room) };
            }
        }
    }
}

/// Moves blocks to their buckets, and then what remains in the buffers. Returns where the buckets end.
///
/// # Safety
///
/// There are `len` items: those in blocks, which are in the slots that have a bucket, and those in the buffers. This
/// call alone has them.
unsafe fn settle<T: Send>(start: *mut T, len: usize, mut bucket_of: Vec<u8>, remains: &Buffers<T>) -> Vec<usize> {
    let block = remains.block;
    let mut ends = remains.filled.clone();
    bucket_of.iter().filter(|&&bucket| bucket != EMPTY).for_each(|&bucket| ends[usize::from(bucket)] += block);
    (1..ends.len()).for_each(|bucket| ends[bucket] += ends[bucket - 1]);
    let start_of = |bucket: usize| bucket.checked_sub(1).map_or(0, |before| ends[before]);
    // The first slots of all buckets, and then those behind their blocks.
    let first: Vec<usize> = (0..ends.len()).map(|bucket| start_of(bucket).div_ceil(block)).collect();
    let mut behind = first.clone();
    let mut from = vec![NONE; bucket_of.len()];
    for (slot, &bucket) in bucket_of.iter().enumerate() {
        if bucket != EMPTY {
            let next = &mut behind[usize::from(bucket)];
            from[*next] = u32::try_from(slot).expect("fewer than 2^32 blocks");
            *next += 1;
        }
    }
    let mut spare = Vec::with_capacity(block);
    let slots = Slots { start: Start(start), block, whole: len / block, spare: Start(spare.as_mut_ptr()) };
    // Not to be cancelled: until all blocks and remains are in their places, some items are there twice.
    // SAFETY: `from` has each slot that has a block, once.
    filch::to_completion(|| unsafe { move_blocks(&slots, &from, &mut bucket_of) });
    for bucket in 0..ends.len() {
        let (mut begin, end) = (start_of(bucket), ends[bucket]);
        let mut blocks = first[bucket] * block..behind[bucket] * block;
        if blocks.is_empty() {
            blocks = end..end;
        } else if blocks.end > end {
            // The last block sticks out. The next bucket has not got its places yet, or it is in the spare slot.
            let out = blocks.end - end;
            let last = behind[bucket] - 1;
            // SAFETY: there is this slot.
            let items = unsafe { slots.at(last as u32) };
            // SAFETY: so many of its items stick out.
            let sticking_out = unsafe { items.add(block - out) };
            // SAFETY: the place is one of the items'.
            let room = unsafe { start.add(begin) };
            // SAFETY: there is room before the blocks, because all buckets are as long as their items are many.
            unsafe { ptr::copy_nonoverlapping(sticking_out, room, out) };
            if last == slots.whole {
                // SAFETY: this is where the last slot begins.
                let place = unsafe { start.add(last * block) };
                // SAFETY: there are places for so many.
                unsafe { ptr::copy_nonoverlapping(items, place, block - out) };
            }
            begin += out;
            blocks.end = end;
        }
        let (before, after) = remains.of(bucket).split_at(blocks.start - begin);
        for (items, place) in [(before, begin), (after, blocks.end)] {
            // SAFETY: it is a place of the bucket that is neither in its blocks nor taken.
            let place = unsafe { start.add(place) };
            // SAFETY: as above.
            unsafe { ptr::copy_nonoverlapping(items.as_ptr(), place, items.len()) };
        }
    }
    ends
}
