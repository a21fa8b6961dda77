//! Words whose letters follow each other as in a given text.

use std::ops::Range;

use fastrand::Rng;

/// A text from which the letters that follow two others are counted. It was written for this.
const SAMPLE: &str = include_str!("sample.txt");

/// Letters, and the end of a word as the last of them.
const SYMBOLS: usize = 27;
const END: usize = SYMBOLS - 1;

/// How often each symbol follows two others in the sample: an occurrence more than that, so that all words can be
/// drawn.
struct Trigrams(Vec<[u32; SYMBOLS]>);

impl Trigrams {
    fn new() -> Self {
        let mut counts = vec![[1; SYMBOLS]; SYMBOLS * SYMBOLS];
        // No word is empty.
        counts[place([END, END])][END] = 0;
        for word in SAMPLE.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty()) {
            let mut last = [END, END];
            let letters = word.bytes().map(|letter| usize::from(letter.to_ascii_lowercase() - b'a'));
            for symbol in letters.chain([END]) {
                // Often enough that those which do not occur are rare.
                counts[place(last)][symbol] += 1000;
                last = [last[1], symbol];
            }
        }
        Trigrams(counts)
    }

    /// Adds a word to `text`, without an end.
    fn add_word(&self, random: &mut Rng, text: &mut Vec<u8>) {
        let mut last = [END, END];
        loop {
            let counts = &self.0[place(last)];
            let mut left = random.u32(0..counts.iter().sum());
            let mut symbols = (0..SYMBOLS).skip_while(|&symbol| match left.checked_sub(counts[symbol]) {
                Some(less) => {
                    left = less;
                    true
                }
                None => false,
            });
            let symbol = symbols.next().expect("a number below the sum of all counts");
            if symbol == END {
                return;
            }
            text.push(b'a' + symbol as u8);
            last = [last[1], symbol];
        }
    }
}

fn place([first, second]: [usize; 2]) -> usize {
    first * SYMBOLS + second
}

/// n bytes of words, each followed by a space.
pub(in crate::suite) fn text(n: u64) -> Vec<u8> {
    let (trigrams, mut random) = (Trigrams::new(), Rng::with_seed(21));
    let mut text = Vec::new();
    while text.len() < n as usize {
        trigrams.add_word(&mut random, &mut text);
        text.push(b' ');
    }
    text.truncate(n as usize);
    text
}

/// n words: the text that has them, and where each of them is.
pub(in crate::suite) fn words(n: u64) -> (Vec<u8>, Vec<Range<usize>>) {
    let (trigrams, mut random) = (Trigrams::new(), Rng::with_seed(22));
    let mut text = Vec::new();
    let places = (0..n)
        .map(|_| {
            let start = text.len();
            trigrams.add_word(&mut random, &mut text);
            start..text.len()
        })
        .collect();
    (text, places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_as_frequent_as_in_the_sample_and_words_as_long() {
        let (text, places) = words(30_000);
        let sample: Vec<u8> =
            SAMPLE.bytes().filter(u8::is_ascii_alphabetic).map(|letter| letter.to_ascii_lowercase()).collect();
        let share = |text: &[u8], letter: u8| text.iter().filter(|&&l| l == letter).count() as f64 / text.len() as f64;
        for letter in *b"etaoinsh" {
            let (found, expected) = (share(&text, letter), share(&sample, letter));
            assert!((found - expected).abs() < 0.02, "{}: {found}, {expected} in the sample", char::from(letter));
        }
        let in_sample = SAMPLE.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty()).count();
        let (found, expected) = (text.len() as f64 / places.len() as f64, sample.len() as f64 / in_sample as f64);
        assert!((found / expected - 1.0).abs() < 0.1, "{found} letters a word, {expected} in the sample");
        assert!(places.iter().all(|word| !word.is_empty()));
    }

    #[test]
    fn a_text_has_the_length_that_was_asked_for() {
        for n in [0, 1, 2, 1000] {
            assert_eq!(text(n).len(), n as usize);
        }
    }
}
