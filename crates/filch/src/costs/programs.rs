//! The programs by which the costs of a gift and of a promotion are measured. They differ in the shape of their forks,
//! and in what lies between two of them, because a cost that depended on that would be no property of the machine.

use crate::constructs::Strand;
use std::hint::black_box;

/// Under a checker such as Miri, times mean nothing, and one pass through the code is enough.
pub(super) const TIMES_COUNT: bool = !cfg!(any(miri, filch_sanitizer = "thread"));

/// Each takes about as long as the others: a millisecond.
pub(super) const PROGRAMS: [Program; 3] = [fibonacci, sums, polynomials];

/// Calls the second argument again and again, outside of its forks, and some forks after each call.
pub(super) type Program = fn(Strand<'_>, &dyn Fn());

/// What a ladder has room for must be more than the programs have frames.
pub(super) const DEPTH: usize = 16;

fn times(n: u32) -> u32 {
    if TIMES_COUNT { n } else { 1 }
}

/// Nothing but forks.
fn fibonacci(mut s: Strand<'_>, tick: &dyn Fn()) {
    for _ in 0..times(2_000) {
        tick();
        black_box(fib(s.reborrow(), 8));
    }
}

fn fib(mut s: Strand<'_>, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = s.join(|s| fib(s, n - 1), |s| fib(s, n - 2));
    a + b
}

/// A balanced tree with work at its leaves.
fn sums(mut s: Strand<'_>, tick: &dyn Fn()) {
    let numbers: [u64; 1 << 12] = std::array::from_fn(|i| i as u64);
    for _ in 0..times(50) {
        tick();
        black_box(sum(s.reborrow(), black_box(&numbers)));
    }
}

fn sum(mut s: Strand<'_>, numbers: &[u64]) -> u64 {
    if numbers.len() <= 64 {
        return numbers.iter().map(|&n| black_box(n)).sum();
    }
    let (left, right) = numbers.split_at(numbers.len() / 2);
    let (a, b) = s.join(|s| sum(s, left), |s| sum(s, right));
    a + b
}

/// A chain: the rest of the work is in the first branch, and what is small in the second.
fn polynomials(mut s: Strand<'_>, tick: &dyn Fn()) {
    for x in 0..times(2_000) {
        tick();
        black_box(polynomial(s.reborrow(), black_box(x.into()), DEPTH as u64 - 2));
    }
}

fn polynomial(mut s: Strand<'_>, x: u64, n: u64) -> u64 {
    if n == 0 {
        return 1;
    }
    let (rest, power) = s.join(|s| polynomial(s, x, n - 1), |_| (0..n).fold(1_u64, |power, _| power.wrapping_mul(x)));
    rest.wrapping_add(power)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pool;

    #[test]
    fn each_program_does_what_it_is_called() {
        let pool = Pool::builder().workers(1).build().expect("a pool");
        assert_eq!(pool.run(|s| fib(s, 8)), 21);
        let numbers: Vec<u64> = (1..=1_000).collect();
        assert_eq!(pool.run(|s| sum(s, &numbers)), 500_500);
        // 1 + 3 + 9 + 27.
        assert_eq!(pool.run(|s| polynomial(s, 3, 3)), 40);
        for program in PROGRAMS {
            pool.run(|s| program(s, &|| ()));
        }
    }
}
