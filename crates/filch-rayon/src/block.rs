//! How many items a block has: as many as take a few microseconds.
//!
//! A block also has a cost of its own: its folder is made and completed, and its result is combined with another one.
//! If that turns out to be dear (a `map_init` that allocates, a `reduce` that merges tables), blocks become longer, up
//! to the length that rayon's driver would choose.

/// A block should take this long: long compared with a look at the clock (27 ns) and with a join that nobody takes
/// (a few ns), and short compared with the period in which workers share (14 µs).
pub(crate) const BLOCK_NS: u64 = 6_000;

/// A block takes at least this many times as long as what is done once for each block.
const BLOCKS_OWN_COST: u64 = 32;

/// If blocks are long because of their own cost, there are still this many for each worker.
const BLOCKS_PER_WORKER: usize = 4;

/// If a block took less time than it should, the next one is at most this many times as long as it or any before.
const GROWTH: u64 = 64;

/// Items that take this part of a block's time are run as they are, in about 190 ns, if nobody wants anything. Two
/// looks at the clock would take a quarter of that.
const UNDIVIDED_PER_BLOCK: u64 = 32;

/// But no more items than this, of one loop or of several, since they may have become dear. Filch's own loops run as
/// many between two looks.
const MOST_UNDIVIDED: u64 = 64;

/// Items that are shorter than this, one cycle at 4 GHz, have no jump of their own: the compiler has unrolled or
/// vectorised the loop. It does that to no loop that calls something, so such items do not become dear.
const TRIVIAL_PS: u64 = 250;

/// How many trivial items are run as they are, whatever others want. They take no longer than a few looks at the clock.
const TRIVIAL: usize = 1024;

/// The second piece of a block is this part of it.
const SECOND_PIECE: u64 = 6;

/// A later piece is this many times as long as all pieces before it.
const PIECES_GROW: usize = 7;

/// How a block is divided into pieces, between which there is a look at what others want.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pieces {
    /// So many items are not divided, whatever others want.
    pub(crate) always: usize,
    /// So many are not divided if nobody wants anything.
    pub(crate) unwanted: usize,
    /// So many, of one loop or of several, are run between two looks at what others want.
    pub(crate) few: usize,
    /// The second piece. The first one has one item.
    pub(crate) second: usize,
}

impl Pieces {
    pub(crate) const UNKNOWN: Pieces = Pieces { always: 1, unwanted: 1, few: 1, second: 1 };

    /// If `block` items take as long as a block should, and each piece costs `own_ns` for itself. If that is much,
    /// there are two pieces, or one if nobody wants anything.
    pub(crate) fn of(block: u64, own_ns: u64) -> Self {
        let is_trivial = block >= BLOCK_NS * 1_000 / TRIVIAL_PS;
        let is_dear = own_ns.saturating_mul(2 * BLOCKS_OWN_COST) > BLOCK_NS;
        let items = |items: u64| usize::try_from(items).unwrap_or(usize::MAX);
        let few = items((block / UNDIVIDED_PER_BLOCK).clamp(1, MOST_UNDIVIDED));
        Pieces {
            always: if is_trivial { TRIVIAL } else { 1 },
            few,
            unwanted: if is_trivial || is_dear { usize::MAX } else { few },
            second: if is_dear { usize::MAX } else { items(block / SECOND_PIECE).max(PIECES_GROW) },
        }
    }

    /// How many items are not divided.
    #[inline]
    pub(crate) fn undivided(self, is_wanted: bool) -> usize {
        if is_wanted { self.always } else { self.unwanted }
    }

    /// How many items the next piece has, after `done` items.
    #[inline]
    pub(crate) fn next(self, done: usize) -> usize {
        if done == 0 { 1 } else { done.saturating_mul(PIECES_GROW).max(self.second) }
    }
}

/// How many items take as long as a block should, if the first `done` items of a block have taken `ns` nanoseconds.
/// `None` if they have not used up its time.
pub(crate) fn if_dear(done: usize, ns: u64) -> Option<usize> {
    (ns > BLOCK_NS).then(|| usize::try_from(next(done as u64, ns, 0)).unwrap_or(usize::MAX))
}

/// Whether `len` items that have taken `ns` nanoseconds, with what was between them and the ones before, may have been
/// as cheap as believed.
pub(crate) fn is_as_believed(len: u64, ns: u64, block: u64) -> bool {
    /// So that a look comes rarely to a wrong result.
    const SLACK: u64 = 4;
    ns <= BLOCK_NS.saturating_mul(SLACK).saturating_mul(len / block.max(1) + 1)
}

