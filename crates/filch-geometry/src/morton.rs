//! The order of Morton (1966), which visits the two halves of a box along each axis one after the other, and so on
//! within each of the parts: the bits of the numbers of cells are interleaved, beginning with the highest.

/// The keys of cells in a grid of `D` dimensions.
pub(crate) struct Morton<const D: usize>;

impl<const D: usize> Morton<D> {
    /// Bits of the number of a cell along an axis.
    pub(crate) const BITS: u32 = u32::BITS / D as u32;

    /// The cells along an axis.
    pub(crate) const CELLS: f64 = (1_u64 << Self::BITS) as f64;

    /// The number of a cell, of a place in units of cells. It never decreases with the place. Outside of the grid it is
    /// that of the first or last cell.
    #[inline(always)]
    pub(crate) fn cell(place: f64) -> u32 {
        // A cast of floats saturates.
        (place as u32).min(u32::MAX >> (u32::BITS - Self::BITS))
    }

    /// The key of a cell. The last axis has the highest bit.
    #[inline(always)]
    pub(crate) fn key(cells: [u32; D]) -> u32 {
        (0..D).fold(0, |key, axis| key | Self::spread(cells[axis]) << axis)
    }

    /// Moves bit `i` of a number to bit `D * i`: the number is cut into blocks, which are moved apart and cut again.
    #[inline(always)]
    fn spread(number: u32) -> u32 {
        Self::BLOCKS.into_iter().fold(number, |bits, (shift, mask)| (bits | bits << shift) & mask)
    }

    /// How far blocks are moved apart, and the bits of those that begin at multiples of `D` times their length.
    const BLOCKS: [(u32, u32); 4] = [Self::blocks(8), Self::blocks(4), Self::blocks(2), Self::blocks(1)];

    const fn blocks(len: u32) -> (u32, u32) {
        if len >= Self::BITS {
            return (0, u32::MAX);
        }
        let (mut mask, mut bit) = (0, 0);
        while bit < u32::BITS {
            mask |= ((bit % (D as u32 * len) < len) as u32) << bit;
            bit += 1;
        }
        (len * (D as u32 - 1), mask)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_interleaves<const D: usize>() {
        for axis in 0..D {
            for bit in 0..Morton::<D>::BITS {
                let mut cells = [0; D];
                cells[axis] = 1 << bit;
                assert_eq!(Morton::<D>::key(cells), 1 << (D as u32 * bit + axis as u32), "bit {bit} in {D} dimensions");
            }
        }
        let last = Morton::<D>::cell(f64::INFINITY);
        assert_eq!(Morton::<D>::key([last; D]).trailing_ones(), D as u32 * Morton::<D>::BITS);
        assert_eq!([-1.0, f64::NAN, 0.5].map(Morton::<D>::cell), [0; 3]);
    }

    #[test]
    fn bits_are_interleaved_evenly_in_all_dimensions() {
        assert_interleaves::<1>();
        assert_interleaves::<2>();
        assert_interleaves::<3>();
        assert_interleaves::<4>();
        assert_interleaves::<5>();
        assert_interleaves::<6>();
        assert_interleaves::<7>();
        assert_interleaves::<8>();
    }
}
