//! The numbers that items are sorted by.

use std::ops::{BitOr, BitXor, Range};

/// A number that items are sorted by: an integer, or a floating-point number in its total order
/// ([`f64::total_cmp`]).
pub trait RadixKey: Key {}

/// What a key is sorted as.
pub trait Key: Copy + Send + Sync {
    type Word: Word;
    /// The number whose order as an unsigned integer is that of the keys.
    fn to_ordered(self) -> Self::Word;
}

/// An unsigned integer.
#[allow(unreachable_pub, reason = "reached through `RadixKey`, which compilers before 1.90 do not see")]
pub trait Word: Copy + Ord + Default + Send + Sync + BitOr<Output = Self> + BitXor<Output = Self> {
    /// The bits from the lowest to the highest that is set.
    fn bits(self) -> Range<u32>;
    /// The bits from `low` on, of which `mask` chooses the first ones.
    fn digit(self, low: u32, mask: usize) -> usize;
}

macro_rules! words {
    ($($word:ty)+) => {$(
        impl Word for $word {
            fn bits(self) -> Range<u32> {
                if self == 0 { 0..0 } else { self.trailing_zeros()..self.ilog2() + 1 }
            }
            #[inline(always)]
            fn digit(self, low: u32, mask: usize) -> usize {
                (self >> low) as usize & mask
            }
        }
    )+};
}

words! { u8 u16 u32 u64 u128 usize }

macro_rules! keys {
    ($($key:ty, $word:ty, $key_name:ident => $ordered:expr;)+) => {$(
        impl RadixKey for $key {}
        impl Key for $key {
            type Word = $word;
            #[inline(always)]
            fn to_ordered(self) -> $word {
                let $key_name = self;
                $ordered
            }
        }
    )+};
}

// The sign bit of a signed integer is flipped, so that negative numbers come first. Of negative floating-point numbers
// all bits are flipped, since those with the larger magnitudes come first.
keys! {
    u8, u8, key => key;
    u16, u16, key => key;
    u32, u32, key => key;
    u64, u64, key => key;
    u128, u128, key => key;
    usize, usize, key => key;
    i8, u8, key => key as u8 ^ 1 << 7;
    i16, u16, key => key as u16 ^ 1 << 15;
    i32, u32, key => key as u32 ^ 1 << 31;
    i64, u64, key => key as u64 ^ 1 << 63;
    i128, u128, key => key as u128 ^ 1 << 127;
    isize, usize, key => key as usize ^ 1 << (usize::BITS - 1);
    f32, u32, key => key.to_bits() ^ ((key.to_bits() as i32 >> 31) as u32 | 1 << 31);
    f64, u64, key => key.to_bits() ^ ((key.to_bits() as i64 >> 63) as u64 | 1 << 63);
}
