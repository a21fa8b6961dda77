//! Which part of a loop is given away: the upper half of what is left (Yasugi, Hiraishi, Umatani and Yuasa 2012,
//! section 2.2; Acar, Charguéraud, Guatto, Rainey and Sieczkowski 2018, section 4).

/// Long ranges are split, and long blocks end, at multiples of this. It is the size of a cache line of bytes, so that
/// vector loops begin at the start of a line.
pub(crate) const ALIGNMENT: u64 = 64;

/// A range at least this long is split at a multiple of `ALIGNMENT`. This makes the lower half shorter by a sixteenth
/// at most.
const LONG: u64 = 32 * ALIGNMENT;

/// Where to split. The upper part is at least as long as the lower.
pub fn middle(lo: u64, hi: u64) -> u64 {
    let middle = lo + (hi - lo) / 2;
    if hi - lo < LONG { middle } else { middle & !(ALIGNMENT - 1) }
}

/// Whether the owner of a loop, which is about to claim its next block, has enough to give away half of what is `left`.
/// `block` is the length of a block, or 0 if it is not known.
///
/// At the beginning of a loop the length is not known, and the answer is no. If the iterations are long, the patience
/// of the asker will run out. If there are many of them, the length will be known soon.
pub fn is_divisible(left: u64, block: u64) -> bool {
    block > 0 && left / 2 >= block
}

/// A reduction of fixed shape has at least so many blocks, if it has as many items: if these cost the same, a block is
/// an eighth of what a worker does at most, on up to 32 workers. With more blocks, short reductions of cheap items
/// would consist of joins.
const FIXED_BLOCKS: u64 = 256;

/// In a long reduction, a block has so many items. Even the cheapest, of a quarter of a nanosecond, then take a
/// microsecond, which is long compared with a join.
const MOST_FIXED: u64 = 4096;

/// How many items a block has in a reduction of `len` items whose shape must not depend on anything else.
pub fn fixed_block(len: u64) -> u64 {
    (len / FIXED_BLOCKS).clamp(1, MOST_FIXED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fixed_block_is_a_small_part_of_a_loop_and_never_long() {
        assert_eq!([0, 1, 255, 511, 512].map(fixed_block), [1, 1, 1, 1, 2]);
        assert_eq!([1 << 20, 1 << 22, u64::MAX].map(fixed_block), [4096; 3]);
        assert!((1..100_000).all(|len: u64| len.div_ceil(fixed_block(len)) >= len.min(FIXED_BLOCKS)));
    }

    #[test]
    fn the_upper_part_is_as_long_as_the_lower_or_longer_and_begins_at_a_line_if_it_is_long() {
        for lo in [0, 1, 63, 1_000] {
            for len in 1..5_000 {
                let (middle, hi) = (middle(lo, lo + len), lo + len);
                assert!((lo..hi).contains(&middle) && hi - middle >= middle - lo, "{lo}..{hi} at {middle}");
                assert!(len < LONG || middle.is_multiple_of(ALIGNMENT) && middle - lo >= len * 15 / 32);
            }
        }
    }

    #[test]
    fn a_loop_is_halved_if_a_block_is_left_to_each() {
        assert!(is_divisible(20, 10) && !is_divisible(19, 10) && !is_divisible(u64::MAX, 0));
    }
}
