//! The keys of tables.

/// A key of a [`Table`](crate::Table): an integer, a character, or a float, which is equal to those with the same bits.
pub trait TableKey: Key {}

/// What has at most 64 bits.
pub trait Key: Copy + Send + Sync {
    fn to_bits(self) -> u64;
    fn of_bits(bits: u64) -> Self;
}

macro_rules! keys {
    ($($key:ty, $to:expr, $of:expr;)+) => {$(
        impl TableKey for $key {}
        impl Key for $key {
            #[inline(always)]
            fn to_bits(self) -> u64 {
                $to(self)
            }
            #[inline(always)]
            fn of_bits(bits: u64) -> Self {
                $of(bits)
            }
        }
    )+};
}
keys! {
    u8, u64::from, |bits| bits as u8;
    u16, u64::from, |bits| bits as u16;
    u32, u64::from, |bits| bits as u32;
    u64, u64::from, |bits| bits;
    usize, |key| key as u64, |bits| bits as usize;
    i8, |key| key as u64, |bits| bits as i8;
    i16, |key| key as u64, |bits| bits as i16;
    i32, |key| key as u64, |bits| bits as i32;
    i64, |key| key as u64, |bits| bits as i64;
    isize, |key| key as u64, |bits| bits as isize;
    f32, |key| u64::from(f32::to_bits(key)), |bits| f32::from_bits(bits as u32);
    f64, f64::to_bits, f64::from_bits;
    char, u64::from, |bits| char::from_u32(bits as u32).expect("the bits of a character");
}
