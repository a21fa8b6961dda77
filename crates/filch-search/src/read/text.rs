//! From files to lines and words.

use super::{Place, ReadError, TextError};
use filch_text::{check_text, named, read_text, shown};
use std::fmt::Display;
use std::path::Path;
use std::str::FromStr;

/// More than any of these problems needs that can be solved. It ends the reading of what has no end, such as
/// `/dev/zero`.
const MAX_BYTES: u64 = 64 << 20;

/// What `parse` makes of the text in a file.
pub(crate) fn read<T>(path: &Path, parse: impl FnOnce(&str) -> Result<T, TextError>) -> Result<T, ReadError> {
    let text = read_text(path, MAX_BYTES)?;
    parse(&text).map_err(|error| ReadError::Text { path: named(path).to_owned(), error })
}

/// A line without the spaces around it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'t> {
    /// Where it begins.
    pub(crate) place: Place,
    pub(crate) content: &'t str,
}

/// All lines of a text.
pub(crate) fn all_lines(text: &str) -> Result<impl Iterator<Item = Line<'_>>, TextError> {
    let all = (1..).zip(check_text(text)?.lines());
    Ok(all.map(|(line, whole)| Line { place: Place { line, column: 1 }, content: whole.trim_end() }.skip(0)))
}

/// The lines that are neither blank nor comments, which begin with `#`.
pub(crate) fn lines(text: &str) -> Result<impl Iterator<Item = Line<'_>>, TextError> {
    Ok(all_lines(text)?.filter(|line| !line.content.is_empty() && !line.content.starts_with('#')))
}

impl<'t> Line<'t> {
    pub(crate) fn words(&self) -> Words<'t> {
        Words { place: self.place, rest: self.content }
    }

    /// What it has from `at` on.
    pub(crate) fn skip(&self, at: usize) -> Line<'t> {
        let rest = &self.content[at..];
        let content = rest.trim_start();
        let column = self.place.column + at + rest.len() - content.len();
        Line { place: Place { column, ..self.place }, content }
    }
}

/// A word of a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<'t> {
    pub(crate) place: Place,
    pub(crate) text: &'t str,
}

impl Word<'_> {
    /// The error of a word that is not what is expected.
    pub(crate) fn not(self, expected: impl Display) -> TextError {
        self.place.expected(expected, quoted(self.text))
    }

    /// The number that it is. `what` says what it should be.
    pub(crate) fn number<T: FromStr>(self, what: impl Display) -> Result<T, TextError> {
        self.text.parse().map_err(|_| self.not(what))
    }
}

/// The words of a line.
#[derive(Clone, Debug)]
pub(crate) struct Words<'t> {
    /// Where the rest begins.
    place: Place,
    rest: &'t str,
}

impl<'t> Iterator for Words<'t> {
    type Item = Word<'t>;

    fn next(&mut self) -> Option<Word<'t>> {
        let begin = self.rest.find(|letter: char| !letter.is_whitespace())?;
        let end = self.rest[begin..].find(char::is_whitespace).map_or(self.rest.len(), |len| begin + len);
        let word = Word { place: self.at(begin), text: &self.rest[begin..end] };
        (self.place, self.rest) = (self.at(end), &self.rest[end..]);
        Some(word)
    }
}

impl<'t> Words<'t> {
    fn at(&self, offset: usize) -> Place {
        Place { column: self.place.column + offset, ..self.place }
    }

    /// The next word. `what` says what it should be.
    pub(crate) fn word(&mut self, what: impl Display) -> Result<Word<'t>, TextError> {
        let end = self.at(self.rest.len());
        self.next().ok_or_else(|| end.expected(what, "the end of the line"))
    }

    /// The next word as a number.
    pub(crate) fn number<T: FromStr>(&mut self, what: impl Display) -> Result<T, TextError> {
        self.word(&what)?.number(&what)
    }

    /// Nothing may follow.
    pub(crate) fn end(mut self) -> Result<(), TextError> {
        self.next().map_or(Ok(()), |word| Err(word.not("the end of the line")))
    }
}

/// A word of the file as a message shows it, truncated if it is long.
pub(crate) fn quoted(word: &str) -> String {
    format!("{:?}", shown(word.as_bytes()))
}
