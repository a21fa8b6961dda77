//! Streams: the numbers of one strand.

use super::dotmix::{add, below_p, first_gamma, mix, multiply, next_gamma};
use std::ops::Range;

/// A stream of pseudo-random numbers that can be split into independent ones, such as for the branches of a fork.
///
/// A stream is a place in a tree: its *pedigree* is the sequence of ranks from the root to it. Each number that it
/// gives, and each stream that is split off, has the next rank. A number is a hash of its pedigree by DotMix
/// (Leiserson, Schardl and Sukha 2012). So it depends on the seed and on what the program does, and not on which worker
/// does it, nor when.
///
/// ```
/// use filch::Strand;
/// use filch::random::Stream;
///
/// /// Whether a random walk in a random tree comes to an even number.
/// fn walk(mut s: Strand<'_>, mut random: Stream, depth: u32) -> u64 {
///     if depth == 0 {
///         return random.below(10);
///     }
///     let (left, right) = (random.split(), random.split());
///     let (a, b) = s.join(|s| walk(s, left, depth - 1), |s| walk(s, right, depth - 1));
///     a + b
/// }
///
/// let sum = || filch::run(|s| walk(s, Stream::new(7), 8));
/// assert_eq!(sum(), sum());
/// ```
///
/// **Cost.** A number: a mixing function, which is four rounds of two multiplications. A split: a few
/// multiplications. A stream is two words.
///
/// **Quality.** Different places have the same hash with a probability of about 2^-64 for each pair, so repeats among n
/// numbers are as likely as among n random ones. This is no generator for secrets: a few numbers reveal the others.
///
/// A stream cannot be copied, since the copy would repeat its numbers.
#[derive(Debug, PartialEq, Eq)]
pub struct Stream {
    /// The compressed pedigree, with the present rank as its last term.
    sum: u64,
    /// γ of the last term.
    gamma: u64,
}

impl Stream {
    /// The stream of a seed: the root of a tree. Other seeds have unrelated trees.
    #[inline]
    pub fn new(seed: u64) -> Self {
        Stream::first(0, first_gamma(seed))
    }

    /// The first number of a level, below `prefix`. Ranks begin with 1.
    #[inline(always)]
    fn first(prefix: u64, gamma: u64) -> Self {
        Stream { sum: add(prefix, gamma), gamma }
    }

    /// Returns the compressed pedigree, and goes on to the next rank.
    #[inline(always)]
    fn advance(&mut self) -> u64 {
        let sum = self.sum;
        self.sum = add(sum, self.gamma);
        sum
    }

    /// Splits a stream off. What is drawn from it is independent of what this one gives before and after.
    #[inline]
    #[must_use = "what is split off is not part of this stream any more"]
    pub fn split(&mut self) -> Stream {
        Stream::first(self.advance(), next_gamma(self.gamma))
    }

    /// Splits off a stream for each index of a loop.
    ///
    /// ```
    /// use filch::random::Stream;
    ///
    /// let (mut random, mut dice) = (Stream::new(1), vec![0; 1000]);
    /// let streams = random.streams();
    /// filch::for_each((0_u64.., &mut dice), |_, (i, die)| *die = 1 + streams.at(i).below(6));
    /// assert!((1..=6).all(|side| dice.contains(&side)));
    /// ```
    #[inline]
    #[must_use = "what is split off is not part of this stream any more"]
    pub fn streams(&mut self) -> Streams {
        let index = next_gamma(self.gamma);
        Streams { prefix: self.advance(), index, below: next_gamma(index) }
    }

    /// The next number: each of the 2^64 is as likely.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        mix(self.advance())
    }

    /// The next number, from 0 up to but not including 1: a multiple of 2^-53.
    #[inline]
    pub fn next_f64(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number below `bound`, all of which are equally likely. Seldom draws more than once (Lemire 2019).
    ///
    /// # Panics
    ///
    /// If `bound` is 0.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "no number is below 0");
        let wide = |n: u64| u128::from(n) * u128::from(bound);
        let mut product = wide(self.next_u64());
        if (product as u64) < bound {
            // So many of the 2^64 numbers would make some results more likely than others.
            let uneven = bound.wrapping_neg() % bound;
            while (product as u64) < uneven {
                product = wide(self.next_u64());
            }
        }
        (product >> 64) as u64
    }

    /// A number in `range`, all of which are equally likely.
    ///
    /// ```
    /// let mut random = filch::random::Stream::new(1);
    /// assert!((0..100).all(|_| (10..20).contains(&random.range(10..20))));
    /// ```
    ///
    /// # Panics
    ///
    /// If the range is empty.
    #[inline]
    pub fn range(&mut self, range: Range<u64>) -> u64 {
        assert!(!range.is_empty(), "there is no number in the range {range:?}");
        range.start + self.below(range.end - range.start)
    }

    /// Shuffles a slice: all orders are equally likely (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for left in (2..=items.len()).rev() {
            items.swap(left - 1, self.below(left as u64) as usize);
        }
    }
}

/// The streams of a loop, one for each index ([`Stream::streams`]). Can be shared by all its iterations.
#[derive(Clone, Debug)]
pub struct Streams {
    /// The compressed pedigree of the loop.
    prefix: u64,
    /// γ of the index.
    index: u64,
    /// γ of the ranks below it.
    below: u64,
}

impl Streams {
    /// The stream of an index. Each call returns the same stream.
    #[inline]
    #[must_use]
    pub fn at(&self, index: u64) -> Stream {
        // The term of the pedigree, which is not 0. It counts modulo p, of which two indices are the same only if one
        // of them is above 2^64 - 61.
        let term = add(below_p(index), 1);
        Stream::first(add(self.prefix, multiply(self.index, term)), self.below)
    }
}

#[cfg(test)]
mod tests {
    use super::super::dotmix::P;
    use super::*;

    /// The number with this pedigree, as the paper defines it.
    fn hash(seed: u64, pedigree: &[u64]) -> u64 {
        let gammas = std::iter::successors(Some(first_gamma(seed)), |&gamma| Some(next_gamma(gamma)));
        let products = pedigree.iter().zip(gammas).map(|(&term, gamma)| u128::from(gamma) * u128::from(term));
        mix(products.fold(0, |sum, product| (sum + product % u128::from(P)) % u128::from(P)) as u64)
    }

    #[test]
    fn numbers_are_the_hashes_of_their_pedigrees() {
        for seed in [0, 1, u64::MAX] {
            let mut root = Stream::new(seed);
            assert_eq!([root.next_u64(), root.next_u64()], [hash(seed, &[1]), hash(seed, &[2])]);
            let (mut left, mut right) = (root.split(), root.split());
            assert_eq!(right.next_u64(), hash(seed, &[4, 1]));
            assert_eq!([left.next_u64(), left.next_u64()], [hash(seed, &[3, 1]), hash(seed, &[3, 2])]);
            assert_eq!(left.split().split().next_u64(), hash(seed, &[3, 3, 1, 1]));
            let streams = root.streams();
            for index in [0, 1, 1 << 40, P - 2] {
                let mut stream = streams.at(index);
                assert_eq!(stream.next_u64(), hash(seed, &[5, index + 1, 1]));
                assert_eq!(stream.split().next_u64(), hash(seed, &[5, index + 1, 2, 1]));
            }
            assert_eq!(root.next_u64(), hash(seed, &[6]));
        }
    }
}
