//! Which part of a loop goes to whoever wants one: the upper half of what is left (Yasugi et al. 2012, section
//! 2.2; Acar et al. 2018, section 4).

/// Where long ranges are split, and long blocks end: a multiple of a cache line of bytes, so that vector loops begin
/// where a line does.
pub(crate) const ALIGNMENT: u64 = 64;

/// A range is long if this costs the lower half no more than a sixteenth.
const LONG: u64 = 32 * ALIGNMENT;

/// Where to split: the upper part is as long as the lower or longer.
pub fn middle(lo: u64, hi: u64) -> u64 {
    let middle = lo + (hi - lo) / 2;
    if hi - lo < LONG { middle } else { middle & !(ALIGNMENT - 1) }
}

/// Whether the owner of a loop, about to claim its next block, has enough to part with half of it: so much is `left`,
/// and a block is so long, or 0 if that is not known.
///
/// Of a loop that has only just begun it is not known. It says no: if its iterations are long, the asker's patience
/// runs out; if there are many of them, they will be known soon.
pub fn is_divisible(left: u64, block: u64) -> bool {
    block > 0 && left / 2 >= block
}

#[cfg(test)]
mod tests {
    use super::*;

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
