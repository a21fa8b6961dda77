//! Suffixes that begin equally, ordered by the ranks of a sample of suffixes (Burkhardt and Kärkkäinen 2003).
//!
//! The sample consists of the places whose remainders modulo [`PERIOD`] are in a *difference cover*: every difference
//! of two remainders is one of two members. So for each two suffixes there is a distance, less than the period, at
//! which both have a sampled suffix. If they have the letters before it in common, the ranks of these are their order.

use super::doubling::ranks_of;
use crate::blocks::{Blocks, share_of};
use crate::scatter::slices;
use crate::sequences::{filter, map, map_in_place, scan_exclusive_in_place, tabulate};
use crate::sort::sort_by;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

/// The period of the sample. All differences modulo it are those of five members, which are not more than needed.
pub(super) const PERIOD: usize = 21;

/// The bits of a word.
const WORD: usize = u64::BITS as usize;

const COVER: [usize; 5] = [0, 1, 4, 14, 16];

/// For two remainders, a distance that leads from both to members of the cover.
const DISTANCES: [[u8; PERIOD]; PERIOD] = {
    let mut distances = [[0; PERIOD]; PERIOD];
    let mut pair = 0;
    while pair < COVER.len() * COVER.len() * PERIOD {
        let (a, b) = (COVER[pair % COVER.len()], COVER[pair / COVER.len() % COVER.len()]);
        let distance = pair / (COVER.len() * COVER.len());
        distances[(a + PERIOD - distance) % PERIOD][(b + PERIOD - distance) % PERIOD] = distance as u8;
        pair += 1;
    }
    distances
};

/// For each remainder, how many members of the cover are less, and whether it is one.
const MEMBERS: [(u8, bool); PERIOD] = {
    let mut members = [(0, false); PERIOD];
    let mut remainder = 0;
    let mut less = 0;
    while remainder < PERIOD {
        let is_member = (less as usize) < COVER.len() && COVER[less as usize] == remainder;
        members[remainder] = (less, is_member);
        less += is_member as u8;
        remainder += 1;
    }
    members
};

fn is_sampled(suffix: u32) -> bool {
    MEMBERS[suffix as usize % PERIOD].1
}

/// The number of a sampled suffix among these.
fn number(suffix: usize) -> usize {
    suffix / PERIOD * COVER.len() + usize::from(MEMBERS[suffix % PERIOD].0)
}

/// Sorts the suffixes of each group, which have their first `length` letters in common and no end among them. All
/// others are in their places. `length` is at least a period.
pub(super) fn sort_groups(array: &mut [u32], groups: &[Range<u32>], length: usize) {
    if groups.is_empty() {
        return;
    }
    let ranks = ranks_of_sample(array, groups, length);
    let compare = |&a: &u32, &b: &u32| {
        let (a, b) = (a as usize, b as usize);
        let distance = usize::from(DISTANCES[a % PERIOD][b % PERIOD]);
        let rank = |suffix: usize| ranks[number(suffix + distance)].load(Ordering::Relaxed);
        rank(a).cmp(&rank(b))
    };
    let large = share_of(array.len(), 1);
    let blocks = Blocks::of::<Range<u32>>(groups.len());
    let ends = (0..blocks.count()).map(|block| groups[blocks.range(block).end - 1].end as usize);
    let mut parts: Vec<(usize, &mut [u32])> = Vec::with_capacity(blocks.count());
    for part in slices(array, ends) {
        parts.push((parts.last().map_or(0, |(start, part)| start + part.len()), part));
    }
    filch::for_each((0_usize.., &mut parts), |_, (block, (start, part))| {
        for group in &groups[blocks.range(block)] {
            let members = &mut part[group.start as usize - *start..group.end as usize - *start];
            if members.len() > large {
                sort_by(members, compare);
            } else {
                members.sort_unstable_by(compare);
            }
        }
    });
}

/// The ranks of all sampled suffixes, by their numbers.
fn ranks_of_sample(array: &[u32], groups: &[Range<u32>], length: usize) -> Vec<AtomicU32> {
    // How many are sampled before each place: those before its word, and those in the word.
    let words = tabulate(array.len().div_ceil(WORD), |word| {
        let places = array[word * WORD..array.len().min((word + 1) * WORD)].iter().zip(0..);
        places.fold(0_u64, |bits, (&suffix, place)| bits | u64::from(is_sampled(suffix)) << place)
    });
    let mut before = map(&words, |word| word.count_ones());
    let all = scan_exclusive_in_place(&mut before, 0, |a, b| a + b);
    let sampled_before = |place: u32| {
        let (word, bit) = (place as usize / WORD, place as usize % WORD);
        before.get(word).map_or(all, |&before| before + (words[word] & !(u64::MAX << bit)).count_ones())
    };
    let groups = map(groups, |group| sampled_before(group.start)..sampled_before(group.end));
    let groups = filter(&groups, |group| group.len() > 1);
    let mut sample = filter(array, |&suffix| is_sampled(suffix));
    map_in_place(&mut sample, |&suffix| number(suffix as usize) as u32);
    ranks_of(sample, groups, length / PERIOD * COVER.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_two_remainders_have_a_distance_to_members() {
        for (a, distances) in DISTANCES.iter().enumerate() {
            for (b, &distance) in distances.iter().enumerate() {
                for remainder in [a, b] {
                    assert!(COVER.contains(&((remainder + usize::from(distance)) % PERIOD)), "{a} and {b}");
                }
            }
        }
    }

    #[test]
    fn sampled_suffixes_are_numbered_in_their_order() {
        let sampled: Vec<u32> = (0..1000).filter(|place| COVER.contains(&(*place as usize % PERIOD))).collect();
        assert!((0..1000).filter(|&place| is_sampled(place)).eq(sampled.iter().copied()));
        assert!(sampled.iter().map(|&place| number(place as usize)).eq(0..sampled.len()));
    }
}
