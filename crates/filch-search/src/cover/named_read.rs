//! The readers of exact covers: a row on a line, by the names of its columns, which Knuth's programs list first.

use super::{ExactCover, NamedCover};
use crate::read::{Fault, Line, Place, ReadError, TextError, Word, all_lines, lines, read};
use std::collections::HashMap;
use std::path::Path;

/// What separates primary columns from secondary ones, and begins a comment in the format of Knuth's programs.
const BAR: &str = "|";

/// What is between the name of a secondary column and its colour.
const COLON: char = ':';

impl NamedCover {
    /// Reads a text in which each line is a row: the names of its columns, separated by spaces, and behind a bar `|`
    /// those of its secondary columns. A colour of a secondary column stands behind a colon: `name:colour`. Blank lines
    /// and lines that begin with `#` are skipped. A text whose first line begins with a bar is read by
    /// [`parse_dlx`](Self::parse_dlx).
    ///
    /// A name is primary in all rows, or secondary in all. The columns are numbered in the order in which the file
    /// names them.
    ///
    /// # Errors
    ///
    /// If the text has no rows, or has a row without a primary column, with a column named twice, with two bars, or
    /// with a column that is primary in one row and secondary in another; if a bar or a colon is part of a name.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let first = all_lines(text)?.find(|line| !line.content.is_empty());
        if first.is_some_and(|line| line.content.starts_with(BAR)) {
            return Self::parse_dlx(text);
        }
        let mut names = Names::default();
        let mut rows = Vec::new();
        for line in lines(text)? {
            rows.push((line.place.line, names.row(line)?));
        }
        if rows.is_empty() {
            return Err(TextError::whole(Fault::new("lines with the names of columns", "none")));
        }
        names.cover(rows)
    }

    /// Reads a text in the format of Knuth's programs DLX2 and XCC (Knuth 2022, section 7.2.2.1): the first line lists
    /// the columns, which are called items, the secondary ones behind a bar `|`, and each other line is a row, which is
    /// called an option, without a bar. A colour of a secondary column stands behind a colon. Blank lines and lines
    /// that begin with a bar are skipped.
    ///
    /// # Errors
    ///
    /// If the text has no line of items; if a row has no primary item, one twice, or one that is not listed; if a
    /// primary item has a colour. Numbers of repetitions (`2|3:item`, as DLX3 has them) are refused.
    pub fn parse_dlx(text: &str) -> Result<Self, TextError> {
        let mut lines = all_lines(text)?.filter(|line| !line.content.is_empty() && !line.content.starts_with(BAR));
        let items = lines.next().ok_or_else(|| TextError::whole(Fault::new("a line that lists the items", "none")))?;
        let mut names = Names::default();
        names.items(items)?;
        let mut rows = Vec::new();
        for line in lines {
            rows.push((line.place.line, names.option(line, items.place.line)?));
        }
        names.cover(rows)
    }

    /// Reads a file; see [`parse`](Self::parse).
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or `parse` fails.
    pub fn read(path: &Path) -> Result<Self, ReadError> {
        read(path, Self::parse)
    }

    /// Reads a file; see [`parse_dlx`](Self::parse_dlx).
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or `parse_dlx` fails.
    pub fn read_dlx(path: &Path) -> Result<Self, ReadError> {
        read(path, Self::parse_dlx)
    }
}

/// What is known of a column.
struct Known {
    /// Its number among the columns of its kind.
    number: usize,
    /// The line that names it first.
    line: usize,
    /// The line that has named it last.
    latest: usize,
    is_primary: bool,
}

/// A column of a row: whether it is primary, its number among those that are or are not, and its colour.
type Entry = (bool, usize, Option<u32>);

/// The names of columns and colours.
#[derive(Default)]
struct Names<'t> {
    known: HashMap<&'t str, Known>,
    primary: Vec<&'t str>,
    secondary: Vec<&'t str>,
    colours: Vec<&'t str>,
    numbers: HashMap<&'t str, u32>,
}

impl<'t> Names<'t> {
    /// A line of columns, which may be new.
    fn row(&mut self, line: Line<'t>) -> Result<Vec<Entry>, TextError> {
        let mut row = Vec::new();
        for (word, is_primary) in parts(line)? {
            let (name, colour) = self.split(word)?;
            if is_primary && colour.is_some() {
                return Err(word.not("a primary column, which has no colour"));
            }
            let number = self.named(word.place, name, is_primary)?;
            row.push((is_primary, number, colour));
        }
        if !row.first().is_some_and(|&(is_primary, ..)| is_primary) {
            return Err(line.place.expected("a primary column before the |", "none"));
        }
        Ok(row)
    }

