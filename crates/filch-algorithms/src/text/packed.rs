//! Texts in as few bits as their letters need, so that one comparison is one of many letters.

use crate::blocks::Blocks;
use crate::sequences::tabulate;

/// The bits of a letter if all bytes occur.
pub(super) const LARGEST_WIDTH: u32 = u8::BITS + 1;

/// A text of letters with numbers of equal width, in words. The end of the text is the letter 0, which comes before all
/// others, as often as needed; the bytes that occur are numbered from 1.
pub(super) struct Packed {
    words: Vec<u64>,
    width: u32,
    /// The bits of a word that are whole letters.
    mask: u64,
}

impl Packed {
    pub(super) fn new(text: &[u8]) -> Self {
        let blocks = Blocks::of::<u8>(text.len());
        let occurring = tabulate(blocks.count(), |block| {
            let mut occurring = [false; 256];
            text[blocks.range(block)].iter().for_each(|&byte| occurring[usize::from(byte)] = true);
            occurring
        });
        let mut numbers = [0_u64; 256];
        let mut letters = 0_u64;
        for (byte, number) in numbers.iter_mut().enumerate() {
            if occurring.iter().any(|occurring| occurring[byte]) {
                letters += 1;
                *number = letters;
            }
        }
        let width = (u64::BITS - letters.leading_zeros()).max(1);
        let per_word = u64::BITS / width;
        let bits = width as usize;
        // One more word, so that the key of every place has two.
        let words = tabulate((text.len() * bits).div_ceil(64) + 1, |word| {
            let first = word * 64 / bits;
            let letters = text.get(first..text.len().min((word * 64 + 64).div_ceil(bits))).unwrap_or(&[]);
            letters.iter().zip(first..).fold(0, |so_far, (&byte, place)| {
                // The first letter can begin in the word before.
                let number = numbers[usize::from(byte)];
                let (end, word_end) = ((place + 1) * bits, (word + 1) * 64);
                so_far | if end <= word_end { number << (word_end - end) } else { number >> (end - word_end) }
            })
        });
        Packed { words, width, mask: u64::MAX << (u64::BITS - per_word * width) }
    }

    /// The letters of a key.
    pub(super) fn letters(&self) -> usize {
        (u64::BITS / self.width) as usize
    }

    /// The letters from a place on, as many as fit, the first one in the highest bits. So keys are in the order of what
    /// follows, and keys of different places that contain an end are different.
    #[inline(always)]
    pub(super) fn key(&self, place: usize) -> u64 {
        let bit = place * self.width as usize;
        let (word, shift) = (bit / 64, bit % 64);
        let Some(&[first, second]) = self.words.get(word..word + 2).and_then(|two| two.first_chunk()) else { return 0 };
        // In two steps, since a shift by 64 is none.
        (first << shift | second >> 1 >> (63 - shift)) & self.mask
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_in_the_order_of_what_follows() {
        let mut random = fastrand::Rng::with_seed(16);
        for letters in [1, 2, 3, 4, 8, 64, 200, 255, 256] {
            let text: Vec<u8> = (0..700).map(|_| random.u32(0..letters) as u8).collect();
            let packed = Packed::new(&text);
            let follows = |place: usize| &text[place..text.len().min(place + packed.letters())];
            for _ in 0..2000 {
                let (a, b) = (random.usize(0..text.len()), random.usize(0..text.len()));
                assert_eq!(packed.key(a).cmp(&packed.key(b)), follows(a).cmp(follows(b)), "{letters} letters");
            }
            assert_eq!([packed.key(text.len()), packed.key(10 * text.len())], [0, 0]);
        }
    }
}
