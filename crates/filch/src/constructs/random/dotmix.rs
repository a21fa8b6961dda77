//! The hash DotMix (Leiserson, Schardl and Sukha 2012): a dot product modulo a prime, and then a mixing function.
//!
//! The place of a number in the fork tree is its *pedigree*, a sequence of positive terms j₀, j₁, ... It is compressed
//! to the sum of γₖ·jₖ modulo p. Since no term is 0, two pedigrees are still different if they are filled up with zeros
//! to the same length; then they have the same sum with probability 1/p at most, if the γₖ are random. The sum is a
//! number below p, which the mixing function scatters.

use filch_policy::{SPREAD, scatter};

/// The largest prime below 2^64.
pub(super) const P: u64 = 0_u64.wrapping_sub(TO_P);

/// What 2^64 is modulo p.
const TO_P: u64 = 59;

/// How often the mixing function is repeated, as in the paper.
const ROUNDS: u32 = 4;

/// a + b modulo p, for numbers below p.
#[inline(always)]
pub(super) fn add(a: u64, b: u64) -> u64 {
    let (sum, has_carry) = a.overflowing_add(b);
    // Without a carry the sum may be p or a little more. With one it is at most 2p - 2 - 2^64, so the addition does
    // not overflow.
    if has_carry { sum + TO_P } else { below_p(sum) }
}

/// a · b modulo p, for numbers below p.
#[inline(always)]
pub(super) fn multiply(a: u64, b: u64) -> u64 {
    let fold = |n: u128| (n >> 64) * u128::from(TO_P) + u128::from(n as u64);
    // Once folded, it is below 60 · 2^64.
    let product = fold(u128::from(a) * u128::from(b));
    add(below_p(product as u64), (product >> 64) as u64 * TO_P)
}

/// A number modulo p.
#[inline(always)]
pub(super) fn below_p(n: u64) -> u64 {
    if n >= P { n - P } else { n }
}

/// The mixing function: in each round n becomes 2n² + n modulo 2^64, which is a permutation, and its halves are
/// swapped, as in the cipher RC6.
#[inline(always)]
pub(super) fn mix(n: u64) -> u64 {
    (0..ROUNDS).fold(n, |n, _| n.wrapping_mul(n.wrapping_mul(2).wrapping_add(1)).rotate_left(32))
}

/// γ of the first level, from the seed.
pub(super) fn first_gamma(seed: u64) -> u64 {
    next_gamma(scatter(seed.wrapping_add(SPREAD)))
}

/// γ of the level below: not 0, and below p. The paper has a table of random numbers, which bounds the depth. Here they
/// come from SplitMix64 (Steele, Lea and Flood 2014), each from the one above, so that they differ from seed to seed,
/// there is one for every level, and a stream need not know its level.
#[inline(always)]
pub(super) fn next_gamma(gamma: u64) -> u64 {
    below_p(scatter(gamma.wrapping_add(SPREAD))).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EDGES: [u64; 9] = [0, 1, 2, 58, 59, 60, 1 << 63, P - 2, P - 1];

    #[test]
    #[cfg_attr(miri, ignore = "arithmetic in safe code")]
    fn sums_and_products_are_those_of_wide_integers() {
        let numbers = || EDGES.into_iter().chain((0..100).map(|i| below_p(scatter(i))));
        for a in numbers() {
            for b in numbers() {
                let (wide_a, wide_b, p) = (u128::from(a), u128::from(b), u128::from(P));
                assert_eq!(u128::from(add(a, b)), (wide_a + wide_b) % p, "{a} + {b}");
                assert_eq!(u128::from(multiply(a, b)), wide_a * wide_b % p, "{a} * {b}");
            }
        }
    }

    #[test]
    fn p_is_a_prime_and_the_next_numbers_below_2_to_the_64_are_none() {
        // Miller and Rabin, with the bases that suffice below 2^64 (Sorenson and Webster 2017).
        fn is_prime(n: u64) -> bool {
            let times = |a: u64, b: u64| (u128::from(a) * u128::from(b) % u128::from(n)) as u64;
            let power = |base: u64, mut exponent: u64| {
                let (mut base, mut result) = (base % n, 1);
                while exponent > 0 {
                    result = if exponent & 1 == 1 { times(result, base) } else { result };
                    (base, exponent) = (times(base, base), exponent / 2);
                }
                result
            };
            let twos = (n - 1).trailing_zeros();
            [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37].into_iter().all(|base| {
                let mut x = power(base, (n - 1) >> twos);
                x == 1
                    || (0..twos).any(|_| {
                        let is_minus_one = x == n - 1;
                        x = times(x, x);
                        is_minus_one
                    })
            })
        }
        assert!(is_prime(P));
        assert!((P + 2..u64::MAX).step_by(2).all(|n| !is_prime(n)) && !is_prime(u64::MAX));
    }

    #[test]
    fn mixing_loses_nothing() {
        /// The only n with 2n² + n = m modulo 2^64, bit by bit: the lower bits of m depend on those of n alone.
        fn unmixed(m: u64) -> u64 {
            let mixed = |n: u64| n.wrapping_mul(n.wrapping_mul(2).wrapping_add(1));
            (0..64).fold(0, |n, bit| n | (mixed(n) ^ m) & 1 << bit)
        }
        for n in EDGES.into_iter().chain(0..if cfg!(miri) { 10 } else { 1000 }) {
            let back = (0..ROUNDS).fold(mix(n), |m, _| unmixed(m.rotate_left(32)));
            assert_eq!(back, n);
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "arithmetic in safe code")]
    fn neighbouring_seeds_have_other_constants() {
        let of_seed = |seed| std::iter::successors(Some(first_gamma(seed)), |&gamma| Some(next_gamma(gamma))).take(100);
        let gammas: Vec<u64> = (0..10).flat_map(of_seed).collect();
        let different: std::collections::HashSet<_> = gammas.iter().collect();
        assert_eq!(different.len(), gammas.len());
        assert!(gammas.iter().all(|gamma| (1..P).contains(gamma)));
    }
}
