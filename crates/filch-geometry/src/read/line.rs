//! The lines of a text, and numbers in them.

use super::error::{Fault, Place};
use filch_text::Words;

/// The lines of a text that have words.
#[derive(Clone)]
pub(super) struct Lines<'a> {
    rest: &'a [u8],
    /// The number of lines so far.
    lines_read: u64,
    /// What begins a comment, which ends with its line.
    comment: Option<u8>,
}

/// A line that has words.
pub(super) struct Line<'a> {
    number: u64,
    /// Without a comment.
    text: &'a [u8],
    words: Words<'a>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(text: &'a [u8], comment: Option<u8>) -> Self {
        Lines { rest: text, lines_read: 0, comment }
    }

    /// The next line, or a fault if there is none.
    pub(super) fn expect(&mut self, expected: impl Into<String>) -> Result<Line<'a>, Fault> {
        self.next().ok_or_else(|| Fault::new(self.end(), expected, "the end of the file"))
    }

    /// Fails if there is another line.
    pub(super) fn expect_end(&mut self) -> Result<(), Fault> {
        self.next().map_or(Ok(()), |mut line| line.expect_end("the end of the file"))
    }

    /// The number of lines so far.
    pub(super) fn lines_read(&self) -> u64 {
        self.lines_read
    }

    /// What follows the lines so far.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    fn end(&self) -> Place {
        Place::Text { line: self.lines_read + 1, column: 1 }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        while !self.rest.is_empty() {
            let end = self.rest.iter().position(|&byte| byte == b'\n');
            let line = &self.rest[..end.unwrap_or(self.rest.len())];
            self.rest = end.map_or(&[], |end| &self.rest[end + 1..]);
            self.lines_read += 1;
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let comment = line.iter().position(|&byte| Some(byte) == self.comment);
            let line = &line[..comment.unwrap_or(line.len())];
            let words = Words::of(line);
            if words.peek() {
                return Some(Line { number: self.lines_read, text: line, words });
            }
        }
        None
    }
}

impl<'a> Line<'a> {
    fn place(&self, byte: usize) -> Place {
        Place::Text { line: self.number, column: byte as u64 + 1 }
    }

    /// Where the next word begins.
    pub(super) fn next_place(&self) -> Place {
        self.place(self.words.place())
    }

    pub(super) fn has_word(&self) -> bool {
        self.words.peek()
    }

    /// The next word and where it is.
    pub(super) fn word(&mut self, expected: &str) -> Result<(Place, &'a [u8]), Fault> {
        match self.words.next() {
            Some((byte, word)) => Ok((self.place(byte), word)),
            None => Err(Fault::new(self.place(self.text.len()), expected, "the end of the line")),
        }
    }

    /// The next word as a coordinate.
    pub(super) fn coordinate(&mut self) -> Result<f64, Fault> {
        const EXPECTED: &str = "a finite coordinate";
        let (place, word) = self.word(EXPECTED)?;
        let number = str::from_utf8(word).ok().and_then(|word| word.parse().ok());
        number.filter(|x: &f64| x.is_finite()).ok_or_else(|| Fault::word(place, EXPECTED, word))
    }

    /// The next words as the coordinates of a point.
    pub(super) fn point<const D: usize>(&mut self) -> Result<[f64; D], Fault> {
        let mut point = [0.0; D];
        for x in &mut point {
            *x = self.coordinate()?;
        }
        Ok(point)
    }

    /// The next word as a number that is not needed.
    pub(super) fn expect_number(&mut self) -> Result<(), Fault> {
        const EXPECTED: &str = "a number";
        let (place, word) = self.word(EXPECTED)?;
        let is_number = str::from_utf8(word).is_ok_and(|word| word.parse::<f64>().is_ok());
        if is_number { Ok(()) } else { Err(Fault::word(place, EXPECTED, word)) }
    }

    /// Fails if something else than at most so many numbers, which are not needed, follows.
    pub(super) fn expect_numbers(&mut self, most: usize) -> Result<(), Fault> {
        let mut numbers = 0;
        while numbers < most && self.has_word() {
            self.expect_number()?;
            numbers += 1;
        }
        self.expect_end("the end of the line")
    }

    /// Fails if the line ends in a backslash, which means that the next one continues it.
    pub(super) fn expect_whole(&self) -> Result<(), Fault> {
        match self.text.strip_suffix(b"\\") {
            Some(before) => {
                Err(Fault::new(self.place(before.len()), "a statement in one line", "a backslash, which continues it"))
            }
            None => Ok(()),
        }
    }

    /// The next word as a whole number.
    pub(super) fn count(&mut self, expected: &str) -> Result<u64, Fault> {
        let (place, word) = self.word(expected)?;
        whole(word).ok_or_else(|| Fault::word(place, expected, word))
    }

    /// The next word as the index of one of so many vertices, counted from `first`. Returns it counted from 0.
    pub(super) fn vertex(&mut self, first: u64, vertices: u64) -> Result<u32, Fault> {
        let expected = || expected_vertex(first, vertices);
        let (place, word) = self.word("a vertex")?;
        let index = whole(word).and_then(|index| index.checked_sub(first)).filter(|&index| index < vertices);
        index.and_then(|index| u32::try_from(index).ok()).ok_or_else(|| Fault::word(place, expected(), word))
    }

    /// Fails if there is another word.
    pub(super) fn expect_end(&mut self, expected: &str) -> Result<(), Fault> {
        let next = self.words.next();
        next.map_or(Ok(()), |(byte, word)| Err(Fault::word(self.place(byte), expected, word)))
    }
}

/// What is expected as the index of one of so many vertices.
pub(super) fn expected_vertex(first: u64, vertices: u64) -> String {
    match vertices {
        0 => "no vertex, as there are none".to_owned(),
        _ => format!("a vertex from {first} to {}", first + vertices - 1),
    }
}

fn whole(word: &[u8]) -> Option<u64> {
    let word = str::from_utf8(word).ok().filter(|word| word.bytes().all(|byte| byte.is_ascii_digit()))?;
    // So that the sum of two of them does not overflow.
    word.parse().ok().filter(|&count| count <= u64::MAX / 2)
}
