//! The characters, lines, words and fields of a text.
//!
//! A text has no indices of those, so it is divided by bytes, at the next place where a cut changes nothing.

use crate::OnFilch;
use crate::drive::drive_divisible;
use crate::piece::{Piece, Units};
use crate::separator::Separator;
use crate::unindexed::Unindexed;
use crate::units::{CharIndices, Chars, Fields, Lines, Terminated, Words};
use rayon::iter::plumbing::UnindexedConsumer;
use rayon::iter::{Copied, IntoParallelRefIterator, ParallelIterator};

/// `filch()` on a text.
pub trait FilchStr {
    /// Has Filch drive the iterators over this text.
    ///
    /// ```
    /// use filch_rayon::prelude::*;
    ///
    /// let text = "to be\nor not\nto be";
    /// let longest = text.filch().par_lines().map(str::len).max();
    /// assert_eq!(longest, Some(6));
    /// ```
    ///
    /// Work: that of the serial loop over the text, and some tens of nanoseconds for each block of some microseconds.
    /// Span: that of the longest block or the longest item, and the logarithm of the number of bytes.
    fn filch(&self) -> StrOnFilch<'_>;
}

impl FilchStr for str {
    fn filch(&self) -> StrOnFilch<'_> {
        StrOnFilch { text: self }
    }
}

/// A text, whose iterators Filch drives; see [`filch()`](FilchStr::filch). The methods are these of
/// [`rayon::str::ParallelString`]: by characters, bytes, lines, white space, and separators that are left out
/// (`par_split`) or kept (`par_split_inclusive`). Order is kept where rayon keeps it.
#[must_use = "it has iterators over a text, and does nothing by itself"]
#[derive(Clone, Copy, Debug)]
pub struct StrOnFilch<'t> {
    text: &'t str,
}

impl<'t> StrOnFilch<'t> {
    fn parts<U>(self, units: U) -> Parts<'t, U> {
        Parts { text: self.text, units }
    }

    /// [`str::chars`].
    #[must_use = "an iterator does nothing unless consumed"]
    pub fn par_chars(self) -> impl ParallelIterator<Item = char> {
        self.parts(Chars)
    }

    /// [`str::char_indices`].
    #[must_use = "an iterator does nothing unless consumed"]
    pub fn par_char_indices(self) -> impl ParallelIterator<Item = (usize, char)> {
        self.parts(CharIndices)
    }

    /// [`str::bytes`], which are indexed.
    pub fn par_bytes(self) -> OnFilch<Copied<rayon::slice::Iter<'t, u8>>> {
        crate::Filch::filch(self.text.as_bytes().par_iter()).copied()
    }

    /// [`str::lines`].
    #[must_use = "an iterator does nothing unless consumed"]
    pub fn par_lines(self) -> impl ParallelIterator<Item = &'t str> {
        self.parts(Lines)
    }

    /// [`str::split_whitespace`].
    #[must_use = "an iterator does nothing unless consumed"]
    pub fn par_split_whitespace(self) -> impl ParallelIterator<Item = &'t str> {
        // Without white space at its ends, it has words on both sides of each cut.
        Parts { text: self.text.trim(), units: Words }
    }

    /// [`str::split`]. The separator is a character, an array or slice of characters, or a closure.
    ///
    /// ```
    /// use filch_rayon::prelude::*;
    ///
    /// let fields: Vec<&str> = "a,b,,c".filch().par_split(',').collect();
    /// assert_eq!(fields, ["a", "b", "", "c"]);
    /// ```
    #[must_use = "an iterator does nothing unless consumed"]
    pub fn par_split<S: Separator>(self, separator: S) -> impl ParallelIterator<Item = &'t str> {
        self.parts(Fields(separator))
    }

    /// [`str::split_inclusive`], with separators as in [`par_split`](Self::par_split).
    #[must_use = "an iterator does nothing unless consumed"]
    pub fn par_split_inclusive<S: Separator>(self, separator: S) -> impl ParallelIterator<Item = &'t str> {
        self.parts(Terminated(separator))
    }
}

/// The parts of a text of one kind, on Filch.
struct Parts<'t, U> {
    text: &'t str,
    units: U,
}

impl<'t, U: Units<'t>> ParallelIterator for Parts<'t, U> {
    type Item = U::Item;

    fn drive_unindexed<C>(self, consumer: C) -> C::Result
    where
        C: UnindexedConsumer<U::Item>,
    {
        let Parts { text, units } = &self;
        drive_divisible(text.len(), Piece::whole(text, units), Unindexed(consumer))
    }
}
