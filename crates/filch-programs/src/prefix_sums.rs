//! Prefix sums in two passes over blocks: the sums of all blocks, a serial scan of these sums, and then the scans of
//! all blocks, each starting from the sum of the blocks before it.
//!
//! A block and its result fill a first-level cache (`BLOCK`). A larger block would not fit, and a smaller one would
//! mean more sums to scan serially. All libraries use the same blocks; they are not a cut-off.

use std::hint::black_box;

use fastrand::Rng;
use filch_kernels::runtime::{Runtime, Token, chunks, chunks_mut};
use filch_kernels::{Domain, Kernel, Mismatch, Program, Sizes};

/// Its entry in the list of programs. It is not from a paper.
pub const PROGRAM: Program = Program {
    loops: &[|n| n.div_ceil(BLOCK as u64)],
    bytes: |n, _| (2 * n + n.div_ceil(BLOCK as u64)) * size_of::<u64>() as u64,
    ..Program::new(
        ("prefix-sums", "the sums of the first 1, 2, ... n of n integers"),
        Sizes { small: 10_000, default: 16_000_000, paper: 100_000_000 },
        Domain { counts: "the number of integers", min: 1, max: 1 << 33, rule: None },
        |n| Box::new(PrefixSums::new(n as usize)),
    )
};

/// The number of integers in a block. With its result, a block has 32 KiB, the first-level cache of most processors.
const BLOCK: usize = (32 << 10) / (2 * size_of::<u64>());

/// The program. `sums` has one element for each block.
#[inline(never)]
pub fn scan<R: Runtime>(mut t: Token<R>, input: &[u64], sums: &mut [u64], output: &mut [u64]) {
    t.for_each((chunks(input, BLOCK), &mut *sums), |_, (block, sum)| *sum = block.iter().sum());
    let mut before = 0;
    for sum in &mut *sums {
        before += std::mem::replace(sum, before);
    }
    t.for_each((chunks(input, BLOCK), chunks_mut(output, BLOCK), &*sums), |_, (block, output, before)| {
        let mut sum = *before;
        for (number, output) in block.iter().zip(output) {
            sum += number;
            *output = sum;
        }
    });
}

/// A value that is no sum.
const POISON: u64 = u64::MAX;

struct PrefixSums {
    input: Vec<u64>,
    sums: Vec<u64>,
    output: Vec<u64>,
}

impl PrefixSums {
    fn new(n: usize) -> Self {
        let mut rng = Rng::with_seed(0);
        // Without zeros, since leaving one out would not be detected.
        let input = (0..n).map(|_| rng.u64(1..1000)).collect();
        Self { input, sums: vec![POISON; n.div_ceil(BLOCK)], output: vec![POISON; n] }
    }
}

impl Kernel for PrefixSums {
    const LOOPS: usize = 1;

    fn run<R: Runtime>(&mut self, t: Token<R>) {
        scan(t, black_box(&self.input), &mut self.sums, &mut self.output);
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        let checked = check(&self.input, &self.output);
        self.sums.fill(POISON);
        self.output.fill(POISON);
        checked
    }
}

/// The checker: the difference between consecutive sums is the integer at that place.
fn check(input: &[u64], output: &[u64]) -> Result<(), Mismatch> {
    if output.iter().all(|&sum| sum == POISON) {
        return Err(Mismatch::Nothing);
    }
    let befores = [0].iter().chain(output);
    for (place, ((&number, &sum), &before)) in input.iter().zip(output).zip(befores).enumerate() {
        if sum.wrapping_sub(before) != number {
            let found = format!("{sum} behind {before} in place {place}");
            return Err(Mismatch::Wrong { found, expected: format!("a difference of {number}") });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use filch_kernels::runtime::Serial;

    #[test]
    fn the_checker_rejects_a_block_from_a_wrong_start_and_one_left_out() {
        let mut instance = PrefixSums::new(3 * BLOCK + 1);
        let mut run = |spoil: fn(&mut [u64])| {
            instance.run(Serial::token());
            spoil(&mut instance.output);
            instance.verify()
        };
        assert_eq!(run(|_| ()), Ok(()));
        assert!(run(|output| output[BLOCK..2 * BLOCK].iter_mut().for_each(|sum| *sum += 1)).is_err());
        assert!(run(|output| output[3 * BLOCK..].fill(POISON)).is_err());
        assert!(run(|output| output[0] = 0).is_err());
    }

    #[test]
    fn the_sums_of_one_to_five_are_the_triangular_numbers() {
        let mut output = [0; 5];
        scan(Serial::token(), &[1, 2, 3, 4, 5], &mut [0], &mut output);
        assert_eq!(output, [1, 3, 6, 10, 15]);
    }
}