/// How many items a block of a loop of `len` items has, if `block` items take as long as a block should, and what is
/// done once for each block takes `own_ns`.
#[inline]
pub(crate) fn length(block: usize, own_ns: u64, len: usize) -> usize {
    if is_dear_for_itself(own_ns) { long(block, own_ns.saturating_mul(BLOCKS_OWN_COST), len) } else { block }
}

/// Whether what is done once for each block is dear, if it takes `own_ns`.
#[inline]
fn is_dear_for_itself(own_ns: u64) -> bool {
    own_ns.saturating_mul(BLOCKS_OWN_COST) > BLOCK_NS
}

/// What is believed about a part of a block's own cost after it has taken `ns`. The belief falls at once and rises
/// slowly, because a long time may be due to another process.
pub(crate) fn own_after(believed_ns: u64, ns: u64) -> u64 {
    const LITTLE_NS: u64 = 16;
    const RISE: u64 = 4;
    ns.min(believed_ns.max(LITTLE_NS).saturating_mul(RISE))
}

#[cold]
fn long(block: usize, should_take_ns: u64, len: usize) -> usize {
    let pays = u64::try_from(block).unwrap_or(u64::MAX).saturating_mul(should_take_ns / BLOCK_NS);
    let most = len.div_ceil(BLOCKS_PER_WORKER * filch::num_workers());
    block.max(most.min(usize::try_from(pays).unwrap_or(usize::MAX)))
}

/// How many items the next block should have, if `len` items took `ns`, and blocks had this many `before`.
pub(crate) fn next(len: u64, ns: u64, before: u64) -> u64 {
    let fits = u128::from(len) * u128::from(BLOCK_NS) / u128::from(ns.max(1));
    let most = len.max(before).saturating_mul(GROWTH).max(1);
    u64::try_from(fits).map_or(most, |fits| fits.clamp(1, most))
}

/// Where to halve `len` items into parts of at least `min`, which is at most half of them. Large halves end at
/// multiples of a cache line, because a vector loop that begins at an odd place reads across lines.
pub(crate) fn middle(len: usize, min: usize) -> usize {
    /// Items of one byte in a cache line. For larger items, a multiple of what is needed.
    const ALIGNMENT: usize = 64;
    /// So that halves differ by less than an eighth of the whole.
    const LARGE: usize = 16 * ALIGNMENT;
    let aligned = len / 2 / ALIGNMENT * ALIGNMENT;
    if len < LARGE || aligned < min { len / 2 } else { aligned }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_alike_and_neither_is_empty() {
        for len in 2..10_000 {
            let left = middle(len, 1);
            assert!(0 < left && left < len);
            assert!(len - left - left <= 1 || (len - left - left) * 8 <= len, "{len}");
        }
    }

    #[test]
    fn a_block_that_is_dear_for_itself_is_longer_but_leaves_some_for_each_worker() {
        let len = 800_000 * filch::num_workers();
        assert_eq!(length(600, BLOCK_NS / BLOCKS_OWN_COST, len), 600);
        assert_eq!(length(600, 2 * BLOCK_NS, len), 600 * 2 * BLOCKS_OWN_COST as usize);
        assert_eq!(length(600, 1_000_000_000, len), 800_000 / BLOCKS_PER_WORKER);
        assert_eq!(length(600, 1_000_000_000, 1), 600);
    }

    #[test]
    fn no_length_and_no_time_overflows() {
        for len in [0, 1, usize::MAX] {
            for ns in [0, 1, u64::MAX] {
                assert!(next(len as u64, ns, 0) >= 1);
                assert!(next(len as u64, ns, u64::MAX) >= 1);
                assert!(length(1, ns, len) >= 1);
                assert_eq!(length(usize::MAX, ns, len), usize::MAX);
            }
        }
    }

    #[test]
    fn a_block_has_a_short_first_piece_and_few_in_all() {
        for block in [2, 10, 600, 6_000, 1_000_000_u64] {
            for own_ns in [0, 1_000_000] {
                let pieces = Pieces::of(block, own_ns);
                let (mut done, mut looks) = (pieces.next(0), 1);
                while done < block as usize {
                    done = done.saturating_add(pieces.next(done));
                    looks += 1;
                }
                assert!(looks <= if own_ns > 0 { 2 } else { 4 }, "{looks} of {block}");
            }
        }
    }

    #[test]
    fn what_has_used_up_the_time_of_a_block_is_dear_whatever_was_believed() {
        assert_eq!(if_dear(1, BLOCK_NS), None);
        assert_eq!(if_dear(1, 10_000_000), Some(1));
        assert_eq!(if_dear(600, 2 * BLOCK_NS), Some(300));
    }
}
