//! What texts are divided into, and where they can be cut.

use crate::piece::Units;
use crate::separator::Separator;
use rayon::iter::plumbing::Folder;
use std::ops::Range;

/// Characters. There is a cut between any two.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chars;

/// Characters and their places.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CharIndices;

/// Lines. There is a cut after each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines;

/// What is between white space, without what is empty. All white space between two words is one cut.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words;

/// What is between separators. These are cuts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields<S>(pub(crate) S);

/// What ends with a separator. There is a cut after each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terminated<S>(pub(crate) S);

fn moved(cut: Range<usize>, by: usize) -> Range<usize> {
    cut.start + by..cut.end + by
}

fn after(separator: Range<usize>) -> Range<usize> {
    separator.end..separator.end
}

/// All the white space around `space`.
fn widened(text: &str, space: Range<usize>) -> Range<usize> {
    text[..space.start].trim_end().len()..text.len() - text[space.end..].trim_start().len()
}

impl<'t> Units<'t> for Chars {
    type Item = char;

    fn cut_from(&self, text: &str, from: usize) -> Option<Range<usize>> {
        let from = if from == 0 { text.chars().next()?.len_utf8() } else { from };
        (from < text.len()).then_some(from..from)
    }

    fn cut_to(&self, _: &str, to: usize) -> Option<Range<usize>> {
        Some(to..to)
    }

    fn fold<F: Folder<char>>(&self, text: &'t str, _: usize, folder: F) -> F {
        folder.consume_iter(text.chars())
    }
}

impl<'t> Units<'t> for CharIndices {
    type Item = (usize, char);

    fn cut_from(&self, text: &str, from: usize) -> Option<Range<usize>> {
        Chars.cut_from(text, from)
    }

    fn cut_to(&self, text: &str, to: usize) -> Option<Range<usize>> {
        Chars.cut_to(text, to)
    }

    fn fold<F: Folder<(usize, char)>>(&self, text: &'t str, start: usize, folder: F) -> F {
        folder.consume_iter(text.char_indices().map(|(place, character)| (start + place, character)))
    }
}

impl<'t> Units<'t> for Lines {
    type Item = &'t str;

    fn cut_from(&self, text: &str, from: usize) -> Option<Range<usize>> {
        Terminated('\n').cut_from(text, from)
    }

    fn cut_to(&self, text: &str, to: usize) -> Option<Range<usize>> {
        Terminated('\n').cut_to(text, to)
    }

    fn fold<F: Folder<&'t str>>(&self, text: &'t str, _: usize, folder: F) -> F {
        folder.consume_iter(text.lines())
    }
}

impl<'t> Units<'t> for Words {
    type Item = &'t str;

    fn cut_from(&self, text: &str, from: usize) -> Option<Range<usize>> {
        Fields(char::is_whitespace).cut_from(text, from).map(|space| widened(text, space))
    }

    fn cut_to(&self, text: &str, to: usize) -> Option<Range<usize>> {
        Fields(char::is_whitespace).cut_to(text, to).map(|space| widened(text, space))
    }

    fn fold<F: Folder<&'t str>>(&self, text: &'t str, _: usize, folder: F) -> F {
        folder.consume_iter(text.split_whitespace())
    }
}

impl<'t, S: Separator> Units<'t> for Fields<S> {
    type Item = &'t str;

    fn cut_from(&self, text: &str, from: usize) -> Option<Range<usize>> {
        Some(moved(self.0.first(&text[from..])?, from))
    }

    fn cut_to(&self, text: &str, to: usize) -> Option<Range<usize>> {
        self.0.last(&text[..to])
    }

    fn fold<F: Folder<&'t str>>(&self, text: &'t str, _: usize, folder: F) -> F {
        self.0.split(text, folder)
    }
}

impl<'t, S: Separator> Units<'t> for Terminated<S> {
    type Item = &'t str;

    fn cut_from(&self, text: &str, from: usize) -> Option<Range<usize>> {
        Some(after(moved(self.0.first(&text[from..])?, from)))
    }

    fn cut_to(&self, text: &str, to: usize) -> Option<Range<usize>> {
        Some(after(self.0.last(&text[..to])?))
    }

    fn fold<F: Folder<&'t str>>(&self, text: &'t str, _: usize, folder: F) -> F {
        self.0.split_inclusive(text, folder)
    }
}
