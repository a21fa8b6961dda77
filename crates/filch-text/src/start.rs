//! How texts begin.

use crate::error::TextFault;

/// U+FEFF in UTF-8. Some systems write it at the beginning of text files.
pub const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The length of the byte order mark at the beginning of a text file, 0 if there is none.
///
/// # Errors
///
/// [`TextFault::Utf16`] if the first bytes show that the text is not in UTF-8.
pub fn text_start(text: &[u8]) -> Result<usize, TextFault> {
    // U+FEFF in UTF-16. Some shells write UTF-16 by default.
    if matches!(text, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]) {
        return Err(TextFault::Utf16);
    }
    Ok(if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 })
}
