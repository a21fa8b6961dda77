//! Items brought together by their buckets, in the order that they have: each chunk counts its items of each bucket,
//! prefix sums of the counts say where they go, and each chunk moves its items there.

use crate::blocks::share_of;
use crate::fresh::{Start, vector};
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

/// Chunks have at least so many items for each bucket, so that counts are a small part of the work.
const ITEMS_A_BUCKET: usize = 16;

/// Scatters what `items` makes of each range of `0..len`: the bucket of an item, and the item.
///
/// # Panics
///
/// If `items` panics, if there is no such bucket, or if it makes something else when it is called again.
pub(crate) fn scatter<T, I>(len: usize, buckets: usize, items: impl Fn(Range<usize>) -> I + Send + Sync) -> Scattered<T>
where
    T: Copy + Send,
    I: Iterator<Item = (usize, T)>,
{
    let size = share_of(len, ITEMS_A_BUCKET * buckets);
    let range = |chunk: usize| chunk * size..len.min((chunk + 1) * size);
    let mut places = vec![vec![Places::default(); buckets]; len.div_ceil(size)];
    filch::for_each((0_usize.., &mut places), |_, (chunk, places)| {
        items(range(chunk)).for_each(|(bucket, _)| places[bucket].end += 1);
    });
    let mut end = 0;
    let mut ends = Vec::with_capacity(buckets);
    for bucket in 0..buckets {
        for places in &mut places {
            let next = end;
            end += places[bucket].end;
            places[bucket] = Places { next, end };
        }
        ends.push(end);
    }
    let mut scattered = vector::<T>(end);
    let start = Start(scattered.as_mut_ptr());
    filch::for_each((0_usize.., &mut places), |_, (chunk, places)| {
        for (bucket, item) in items(range(chunk)) {
            let places = &mut places[bucket];
            assert!(places.next < places.end, "an item is always in the same bucket");
            // SAFETY: it is one of as many places as there are items, and no other chunk nor bucket has it.
            let place = unsafe { start.at(places.next) };
            // SAFETY: as above.
            unsafe { place.write(item) };
            places.next += 1;
        }
        assert!(places.iter().all(|places| places.next == places.end), "an item is always in the same bucket");
    });
    // SAFETY: there is room, and all places have been written.
    unsafe { scattered.set_len(end) };
    Scattered { items: scattered, ends }
}

/// Where the next item of a chunk and a bucket goes, and where its places end.
#[derive(Clone, Copy, Default)]
struct Places {
    next: usize,
    end: usize,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn items_are_together_by_buckets_and_keep_their_order() {
        let mut random = fastrand::Rng::with_seed(15);
        for (len, buckets) in [(0, 1), (1, 1), (1000, 7), (50_000, 300)] {
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
    #[should_panic(expected = "an item is always in the same bucket")]
    fn an_item_that_changes_its_bucket_is_a_panic() {
        let calls = AtomicUsize::new(0);
        let bucket = |_| usize::from(calls.fetch_add(1, Ordering::Relaxed) < 100);
        scatter(100, 2, |range: Range<usize>| range.map(|index| (bucket(index), index)));
    }
}
