//! The reader of knapsacks.

use super::{Knapsack, Thing};
use crate::read::{Fault, ReadError, TextError, end, lines, number, read};
use std::path::Path;

impl Knapsack {
    /// Reads a text whose first line has the number of things and the capacity, and each further line the value and the
    /// weight of a thing. Blank lines and lines that begin with `#` are skipped.
    ///
    /// # Errors
    ///
    /// If a line has something else, or there are more or fewer things.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let mut lines = lines(text);
        let pair = |(line, content): (usize, &str), first: &str, second: &str| {
            let mut words = content.split_whitespace();
            let mut pair = || Ok((number(words.next(), first)?, number(words.next(), second)?, end(&mut words)?));
            pair().map(|(first, second, ())| (first, second)).map_err(|fault| TextError::at(line, fault))
        };
        let Some(header) = lines.next() else {
            return Err(TextError::whole(Fault::new("the number of things and the capacity", "an empty file")));
        };
        let (count, capacity): (u64, u64) = pair(header, "the number of things, from 0 up", "the capacity, from 0 up")?;
        let mut things = Vec::new();
        for (line, content) in lines {
            if things.len() as u64 == count {
                let found = "another line";
                return Err(TextError::at(
                    line,
                    Fault::new(format!("{count} things, as line {} says", header.0), found),
                ));
            }
            let (value, weight) = pair((line, content), "a value, from 0 up", "a weight, from 0 up")?;
            things.push(Thing { value, weight });
        }
        if (things.len() as u64) < count {
            return Err(TextError::whole(Fault::new(
                format!("{count} things, as line {} says", header.0),
                things.len(),
            )));
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
