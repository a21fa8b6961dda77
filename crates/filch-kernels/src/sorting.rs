//! What the sorting programs share: their input and memory, their serial parts, and their checker.

use std::fmt::Debug;
use std::hash::{DefaultHasher, Hash, Hasher};

use fastrand::Rng;

use crate::answer::Mismatch;

/// A type that can be sorted. Wrong results are shown by [`Debug`].
pub trait Element: Copy + Ord + Hash + Debug + Send + Sync {}

impl<T: Copy + Ord + Hash + Debug + Send + Sync> Element for T {}

/// The number of slices of n elements in a [`Memory`].
const SLICES: u64 = 3;

/// The bytes of this many numbers.
pub const fn input_bytes(numbers: u64) -> u64 {
    numbers * size_of::<u64>() as u64
}

/// The bytes of the [`Memory`] for this many numbers.
pub const fn bytes(numbers: u64) -> u64 {
    SLICES * input_bytes(numbers)
}

/// Pseudo-random numbers, the same in every run.
pub fn numbers(n: u64) -> Vec<u64> {
    let mut random = Rng::with_seed(0);
    (0..n).map(|_| random.u64(..)).collect()
}

/// A leaf: sorts a part of the input into the output, with the sort of the standard library, as a user would.
#[inline(never)]
pub fn sort_leaf<T: Element>(input: &[T], output: &mut [T]) {
    output.copy_from_slice(input);
    output.sort_unstable();
}

/// Merges two sorted runs.
///
/// Which run the next element comes from cannot be predicted, so the choice must not be a branch. Then each step
/// depends on the previous one. Therefore the merge proceeds from both ends at once: these are two independent chains
/// of steps, which a processor overlaps.
#[inline(never)]
pub fn merge_serially<T: Element>(mut left: &[T], mut right: &[T], mut output: &mut [T]) {
    // Equal elements of the left run precede those of the right run, at both ends, so the two ends never take the same
    // element.
    while !left.is_empty() && !right.is_empty() {
        // In this many steps neither end can exhaust a run, so the steps need no check.
        let steps = left.len().min(right.len());
        let (front, rest) = output.split_at_mut(steps);
        let (middle, back) = rest.split_at_mut(rest.len() - steps);
        let (mut left_start, mut right_start) = (0, 0);
        let (mut left_end, mut right_end) = (left.len(), right.len());
        for (first, last) in front.iter_mut().zip(back.iter_mut().rev()) {
            let (l, r) = (left[left_start], right[right_start]);
            let from_right = r < l;
            *first = if from_right { r } else { l };
            left_start += usize::from(!from_right);
            right_start += usize::from(from_right);

            let (l, r) = (left[left_end - 1], right[right_end - 1]);
            let from_left = r < l;
            *last = if from_left { l } else { r };
            left_end -= usize::from(from_left);
            right_end -= usize::from(!from_left);
        }
        left = &left[left_start..left_end];
        right = &right[right_start..right_end];
        output = middle;
    }
    output.copy_from_slice(if left.is_empty() { right } else { left });
}

/// An input that stays unchanged, memory for the sorted result, and memory of the same size to work in.
#[derive(Debug)]
pub struct Memory<T> {
    input: Vec<T>,
    output: Vec<T>,
    temporary: Vec<T>,
    /// The contents of the input.
    contents: Contents,
    called: bool,
}

impl<T: Element> Memory<T> {
    /// Memory for an input.
    pub fn new(input: Vec<T>) -> Self {
        let contents = Contents::of(&input);
        let (output, temporary) = (input.clone(), input.clone());
        let mut memory = Self { input, output, temporary, contents, called: false };
        memory.forget();
        memory
    }

    /// The memory of a call: the input, the place for the sorted result, and memory to work in.
    pub fn for_a_call(&mut self) -> (&[T], &mut [T], &mut [T]) {
        self.called = true;
        (&self.input, &mut self.output, &mut self.temporary)
    }

    /// The result of the last call, until it is checked.
    pub fn output(&self) -> &[T] {
        &self.output
    }

    /// The checker: the output of the last call is in order, and it is a permutation of the input.
    pub fn verify(&mut self) -> Result<(), Mismatch> {
        if !self.called {
            return Err(Mismatch::Nothing);
        }
        let checked = in_order(&self.output).and_then(|()| Contents::of(&self.output).expect(&self.contents));
        self.forget();
        checked
    }

    /// Fills all memory with one element of the input, so that memory that a call leaves unchanged is not taken for a
    /// result, unless it is the right one.
    fn forget(&mut self) {
        self.called = false;
        if let Some(&element) = self.input.first() {
            self.output.fill(element);
            self.temporary.fill(element);
        }
    }
}

