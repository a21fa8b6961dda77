//! Units of work that take the same time each. The sum over any number of them is known by a formula.

use std::hint::black_box;
use std::ops::Range;

/// The number of steps per unit. A unit takes some tenths of a microsecond: long against a fork and short against a
/// take.
const STEPS: u32 = 128;

/// A map x ↦ factor·x + summand of 64-bit numbers, wrapping around.
#[derive(Clone, Copy)]
struct Affine {
    factor: u64,
    summand: u64,
}

/// One step: Knuth's generator MMIX ("The Art of Computer Programming", vol. 2, section 3.3.4, table 1). Each step
/// depends on the previous one, so a processor cannot overlap them.
const STEP: Affine = Affine { factor: 6_364_136_223_846_793_005, summand: 1_442_695_040_888_963_407 };

impl Affine {
    fn of(self, x: u64) -> u64 {
        self.factor.wrapping_mul(x).wrapping_add(self.summand)
    }

    /// This map, then `next`.
    fn then(self, next: Self) -> Self {
        Self { factor: next.factor.wrapping_mul(self.factor), summand: next.of(self.summand) }
    }
}

/// Does the unit with this number.
#[inline(never)]
pub fn unit(number: u64) -> u64 {
    // If the compiler saw the numbers, it would combine several steps into one affine map.
    let step = black_box(STEP);
    (0..STEPS).fold(number, |x, _| step.of(x))
}

/// Does these units one after another and returns their sum.
#[inline(never)]
pub fn units(numbers: Range<u64>) -> u64 {
    numbers.fold(0, |sum, number| sum.wrapping_add(unit(number)))
}

/// The checker: the sum over units 0 to n − 1. All steps of a unit are one affine map, found by repeated squaring, and
/// the numbers add up to n·(n − 1) / 2.
pub fn units_by_formula(n: u64) -> u64 {
    let mut all = Affine { factor: 1, summand: 0 };
    for digit in (0..u32::BITS - STEPS.leading_zeros()).rev() {
        all = all.then(all);
        if STEPS >> digit & 1 == 1 {
            all = all.then(STEP);
        }
    }
    let numbers = (u128::from(n) * u128::from(n.saturating_sub(1)) / 2) as u64;
    all.factor.wrapping_mul(numbers).wrapping_add(all.summand.wrapping_mul(n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formula_agrees_with_doing_it() {
        for n in [0, 1, 2, 3, 10, 1000] {
            assert_eq!(units_by_formula(n), units(0..n), "{n}");
        }
    }

    #[test]
    fn a_unit_left_out_or_done_twice_changes_the_sum() {
        for number in 0..100 {
            assert_ne!(unit(number), 0);
        }
    }
}
