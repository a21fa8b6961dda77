//! Pieces of a text, which can be divided only in some places.

use crate::divisible::Divisible;
use rayon::iter::plumbing::Folder;
use std::ops::Range;

/// What a text is made of.
pub(crate) trait Units<'t>: Send + Sync {
    type Item: Send;

    /// The first cut that begins at byte `from` or later: what is left out there, or an empty range. The items of the
    /// parts before and after a cut are those of the whole.
    fn cut_from(&self, text: &str, from: usize) -> Option<Range<usize>>;

    /// The last cut that ends at byte `to` or before.
    fn cut_to(&self, text: &str, to: usize) -> Option<Range<usize>>;

    /// Feeds the items of a piece that begins at byte `start` of the whole text.
    fn fold<F: Folder<Self::Item>>(&self, text: &'t str, start: usize, folder: F) -> F;
}

/// A piece of a text.
pub(crate) struct Piece<'t, 'u, U> {
    text: &'t str,
    start: usize,
    /// There is no cut after this byte: so no part of a text is searched twice.
    cuts: usize,
    units: &'u U,
}

impl<'t, 'u, U: Units<'t>> Piece<'t, 'u, U> {
    pub(crate) fn whole(text: &'t str, units: &'u U) -> Self {
        Piece { text, start: 0, cuts: text.len(), units }
    }

    /// A cut near byte `at`: the first one after it, or else the last one before it. Also up to where the part before
    /// the cut has more cuts, and the part after it. A cut that would leave no items on one side is none.
    fn cut(&self, at: usize) -> Option<(Range<usize>, usize, usize)> {
        let text = self.text;
        let has_items = |cut: &Range<usize>| !cut.is_empty() || 0 < cut.start && cut.end < text.len();
        let at = (0..=at.min(self.cuts)).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        if let Some(cut) = self.units.cut_from(&text[..self.cuts], at).filter(has_items) {
            let after = self.cuts - cut.end;
            return Some((cut, at, after));
        }
        let cut = self.units.cut_to(text, at).filter(has_items)?;
        Some((cut.clone(), cut.start, 0))
    }
}

impl<'t, U: Units<'t>> Divisible for Piece<'t, '_, U> {
    type Item = U::Item;

    fn split_at(self, at: usize) -> Result<(Self, Self), Self> {
        let Piece { text, start, units, .. } = self;
        let Some((cut, before, after)) = self.cut(at) else { return Err(Piece { cuts: 0, ..self }) };
        let left = Piece { text: &text[..cut.start], start, cuts: before.min(cut.start), units };
        let right = Piece { text: &text[cut.end..], start: start + cut.end, cuts: after, units };
        Ok((left, right))
    }

    fn len_or(&self, _: usize) -> usize {
        self.text.len()
    }

    fn fold_with<F: Folder<U::Item>>(self, folder: F) -> F {
        self.units.fold(self.text, self.start, folder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::{CharIndices, Chars, Fields, Lines, Terminated, Words};
    use std::fmt::Debug;

    struct Collect<T>(Vec<T>);

    impl<T> Folder<T> for Collect<T> {
        type Result = Vec<T>;

        fn consume(mut self, item: T) -> Self {
            self.0.push(item);
            self
        }

        fn complete(self) -> Vec<T> {
            self.0
        }

        fn full(&self) -> bool {
            false
        }
    }

    /// The items of the pieces that come from cutting at these bytes, each counted within what is left of the others.
    fn in_pieces<'t, U: Units<'t>>(text: &'t str, units: &U, cuts: &[usize]) -> Vec<U::Item> {
        let (mut rest, mut items) = (Piece::whole(text, units), Collect(Vec::new()));
        for (i, &at) in cuts.iter().enumerate() {
            let (left, right) = match rest.split_at(at) {
                Ok(halves) => halves,
                Err(whole) => {
                    rest = whole;
                    continue;
                }
            };
            // One of them is cut further, and the other one is run as it is.
            if i % 2 == 0 {
                items = left.fold_with(items);
                rest = right;
            } else {
                let mut tail = Collect(Vec::new());
                tail = right.fold_with(tail);
                items = left.fold_with(items);
                items.0.append(&mut tail.0);
                return items.0;
            }
        }
        rest.fold_with(items).0
    }

    fn agrees<'t, U: Units<'t, Item: PartialEq + Debug>>(text: &'t str, units: &U, expected: &[U::Item]) {
        for first in 0..=text.len() {
            for second in 0..=text.len() {
                let found = in_pieces(text, units, &[first, second]);
                assert_eq!(found, expected, "{text:?} at {first} and {second}");
            }
        }
    }

    #[test]
    fn wherever_a_text_is_cut_its_items_are_those_of_the_whole() {
        const CHARACTERS: [&str; 6] = ["a", ",", "\n", "\r", " ", "é"];
        const LEN: u32 = if cfg!(miri) { 2 } else { 4 };
        let texts = (0..=LEN).flat_map(|len| {
            (0..CHARACTERS.len().pow(len)).map(move |number| {
                let digits = (0..len).map(|digit| number / CHARACTERS.len().pow(digit) % CHARACTERS.len());
                digits.map(|digit| CHARACTERS[digit]).collect::<String>()
            })
        });
        for text in texts {
            let text = text.as_str();
            agrees(text, &Chars, &text.chars().collect::<Vec<_>>());
            agrees(text, &CharIndices, &text.char_indices().collect::<Vec<_>>());
            agrees(text, &Lines, &text.lines().collect::<Vec<_>>());
            agrees(text, &Words, &text.split_whitespace().collect::<Vec<_>>());
            agrees(text, &Fields(','), &text.split(',').collect::<Vec<_>>());
            agrees(text, &Fields(['é', ',']), &text.split(['é', ',']).collect::<Vec<_>>());
            agrees(text, &Terminated(|c| c == ' '), &text.split_inclusive(' ').collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_text_without_cuts_is_searched_once() {
        let text = "a".repeat(100);
        let Err(whole) = Piece::whole(&text, &Lines).split_at(50) else { panic!("it has one line") };
        assert!(whole.text == text && whole.cuts == 0);
        let Ok((left, right)) = Piece::whole("a\nbbbbbbbb", &Lines).split_at(5) else { panic!("it has two lines") };
        assert_eq!((left.text, left.cuts, right.text, right.cuts), ("a\n", 2, "bbbbbbbb", 0));
    }
}
