//! From files to lines and words.

use super::{Fault, ReadError, TextError};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::str::FromStr;

/// More than any of these problems needs that can be solved. It ends the reading of what has no end, such as
/// `/dev/zero`.
const MAX_BYTES: u64 = 64 << 20;

/// What `parse` makes of the text in a file.
pub(crate) fn read<T>(path: &Path, parse: impl FnOnce(&str) -> Result<T, TextError>) -> Result<T, ReadError> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes));
    read.map_err(|source| ReadError::io(path, source))?;
    decoded(&bytes).and_then(parse).map_err(|error| ReadError::Text { path: path.to_owned(), error })
}

fn decoded(bytes: &[u8]) -> Result<&str, TextError> {
    if bytes.len() as u64 > MAX_BYTES {
        return Err(TextError::whole(Fault::new(format!("at most {} MiB", MAX_BYTES >> 20), "more")));
    }
    str::from_utf8(bytes).map_err(|error| {
        let place = error.valid_up_to();
        let line = 1 + bytes[..place].iter().filter(|&&byte| byte == b'\n').count();
        TextError::at(line, Fault::new("text in UTF-8", format!("the byte {:#04x}", bytes[place])))
    })
}

/// All lines, with their numbers, without spaces around them.
pub(crate) fn all_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines().map(str::trim))
}

/// The lines that are neither blank nor comments, which begin with `#`.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    all_lines(text).filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// A word as a number. `what` says what it should be.
pub(crate) fn number<T: FromStr>(word: Option<&str>, what: impl std::fmt::Display) -> Result<T, Fault> {
    let Some(word) = word else { return Err(Fault::new(what, "the end of the line")) };
    word.parse().map_err(|_| Fault::new(what, quoted(word)))
}

/// Nothing may follow.
pub(crate) fn end<'w>(mut words: impl Iterator<Item = &'w str>) -> Result<(), Fault> {
    words.next().map_or(Ok(()), |word| Err(Fault::new("the end of the line", quoted(word))))
}

/// A word of the file as a message shows it, truncated if it is long.
pub(crate) fn quoted(word: &str) -> String {
    const MOST: usize = 40;
    match word.char_indices().nth(MOST) {
        Some((place, _)) => format!("{:?} and more", &word[..place]),
        None => format!("{word:?}"),
    }
}
