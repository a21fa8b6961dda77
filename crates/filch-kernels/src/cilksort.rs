//! Sorting by parallel merging (Frigo, Leiserson and Randall 1998, section 6).
//!
//! Four quarters are sorted in parallel, merged into two halves in parallel, and the halves are merged into one. The
//! merge is parallel too. The middle element of the longer run has a position in the other run, found by binary search.
//! What comes before the two positions and what comes after them are merged independently of each other.
//!
//! A part of a merge of n elements has at least a quarter of them, half of the longer run. So merges nest to a depth of
//! O(log n), with a binary search at each level, and their span is O(log² n). Their work is O(n), because it satisfies
//! W(n) = W(a·n) + W((1 − a)·n) + O(log n), where a lies between 1/4 and 3/4. So sorting has a work of O(n log n) and a
//! span of O(log³ n).

use std::hint::black_box;

use crate::answer::Mismatch;
use crate::kernel::Kernel;
use crate::program::{Data, Domain, Grain, Program, Sizes};
use crate::quicksort::quicksort;
use crate::runtime::{Runtime, Token};
use crate::sorting::{self, Element, Memory, merge_serially, sort_leaf};

/// Its entry in the list of programs.
pub const PROGRAM: Program = Program {
    grain: Some(GRAIN),
    bytes: |n, _| sorting::bytes(n),
    data: Some(Data::Streamed(sorting::input_bytes)),
    ..Program::new(
        ("cilksort", "n random numbers, sorted by merging in parallel"),
        Sizes { small: 10_000, default: 2_000_000, paper: 4_100_000 },
        Domain { counts: "the number of elements", min: 0, max: 1 << 30, rule: None },
        |n| Box::new(Cilksort::new(sorting::numbers(n))),
    )
};

const GRAIN: Grain =
    Grain { counts: "the number of elements that are sorted, or merged, serially", default: 2048, max: 1 << 30 };

/// The program.
///
/// A leaf copies its part of the input into the output. Each level merges twice, first into the temporary memory and
/// then back into the output, so its result is in the output. Therefore the three slices have the same parts at every
/// level, and only merges move elements.
#[inline(never)]
pub fn cilksort<R: Runtime, T: Element>(
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
    let [a, b, c, d] = quarters(input);
    let [a_out, b_out, c_out, d_out] = quarters_mut(output);
    let [a_temporary, b_temporary, c_temporary, d_temporary] = quarters_mut(temporary);
    t.join4(
        |t| cilksort(t, a, a_out, a_temporary, grain),
        |t| cilksort(t, b, b_out, b_temporary, grain),
        |t| cilksort(t, c, c_out, c_temporary, grain),
        |t| cilksort(t, d, d_out, d_temporary, grain),
    );
    let [a, b, c, d] = quarters(output);
    let (left, right) = temporary.split_at_mut(a.len() + b.len());
    t.join(|t| merge(t, a, b, left, grain), |t| merge(t, c, d, right, grain));
    merge(t, left, right, output, grain);
}

fn quarters<T>(whole: &[T]) -> [&[T]; 4] {
    let (left, right) = halves(whole);
    let ((a, b), (c, d)) = (halves(left), halves(right));
    [a, b, c, d]
}

fn halves<T>(whole: &[T]) -> (&[T], &[T]) {
    whole.split_at(whole.len() / 2)
}

fn quarters_mut<T>(whole: &mut [T]) -> [&mut [T]; 4] {
    let (left, right) = halves_mut(whole);
    let ((a, b), (c, d)) = (halves_mut(left), halves_mut(right));
    [a, b, c, d]
}

fn halves_mut<T>(whole: &mut [T]) -> (&mut [T], &mut [T]) {
    whole.split_at_mut(whole.len() / 2)
}

/// The largest merge that cannot be divided: if each run has one element, nothing comes before its middle.
const INDIVISIBLE: usize = 2;