/// A hash of the elements of a slice that does not depend on their order: the sum of the elements' hashes.
#[derive(Debug, PartialEq, Eq)]
struct Contents(u64);

impl Contents {
    fn of<T: Hash>(elements: &[T]) -> Self {
        let hash = |element: &T| {
            let mut hasher = DefaultHasher::new();
            element.hash(&mut hasher);
            hasher.finish()
        };
        Self(elements.iter().map(hash).fold(0, u64::wrapping_add))
    }

    fn expect(&self, input: &Self) -> Result<(), Mismatch> {
        if self == input {
            return Ok(());
        }
        Err(Mismatch::Wrong {
            found: format!("elements in order whose hashes add up to {:#x}", self.0),
            expected: format!("those of the input: {:#x}", input.0),
        })
    }
}

fn in_order<T: Ord + Debug>(elements: &[T]) -> Result<(), Mismatch> {
    let Some(index) = elements.windows(2).position(|pair| pair[0] > pair[1]) else { return Ok(()) };
    let (element, next) = (&elements[index], &elements[index + 1]);
    Err(Mismatch::Wrong {
        found: format!("{element:?} at index {index} and {next:?} after it"),
        expected: "ascending order".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(mut input: Vec<u64>) -> Vec<u64> {
        input.sort();
        input
    }

    /// The result of the check after a call that leaves this output.
    fn checked(input: &[u64], output: &[u64]) -> Result<(), Mismatch> {
        let mut memory = Memory::new(input.to_vec());
        memory.for_a_call().1.copy_from_slice(output);
        memory.verify()
    }

    #[test]
    fn the_checker_accepts_the_sorted_input() {
        let input = numbers(100);
        assert_eq!(checked(&input, &sorted(input.clone())), Ok(()));
    }

    #[test]
    fn the_checker_rejects_an_element_that_is_there_twice_in_exchange_for_a_lost_one() {
        let input = numbers(100);
        let right = sorted(input.clone());
        for index in 1..right.len() {
            let mut output = right.clone();
            output[index] = output[index - 1];
            let mismatch = checked(&input, &output).unwrap_err().to_string();
            assert!(mismatch.starts_with("found elements in order whose hashes add up to"), "{mismatch}");
        }
    }

    #[test]
    fn the_checker_rejects_a_swap_of_neighbours_anywhere_and_says_where() {
        let input: Vec<u64> = (0..100).collect();
        for index in 0..99 {
            let mut output = input.clone();
            output.swap(index, index + 1);
            let mismatch = checked(&input, &output).unwrap_err().to_string();
            let (large, small) = (index + 1, index);
            let expected = format!("found {large} at index {index} and {small} after it, expected ascending order");
            assert_eq!(mismatch, expected);
        }
    }

    #[test]
    fn the_output_of_a_call_is_not_accepted_twice_even_if_the_next_call_writes_nothing() {
        let input = numbers(100);
        let mut memory = Memory::new(input.clone());
        memory.for_a_call().1.copy_from_slice(&sorted(input));
        assert_eq!(memory.verify(), Ok(()));
        assert_eq!(memory.verify(), Err(Mismatch::Nothing));
        memory.for_a_call();
        assert!(matches!(memory.verify(), Err(Mismatch::Wrong { .. })));
    }

    #[test]
    fn what_a_call_left_in_memory_cannot_help_the_next_one() {
        let mut memory = Memory::new(vec![3, 1, 2]);
        let (_, output, temporary) = memory.for_a_call();
        output.copy_from_slice(&[1, 2, 3]);
        temporary.copy_from_slice(&[1, 2, 3]);
        assert_eq!(memory.verify(), Ok(()));
        let (_, output, temporary) = memory.for_a_call();
        assert_eq!((&*output, &*temporary), (&[3, 3, 3][..], &[3, 3, 3][..]));
    }

    #[test]
    fn runs_of_all_lengths_and_overlaps_are_merged_equal_elements_too() {
        for left in 0..8 {
            for right in 0..8 {
                for modulus in [1, 2, 5, u64::MAX] {
                    let mut runs: Vec<u64> = numbers(left + right).into_iter().map(|number| number % modulus).collect();
                    let (a, b) = runs.split_at_mut(left as usize);
                    a.sort();
                    b.sort();
                    let mut output = vec![0; a.len() + b.len()];
                    merge_serially(a, b, &mut output);
                    assert_eq!(output, sorted(runs.clone()), "{runs:?}, the first {left} to the left");
                }
            }
        }
    }
}
