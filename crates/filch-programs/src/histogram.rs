//! How often each value of a byte occurs: chunks are counted, and the counts are added pairwise.
//!
//! A chunk is half a first-level cache (`CHUNK`), so the counts and the bytes stay in the cache, and adding counts
//! takes little time compared with counting. All libraries get the same chunks, as their users would write them.

use std::hint::black_box;

use fastrand::Rng;
use filch_kernels::runtime::{Runtime, Token, chunks};
use filch_kernels::{Answer, Domain, Kernel, Mismatch, Program, Sizes};

/// Its entry in the list of programs. It is not from a paper.
pub const PROGRAM: Program = Program {
    loops: &[|n| n.div_ceil(CHUNK as u64)],
    bytes: |n, _| n,
    ..Program::new(
        ("histogram", "how often each value occurs among n bytes"),
        Sizes { small: 100_000, default: 1 << 26, paper: 1 << 30 },
        Domain { counts: "the number of bytes", min: 1, max: 1 << 36, rule: None },
        |n| Box::new(Histogram::new(n as usize)),
    )
};

/// The number of bytes in a chunk.
const CHUNK: usize = 16 << 10;

/// How often each value occurs.
pub type Counts = [u64; 256];

/// The program.
#[inline(never)]
pub fn counts<R: Runtime>(mut t: Token<R>, bytes: &[u8]) -> Counts {
    t.map_reduce(chunks(bytes, CHUNK), || [0; 256], |_, chunk| count(chunk), add)
}

fn count(chunk: &[u8]) -> Counts {
    let mut counts = [0; 256];
    for &byte in chunk {
        counts[usize::from(byte)] += 1;
    }
    counts
}

fn add(mut left: Counts, right: Counts) -> Counts {
    for (left, right) in left.iter_mut().zip(right) {
        *left += right;
    }
    left
}

struct Histogram {
    bytes: Vec<u8>,
    answer: Answer<Counts>,
    /// The checker's result, once there is one.
    expected: Option<Counts>,
}

impl Histogram {
    fn new(n: usize) -> Self {
        let mut bytes = vec![0; n];
        Rng::with_seed(0).fill(&mut bytes);
        Self { bytes, answer: Answer::new(), expected: None }
    }
}

impl Kernel for Histogram {
    const LOOPS: usize = 1;

    fn run<R: Runtime>(&mut self, t: Token<R>) {
        self.answer.record(counts(t, black_box(&self.bytes)));
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        let expected = self.expected.get_or_insert_with(|| by_pairs(&self.bytes));
        self.answer.check(expected)
    }
}

/// The checker: counts pairs of bytes, then adds up the pairs of each byte.
fn by_pairs(bytes: &[u8]) -> Counts {
    let mut of_pairs = vec![0_u64; 1 << 16];
    let (pairs, rest) = bytes.as_chunks::<2>();
    for &pair in pairs {
        of_pairs[usize::from(u16::from_le_bytes(pair))] += 1;
    }
    let mut counts = [0; 256];
    for (pair, times) in (0..=u16::MAX).zip(of_pairs) {
        for byte in pair.to_le_bytes() {
            counts[usize::from(byte)] += times;
        }
    }
    for &byte in rest {
        counts[usize::from(byte)] += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use filch_kernels::runtime::Serial;

    #[test]
    fn a_text_has_as_many_of_each_letter_as_one_can_see() {
        for counts in [counts(Serial::token(), b"banana!"), by_pairs(b"banana!")] {
            assert_eq!(b"abn!".map(|letter| counts[usize::from(letter)]), [3, 1, 2, 1]);
            assert_eq!(counts.iter().sum::<u64>(), 7);
        }
    }

    #[test]
    fn the_checker_rejects_a_chunk_left_out_and_a_byte_taken_for_another() {
        let mut instance = Histogram::new(2 * CHUNK + 1);
        instance.run(Serial::token());
        assert_eq!(instance.verify(), Ok(()));

        instance.answer.record(count(&instance.bytes[CHUNK..]));
        assert!(instance.verify().is_err());
        let mut swapped = count(&instance.bytes);
        swapped[7] += 1;
        swapped[8] -= 1;
        instance.answer.record(swapped);
        assert!(instance.verify().is_err());
    }
}
