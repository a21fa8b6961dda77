//! The reader of knapsacks.

use super::{Knapsack, Thing};
use crate::read::{Fault, Line, ReadError, TextError, lines, read};
use std::path::Path;

impl Knapsack {
    /// Reads a text whose first line has the number of things and the capacity, and each further line the value and the
    /// weight of a thing. Blank lines and lines that begin with `#` are skipped.
    ///
    /// # Errors
    ///
    /// If a line has something else, or there are more or fewer things.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let mut lines = lines(text)?;
        let Some(header) = lines.next() else {
            return Err(TextError::whole(Fault::new("the number of things and the capacity", "an empty file")));
        };
        let (count, capacity) = pair(header, "the number of things, from 0 up", "the capacity, from 0 up")?;
        let expected = format!("{count} things, as line {} says", header.place.line);
        let mut things = Vec::new();
        for line in lines {
            if things.len() as u64 == count {
                return Err(line.place.expected(expected, "another line"));
            }
            let (value, weight) = pair(line, "a value, from 0 up", "a weight, from 0 up")?;
            things.push(Thing { value, weight });
        }
        if (things.len() as u64) < count {
            return Err(TextError::whole(Fault::new(expected, things.len())));
        }
        Knapsack::new(capacity, &things).map_err(TextError::whole)
    }

    /// Reads a file; see [`parse`](Self::parse).
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or `parse` fails.
    pub fn read(path: &Path) -> Result<Self, ReadError> {
        read(path, Self::parse)
    }
}

/// The two numbers of a line.
fn pair(line: Line<'_>, first: &str, second: &str) -> Result<(u64, u64), TextError> {
    let mut words = line.words();
    let pair = (words.number(first)?, words.number(second)?);
    words.end()?;
    Ok(pair)
}