/// Merges two ordered runs in parallel.
#[inline(never)]
pub fn merge<R: Runtime, T: Element>(mut t: Token<R>, a: &[T], b: &[T], output: &mut [T], grain: usize) {
    if output.len() <= grain.max(INDIVISIBLE) {
        t.touches([a, b], [output]);
        return merge_serially(a, b, output);
    }
    let (longer, other) = if a.len() < b.len() { (b, a) } else { (a, b) };
    let middle = longer.len() / 2;
    let place = other.partition_point(|element| *element < longer[middle]);
    let (longer_before, longer_behind) = longer.split_at(middle);
    let (other_before, other_behind) = other.split_at(place);
    let (before, behind) = output.split_at_mut(middle + place);
    t.join(
        |t| merge(t, longer_before, other_before, before, grain),
        |t| merge(t, longer_behind, other_behind, behind, grain),
    );
}

/// The kernel of the program, for elements of any type.
#[derive(Debug)]
pub struct Cilksort<T> {
    memory: Memory<T>,
    grain: usize,
}

impl<T: Element> Cilksort<T> {
    /// A kernel for this input, with the default cut-off.
    pub fn new(input: Vec<T>) -> Self {
        Self { memory: Memory::new(input), grain: GRAIN.default as usize }
    }

    /// The elements in order, as the last call left them. Read it before the check, which overwrites it.
    pub fn output(&self) -> &[T] {
        self.memory.output()
    }
}

impl<T: Element> Kernel for Cilksort<T> {
    fn run<R: Runtime>(&mut self, t: Token<R>) {
        let (input, output, temporary) = self.memory.for_a_call();
        cilksort(t, black_box(input), output, temporary, self.grain);
    }

    /// In place, after a copy.
    fn rival(&mut self) -> bool {
        let (input, output, _) = self.memory.for_a_call();
        output.copy_from_slice(black_box(input));
        quicksort(output);
        true
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
    use crate::kernel::Instance;
    use crate::runtime::Serial;

    fn assert_sorts<T: Element>(input: Vec<T>) {
        let mut kernel = Cilksort::new(input);
        for grain in [1, 2, 7, GRAIN.default] {
            Kernel::set_grain(&mut kernel, grain);
            kernel.serial();
            assert_eq!(Kernel::verify(&mut kernel), Ok(()), "grain {grain}");
            assert!(Kernel::rival(&mut kernel));
            assert_eq!(Kernel::verify(&mut kernel), Ok(()), "quicksort");
        }
    }

    #[test]
    fn inputs_with_many_equal_elements_in_order_or_in_reverse_are_sorted() {
        let n = 1000;
        for modulus in [1, 2, 30] {
            assert_sorts(sorting::numbers(n).into_iter().map(|number| number % modulus).collect());
        }
        assert_sorts((0..n).collect());
        assert_sorts((0..n).rev().collect());
        assert_sorts((0..n).map(|number| number % 2 * number).collect());
    }

    #[test]
    fn strings_and_edges_are_sorted() {
        assert_sorts(PROGRAM.about.split_inclusive(char::is_alphabetic).collect::<Vec<&'static str>>());
        let edges = sorting::numbers(1000).into_iter().map(|number| (number as u32 % 20, (number >> 32) as u32));
        assert_sorts(edges.collect::<Vec<(u32, u32)>>());
    }

    #[test]
    fn a_merge_without_cut_off_gives_what_sorting_gives_for_runs_of_all_lengths() {
        for (left, right) in (0..12).flat_map(|left| (0..12).map(move |right| (left, right))) {
            for modulus in [1, 3, u64::MAX] {
                let mut runs: Vec<u64> = sorting::numbers(left + right).into_iter().map(|x| x % modulus).collect();
                let (a, b) = runs.split_at_mut(left as usize);
                a.sort();
                b.sort();
                let mut output = vec![0; a.len() + b.len()];
                merge(Serial::token(), a, b, &mut output, 1);
                runs.sort();
                assert_eq!(output, runs, "{left} elements and {right}");
            }
        }
    }
}
