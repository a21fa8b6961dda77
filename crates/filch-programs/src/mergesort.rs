//! Sorting by serial merging (Chen, Huang, Guo and Zhou 2011, section V and table III).
//!
//! Two halves are sorted in parallel and then merged serially. The work is n·log n. The last merge alone has n steps,
//! preceded by merges of n/2, n/4 and so on, so the span is 2·n and the parallelism at most (log n)/2. The paper lists
//! it among the memory-bound programs. [`cilksort`](filch_kernels::cilksort) merges in parallel.

use std::hint::black_box;

use filch_kernels::runtime::{Runtime, Token};
use filch_kernels::sorting::{self, Element, Memory, merge_serially, sort_leaf};
use filch_kernels::{Data, Domain, Grain, Kernel, Mismatch, Program, Sizes};

/// Its entry in the list of programs.
pub const PROGRAM: Program = Program {
    grain: Some(GRAIN),
    bytes: |n, _| sorting::bytes(n),
    data: Some(Data::Streamed(sorting::input_bytes)),
    ..Program::new(
        ("mergesort", "n random numbers, sorted by merging serially"),
        Sizes { small: 10_000, default: 1 << 20, paper: 1 << 20 },
        Domain { counts: "the number of elements", min: 0, max: 1 << 30, rule: None },
        |n| Box::new(Mergesort { memory: Memory::new(sorting::numbers(n)), grain: GRAIN.default as usize }),
    )
};

const GRAIN: Grain = Grain { counts: "the number of elements that are sorted serially", default: 2048, max: 1 << 30 };

/// The program.
///
/// The halves are sorted into the temporary memory, with the output as their own temporary memory, and then merged into
/// the output. So output and temporary memory change roles at every level, and only merges move elements. A leaf copies
/// its part of the input to wherever its level needs it.
#[inline(never)]
pub fn mergesort<R: Runtime, T: Element>(
    mut t: Token<R>,
    input: &[T],
    output: &mut [T],
    temporary: &mut [T],
    grain: usize,
) {
    if input.len() <= grain {
        t.touches([input], [output]);
        return sort_leaf(input, output);
    }
    let middle = input.len() / 2;
    let (left_input, right_input) = input.split_at(middle);
    let (left, right) = temporary.split_at_mut(middle);
    let (left_temporary, right_temporary) = output.split_at_mut(middle);
    t.join(
        |t| mergesort(t, left_input, left, left_temporary, grain),
        |t| mergesort(t, right_input, right, right_temporary, grain),
    );
    t.touches([left, right], [output]);
    merge_serially(left, right, output);
}

#[derive(Debug)]
struct Mergesort {
    memory: Memory<u64>,
    grain: usize,
}

impl Kernel for Mergesort {
    fn run<R: Runtime>(&mut self, t: Token<R>) {
        let (input, output, temporary) = self.memory.for_a_call();
        mergesort(t, black_box(input), output, temporary, self.grain);
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        self.memory.verify()
    }

    fn set_grain(&mut self, grain: u64) {
        self.grain = grain as usize;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use filch_kernels::runtime::Serial;

    #[test]
    fn every_number_of_levels_ends_in_the_output() {
        for n in 0..40 {
            for modulus in [1, 3, u64::MAX] {
                let input: Vec<u64> = sorting::numbers(n).into_iter().map(|number| number % modulus).collect();
                let (mut output, mut temporary) = (vec![0; input.len()], vec![0; input.len()]);
                mergesort(Serial::token(), &input, &mut output, &mut temporary, 1);
                let mut expected = input;
                expected.sort();
                assert_eq!(output, expected);
            }
        }
    }

    #[test]
    fn a_call_leaves_the_input_as_it_was() {
        let mut kernel = Mergesort { memory: Memory::new(sorting::numbers(100)), grain: 1 };
        kernel.run(Serial::token());
        assert_eq!(kernel.memory.for_a_call().0, sorting::numbers(100));
    }
}
