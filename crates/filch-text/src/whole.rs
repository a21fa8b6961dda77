//! Small files as a whole.

use std::path::Path;

use crate::error::{FileError, TextFault};
use crate::name::named;
use crate::source::Source;
use crate::start::{BYTE_ORDER_MARK, text_start};

/// The bytes of a file, of which there are at most `most` after decompression. The limit ends the reading of what has no
/// end, such as `/dev/zero`.
///
/// # Errors
///
/// If the file cannot be read, or is longer.
pub fn read_bytes(path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
    let mut stream = Source::open(path)?.into_stream()?;
    let mut bytes = Vec::new();
    let wanted = usize::try_from(most).unwrap_or(usize::MAX).saturating_add(1);
    loop {
        /// So that no more memory is reserved than a file justifies.
        const PIECE: usize = 1 << 20;
        let len = wanted.min(bytes.len() + PIECE);
        let is_whole = stream.fill(&mut bytes, len).map_err(|error| {
            let lines = bytes.iter().filter(|&&byte| byte == b'\n').count();
            stream.error(path, error, lines as u64)
        })?;
        if bytes.len() as u64 > most {
            return Err(FileError::TooLarge { path: named(path).to_owned(), most });
        }
        if is_whole {
            return Ok(bytes);
        }
    }
}

/// The text of a file, as [`read_bytes`] reads it, without a byte order mark.
///
/// # Errors
///
/// Those of [`read_bytes`], and if the file is no text: see [`decoded`].
pub fn read_text(path: &Path, most: u64) -> Result<String, FileError> {
    decoded(read_bytes(path, most)?).map_err(|bad| FileError::Text {
        path: named(path).to_owned(),
        line: bad.line,
        column: bad.column,
        fault: bad.fault,
    })
}

/// Where bytes are no text: the line, and the byte within it, both counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadText {
    /// The line.
    pub line: u64,
    /// The byte within the line.
    pub column: u64,
    /// What is wrong there.
    pub fault: TextFault,
}

/// The text that these bytes are, without a byte order mark.
///
/// # Errors
///
/// If the bytes are not in UTF-8, and as for [`check_text`].
pub fn decoded(mut bytes: Vec<u8>) -> Result<String, BadText> {
    let start = text_start(&bytes).map_err(|fault| BadText { line: 1, column: 1, fault })?;
    bytes.drain(..start);
    let text = String::from_utf8(bytes).map_err(|error| {
        let (good, bad) = error.as_bytes().split_at(error.utf8_error().valid_up_to());
        BadText::behind(good, TextFault::NotText { byte: bad[0] })
    })?;
    check(&text)?;
    Ok(text)
}

/// The text without a byte order mark.
///
/// # Errors
///
/// If a byte is 0, if there is another byte order mark, or if a carriage return does not end a line: these would be
/// parts of words that are not shown.
pub fn check_text(text: &str) -> Result<&str, BadText> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    check(text)?;
    Ok(text)
}

fn check(text: &str) -> Result<(), BadText> {
    let bytes = text.as_bytes();
    let bad = (0..bytes.len()).find_map(|place| match bytes[place] {
        0 => Some((place, TextFault::NotText { byte: 0 })),
        b'\r' if bytes.get(place + 1).is_some_and(|&next| next != b'\n') => Some((place, TextFault::LoneReturn)),
        0xef if bytes[place..].starts_with(BYTE_ORDER_MARK) => Some((place, TextFault::Mark)),
        _ => None,
    });
    bad.map_or(Ok(()), |(place, fault)| Err(BadText::behind(&bytes[..place], fault)))
}

impl BadText {
    fn behind(before: &[u8], fault: TextFault) -> Self {
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        BadText { line: line as u64, column: (before.len() - start) as u64 + 1, fault }
    }
}