    /// The line that lists the columns.
    fn items(&mut self, line: Line<'t>) -> Result<(), TextError> {
        for (word, is_primary) in parts(line)? {
            if word.text.contains(COLON) {
                return Err(word.not("the name of an item, without a colon"));
            }
            self.named(word.place, word.text, is_primary)?;
        }
        Ok(())
    }

    /// A line of columns that are listed in line `listed`.
    fn option(&mut self, line: Line<'t>, listed: usize) -> Result<Vec<Entry>, TextError> {
        let mut row: Vec<Entry> = Vec::new();
        for word in line.words() {
            if word.text.contains(BAR) {
                return Err(word.not("an item without a |, which belongs into the line that lists the items"));
            }
            let (name, colour) = self.split(word)?;
            let Some(&Known { is_primary, .. }) = self.known.get(name) else {
                return Err(word.not(format!("an item that line {listed} lists")));
            };
            if is_primary && colour.is_some() {
                return Err(word.not("a primary item, which has no colour"));
            }
            let number = self.named(word.place, name, is_primary)?;
            row.push((is_primary, number, colour));
        }
        if !row.iter().any(|&(is_primary, ..)| is_primary) {
            return Err(line.place.expected("an option with a primary item", "none"));
        }
        Ok(row)
    }

    /// The name and the colour that a word is.
    fn split(&mut self, word: Word<'t>) -> Result<(&'t str, Option<u32>), TextError> {
        let Some((name, colour)) = word.text.split_once(COLON) else { return Ok((word.text, None)) };
        if name.is_empty() || colour.is_empty() || colour.contains(COLON) {
            return Err(word.not("a name, or a name and a colour with one colon between them"));
        }
        // There are fewer than letters, of which a text has fewer than 2^32.
        let number = *self.numbers.entry(colour).or_insert_with(|| {
            self.colours.push(colour);
            self.colours.len() as u32 - 1
        });
        Ok((name, Some(number)))
    }

    /// The number of the column of this name, which may be new, in another row than before.
    fn named(&mut self, place: Place, name: &'t str, is_primary: bool) -> Result<usize, TextError> {
        let line = place.line;
        let all = if is_primary { &mut self.primary } else { &mut self.secondary };
        let column = self.known.entry(name).or_insert_with(|| {
            all.push(name);
            Known { number: all.len() - 1, line, latest: 0, is_primary }
        });
        let kind = |is_primary| if is_primary { "primary" } else { "secondary" };
        if column.is_primary != is_primary {
            return Err(place.expected(
                format!("a {} column", kind(is_primary)),
                format!("{name:?}, which is {} in line {}", kind(column.is_primary), column.line),
            ));
        }
        if std::mem::replace(&mut column.latest, line) == line {
            return Err(place.expected("each column once in a row", format!("{name:?} twice")));
        }
        Ok(column.number)
    }

    /// The problem of these rows, with their lines.
    fn cover(self, rows: Vec<(usize, Vec<Entry>)>) -> Result<NamedCover, TextError> {
        let Names { primary, secondary, colours, .. } = self;
        let entry =
            |&(is_primary, number, colour): &Entry| (if is_primary { number } else { primary.len() + number }, colour);
        let entries = rows.iter().map(|(_, row)| row.iter().map(entry).collect::<Vec<_>>());
        let cover = ExactCover::coloured(primary.len(), secondary.len(), entries)
            .map_err(|error| TextError::whole(Fault::new("an exact cover problem", error)))?;
        let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        let lines = rows.iter().map(|&(line, _)| line).collect();
        Ok(NamedCover { cover, names: owned(&[primary, secondary].concat()), colours: owned(&colours), lines })
    }
}

/// The words of a line, and whether they stand before the bar.
fn parts(line: Line<'_>) -> Result<Vec<(Word<'_>, bool)>, TextError> {
    let mut parts = Vec::new();
    let mut is_primary = true;
    for word in line.words() {
        match word.text {
            BAR if is_primary => is_primary = false,
            BAR => return Err(word.place.expected("one | in a row", "two")),
            text if text.contains(BAR) => return Err(word.not("a | with spaces around it")),
            _ => parts.push((word, is_primary)),
        }
    }
    Ok(parts)
}
