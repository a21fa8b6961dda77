//! Prefix doubling (Manber and Myers 1993), in which only the suffixes that are not yet in their place are sorted again
//! (Larsson and Sadakane 2007).
//!
//! After the round for a length h, suffixes are in the order of their first h bytes. The *rank* of a suffix is the
//! place of the first suffix with the same h bytes. The order of two of them by 2h bytes is that of their ranks, and
//! then that of the ranks of what lies h bytes behind each. A group of one is in its place; every other group is sorted
//! by the second rank alone, since the first one is the same.

use crate::blocks::{Blocks, share_of};
use crate::scatter::slices;
use crate::sequences::{flatten, tabulate};
use crate::sort::radix_sort;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

/// The ranks of the numbers below the length of `array`, in which they are in the order of their first `length`; those
/// of a group have these in common. The rank of a number that is not there is the lowest.
pub(super) fn ranks_of(mut array: Vec<u32>, mut groups: Vec<Range<u32>>, mut length: usize) -> Vec<AtomicU32> {
    let ranks = tabulate(array.len(), |_| AtomicU32::new(0));
    let rank = |suffix: u32, rank: u32| ranks[suffix as usize].store(rank, Ordering::Relaxed);
    filch::for_each((0_u32.., &array), |_, (place, &suffix)| rank(suffix, place));
    filch::for_each(&groups, |_, group| {
        array[group.start as usize..group.end as usize].iter().for_each(|&suffix| rank(suffix, group.start));
    });
    let large = share_of(array.len(), 1);
    while !groups.is_empty() {
        let blocks = Blocks::of::<Range<u32>>(groups.len());
        // All are sorted by the ranks of the round before, which are read before any is changed.
        let sorted = tabulate(blocks.count(), |block| {
            let groups = &groups[blocks.range(block)];
            let mut ranked = Vec::with_capacity(groups.iter().map(ExactSizeIterator::len).sum());
            for group in groups {
                let from = ranked.len();
                let members = &array[group.start as usize..group.end as usize];
                ranked.extend(members.iter().map(|&suffix| {
                    let behind = ranks.get(suffix as usize + length);
                    ranked_suffix(behind.map_or(0, |rank| rank.load(Ordering::Relaxed) + 1), suffix)
                }));
                let ranked = &mut ranked[from..];
                if ranked.len() > large { radix_sort(ranked) } else { ranked.sort_unstable() }
            }
            ranked
        });
        let ends = (0..blocks.count()).map(|block| groups[blocks.range(block).end - 1].end as usize);
        let mut next: Vec<Vec<Range<u32>>> = ends.clone().map(|_| Vec::new()).collect();
        let mut parts: Vec<(usize, &mut [u32])> = Vec::with_capacity(next.len());
        for part in slices(&mut array, ends) {
            parts.push((parts.last().map_or(0, |(start, part)| start + part.len()), part));
        }
        filch::for_each((0_usize.., &mut parts, &sorted, &mut next), |_, (block, (start, part), sorted, next)| {
            let mut sorted = &sorted[..];
            for group in &groups[blocks.range(block)] {
                let (ranked, rest) = sorted.split_at(group.len());
                sorted = rest;
                let mut place = group.start;
                for equal in ranked.chunk_by(|a, b| a >> u32::BITS == b >> u32::BITS) {
                    let first = place as usize - *start;
                    for (place_of, &suffix) in part[first..first + equal.len()].iter_mut().zip(equal) {
                        *place_of = suffix as u32;
                        rank(suffix as u32, place);
                    }
                    let end = place + equal.len() as u32;
                    if equal.len() > 1 {
                        next.push(place..end);
                    }
                    place = end;
                }
            }
        });
        groups = flatten(next);
        length *= 2;
    }
    ranks
}

/// A suffix with a rank, in whose order these numbers are.
fn ranked_suffix(rank: u32, suffix: u32) -> u64 {
    u64::from(rank) << u32::BITS | u64::from(suffix)
}
