//! Random choices that depend on a seed only, on every machine and in every version.

/// SplitMix64 (Steele, Lea and Flood 2014): consecutive seeds give unrelated sequences. The generator of a library may
/// change its sequence with its version, and then a seed in an old report would mean another case.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// Dice that give the same numbers for the same seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A random number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = self.0;
        let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.number() % end as u64) as usize
    }

    /// True once in `n` times, on average.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// A random element of `from`.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// A size from 1 to 2^`log2`, small ones as likely as large ones.
    pub fn size(&mut self, log2: usize) -> usize {
        let most = 1 << (1 + self.below(log2));
        1 + self.below(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers from seed 1234567 in the published test of the generator (Rosetta Code, "Splitmix64").
    #[test]
    fn the_sequence_is_the_published_one() {
        let mut dice = Dice::new(1_234_567);
        let numbers = [(); 3].map(|()| dice.number());
        assert_eq!(numbers, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }
}
