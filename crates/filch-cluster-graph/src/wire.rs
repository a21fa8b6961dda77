//! Numbers as bytes of fixed width, which need no work to be told apart.

/// A number that is sent as its bytes.
pub trait Wire: Copy + Send + Sync + 'static {
    /// How many bytes it has.
    const BYTES: usize;

    /// Appends its bytes.
    fn put(self, to: &mut Vec<u8>);

    /// The number of these bytes, which must be as many as it has.
    fn get(bytes: &[u8]) -> Self;
}

macro_rules! wires {
    ($($number:ty)*) => {$(
        impl Wire for $number {
            const BYTES: usize = size_of::<$number>();

            #[inline(always)]
            fn put(self, to: &mut Vec<u8>) {
                to.extend_from_slice(&self.to_le_bytes());
            }

            #[inline(always)]
            fn get(bytes: &[u8]) -> Self {
                let mut own = [0; size_of::<$number>()];
                own.copy_from_slice(bytes);
                Self::from_le_bytes(own)
            }
        }
    )*};
}
wires! { u32 u64 f32 f64 }

/// The bytes of these numbers.
pub(crate) fn bytes_of<T: Wire>(numbers: impl IntoIterator<Item = T>) -> Vec<u8> {
    let numbers = numbers.into_iter();
    let mut bytes = Vec::with_capacity(numbers.size_hint().0 * T::BYTES);
    numbers.for_each(|number| number.put(&mut bytes));
    bytes
}

/// The numbers of these bytes.
pub(crate) fn numbers_of<T: Wire>(bytes: &[u8]) -> impl ExactSizeIterator<Item = T> + '_ {
    bytes.chunks_exact(T::BYTES).map(T::get)
}

/// The pairs of numbers of these bytes.
pub(crate) fn pairs_of<T: Wire>(bytes: &[u8]) -> impl ExactSizeIterator<Item = (T, T)> + '_ {
    bytes.chunks_exact(2 * T::BYTES).map(|pair| (T::get(&pair[..T::BYTES]), T::get(&pair[T::BYTES..])))
}
