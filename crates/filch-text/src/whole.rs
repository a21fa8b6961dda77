//! Small texts as a whole.

use std::path::Path;

use crate::error::{FileError, TextFault};
use crate::name::named;
use crate::source::Source;
use crate::start::{BYTE_ORDER_MARK, text_start};

/// The text of a file of at most `most` bytes after decompression, without a byte order mark. The limit ends the
/// reading of what has no end, such as `/dev/zero`.
///
/// # Errors
///
/// If the file cannot be read, is longer, or is no text: see [`decoded`].
pub fn read_text(path: &Path, most: u64) -> Result<String, FileError> {
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
            break;
        }
    }
    decoded(bytes).map_err(|(line, column, fault)| FileError::Text {
        path: named(path).to_owned(),
        line,
        column,
        fault,
    })
}

/// The text that these bytes are, without a byte order mark.
///
/// # Errors
///
/// The line, the byte within it, both counted from 1, and what is wrong there: if the bytes are not in UTF-8, if one is
/// 0, if there is another byte order mark, or if a carriage return does not end a line.
pub fn decoded(mut bytes: Vec<u8>) -> Result<String, (u64, u64, TextFault)> {
    let start = text_start(&bytes).map_err(|fault| (1, 1, fault))?;
    bytes.drain(..start);
    let text = String::from_utf8(bytes).map_err(|error| {
        let (good, bad) = error.as_bytes().split_at(error.utf8_error().valid_up_to());
        at(good, TextFault::NotText { byte: bad[0] })
    })?;
    let bytes = text.as_bytes();
    let bad = (0..bytes.len()).find_map(|place| match bytes[place] {
        0 => Some((place, TextFault::NotText { byte: 0 })),
        b'\r' if bytes.get(place + 1).is_some_and(|&next| next != b'\n') => Some((place, TextFault::LoneReturn)),
        0xef if bytes[place..].starts_with(BYTE_ORDER_MARK) => Some((place, TextFault::Mark)),
        _ => None,
    });
    match bad {
        Some((place, fault)) => Err(at(&bytes[..place], fault)),
        None => Ok(text),
    }
}

/// A fault behind these bytes.
fn at(before: &[u8], fault: TextFault) -> (u64, u64, TextFault) {
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
    (line as u64, (before.len() - start) as u64 + 1, fault)
}
