//! Items brought together by their buckets, in the order that they have: each block counts its items of each bucket,
//! prefix sums of the counts say where they go, and each block moves its items there.

use crate::blocks::share_of;
use crate::fresh::{Start, vector};
use crate::memory::prefetch;
use std::mem::{MaybeUninit, needs_drop};
use std::ops::Range;

/// Items in the order of their buckets.
pub(crate) struct Scattered<T> {
    pub(crate) items: Vec<T>,
    /// Where the items of each bucket end.
    pub(crate) ends: Vec<usize>,
}

impl<T> Scattered<T> {
    /// The items of each bucket that has some.
    pub(crate) fn buckets(&mut self) -> Vec<&mut [T]> {
        slices(&mut self.items, self.ends.iter().copied()).filter(|bucket| !bucket.is_empty()).collect()
    }
}

/// Consecutive parts of a slice, by the end of each.
pub(crate) fn slices<T>(mut items: &mut [T], ends: impl Iterator<Item = usize>) -> impl Iterator<Item = &mut [T]> {
    let mut start = 0;
    ends.map(move |end| {
        let (part, rest) = std::mem::take(&mut items).split_at_mut(end - start);
        (start, items) = (end, rest);
        part
    })
}

/// Blocks have at least so many items for each bucket, so that counts are a small part of the work.
const ITEMS_A_BUCKET: usize = 16;

/// The bytes of a cache line, on most processors.
const LINE: usize = 64;

/// What an item must not do, and has done.
pub(crate) const CHANGED: &str = "an item always has the same key and hash";

/// Scatters what `items` makes of each range of `0..len`: the bucket of an item, and the item.
///
/// # Panics
///
/// If items need a drop, if `items` panics, if there is no such bucket, or if it makes something else when it is called
/// again.
pub(crate) fn scatter<T, I>(len: usize, buckets: usize, items: impl Fn(Range<usize>) -> I + Send + Sync) -> Scattered<T>
where
    T: Send,
    I: Iterator<Item = (usize, T)>,
{
    let mut scattered = Vec::new();
    let to = &mut scattered;
    let ends = scatter_to(len, buckets, items, move |len| {
        *to = vector(len);
        &mut to.spare_capacity_mut()[..len]
    });
    // SAFETY: there is room, and all places have been written.
    unsafe { scattered.set_len(ends.last().copied().unwrap_or(0)) };
    Scattered { items: scattered, ends }
}

/// As [`scatter`], to the places that `room` has for so many items. Returns where those of each bucket end.
///
/// # Panics
///
/// As [`scatter`], or if there are fewer places. Otherwise there is an item in each of as many places.
pub(crate) fn scatter_to<'a, T, I>(
    len: usize,
    buckets: usize,
    items: impl Fn(Range<usize>) -> I + Send + Sync,
    room: impl FnOnce(usize) -> &'a mut [MaybeUninit<T>],
) -> Vec<usize>
where
    T: Send + 'a,
    I: Iterator<Item = (usize, T)>,
{
    assert!(!needs_drop::<T>(), "items are not dropped after a panic, so they must not need it");
    assert!(size_of::<T>() > 0, "places are told apart by their addresses");
    let size = share_of(len, ITEMS_A_BUCKET * buckets);
    let range = |block: usize| block * size..len.min((block + 1) * size);
    let blocks = len.div_ceil(size);
    // A row for each block: how many items it has in each bucket, and then where these end. There begin those of the
    // next block. The first row says where those of the first block begin.
    let mut ends = vec![0; (blocks + 1) * buckets];
    filch::for_each((0_usize.., filch::chunks_mut(&mut ends[buckets..], buckets)), |_, (block, counts)| {
        items(range(block)).for_each(|(bucket, _)| counts[bucket] += 1);
    });
    let mut end = 0;
    for bucket in 0..buckets {
        for place in (bucket..ends.len()).step_by(buckets) {
            end += ends[place];
            ends[place] = end;
        }
    }
    let room = room(end);
    assert!(end <= room.len(), "there is no room for {end} items");
    let start = Start(room.as_mut_ptr());
    filch::for_each(0..blocks, |_, block| {
        let rows = ends[block * buckets..][..2 * buckets].split_at(buckets);
        // SAFETY: no item ends after the last place.
        let place = |end: &usize| unsafe { start.at(*end) };
        let mut places: Vec<Places<T>> =
            rows.0.iter().zip(rows.1).map(|(next, end)| Places { next: place(next), end: place(end) }).collect();
        for (bucket, item) in items(range(block)) {
            let places = &mut places[bucket];
            let place = places.next;
            assert!(place < places.end, "{CHANGED}");
            // SAFETY: it is before the end.
            places.next = unsafe { place.add(1) };
            // SAFETY: no other block nor bucket has this place, and each item goes to the next one.
            unsafe { place.write(MaybeUninit::new(item)) };
            prefetch(place.wrapping_byte_add(LINE));
        }
        assert!(places.iter().all(|places| places.next == places.end), "{CHANGED}");
    });
    ends.split_off(blocks * buckets)
}

/// Where the next item of a block and a bucket goes, and where its places end.
struct Places<T> {
    next: *mut MaybeUninit<T>,
    end: *mut MaybeUninit<T>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn items_are_together_by_buckets_and_keep_their_order() {
        let mut random = fastrand::Rng::with_seed(15);
        for (len, buckets) in [(0, 1), (1, 1), (1000, 7), (if cfg!(miri) { 1000 } else { 50_000 }, 300)] {
            let keys: Vec<usize> = (0..len).map(|_| random.usize(0..buckets)).collect();
            // Every third item is left out.
            let items = |range: Range<usize>| range.filter(|index| index % 3 > 0).map(|index| (keys[index], index));
            let mut expected: Vec<(usize, usize)> = items(0..len).collect();
            expected.sort_by_key(|item| item.0);
            let mut scattered = scatter(len, buckets, items);
            assert!(scattered.items.iter().eq(expected.iter().map(|(_, index)| index)));
            for bucket in scattered.buckets() {
                assert!(bucket.iter().all(|&index| keys[index] == keys[bucket[0]]));
            }
        }
    }

    #[test]
    #[should_panic(expected = "an item always has the same key and hash")]
    fn an_item_that_changes_its_bucket_is_a_panic() {
        let calls = AtomicUsize::new(0);
        let bucket = |_| usize::from(calls.fetch_add(1, Ordering::Relaxed) < 100);
        scatter(100, 2, |range: Range<usize>| range.map(|index| (bucket(index), index)));
    }
}
