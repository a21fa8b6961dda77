//! Texts: suffix arrays and what follows from them.

mod burrows_wheeler;
mod common_prefixes;
mod cover;
mod doubling;
mod packed;
mod suffix_array;

pub use burrows_wheeler::burrows_wheeler;
pub use common_prefixes::longest_common_prefixes;
pub use suffix_array::suffix_array;

#[cfg(test)]
mod tests {
    /// Texts of few letters and many, short and long, with repetitions and without.
    pub(super) fn texts() -> Vec<Vec<u8>> {
        let mut random = fastrand::Rng::with_seed(6);
        let mut texts = vec![vec![], vec![7], vec![0; 300], b"abab".repeat(200), (0..=255).rev().collect()];
        for (len, letters) in [(10, 2), (1000, 1), (1000, 2), (5000, 4), (20_000, 255)] {
            texts.push((0..len).map(|_| random.u8(0..letters)).collect());
        }
        // Fibonacci's words have many repetitions.
        let (mut a, mut b) = (vec![b'a'], vec![b'a', b'b']);
        for _ in 0..14 {
            (a, b) = (b.clone(), [&b[..], &a].concat());
        }
        texts.push(a);
        texts
    }
}
