//! The words of a line.

/// Whether this separates words: a space or a tab.
#[inline(always)]
pub fn is_space(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// The words of a line, separated by spaces and tabs, and their positions.
#[derive(Clone, Debug)]
pub struct Words<'a> {
    line: &'a [u8],
    at: usize,
}

impl<'a> Words<'a> {
    /// The words of a line without its newline.
    #[inline]
    pub fn of(line: &'a [u8]) -> Self {
        Words { line, at: 0 }
    }

    /// Whether there is another word.
    #[inline]
    pub fn peek(&self) -> bool {
        self.line[self.at..].iter().any(|&byte| !is_space(byte))
    }

    /// Where the next word begins, or the end of the line.
    #[inline]
    pub fn place(&self) -> usize {
        self.line[self.at..].iter().position(|&byte| !is_space(byte)).map_or(self.line.len(), |len| self.at + len)
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = (usize, &'a [u8]);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let start = self.at + self.line[self.at..].iter().position(|&byte| !is_space(byte))?;
        let len = self.line[start..].iter().position(|&byte| is_space(byte));
        self.at = len.map_or(self.line.len(), |len| start + len);
        Some((start, &self.line[start..self.at]))
    }
}

/// A word as shown in error messages, truncated if it is long.
pub fn shown(word: &[u8]) -> String {
    const MOST_CHARS: usize = 40;
    let word = String::from_utf8_lossy(&word[..word.len().min(4 * MOST_CHARS + 1)]);
    match word.char_indices().nth(MOST_CHARS) {
        Some((cut, _)) => format!("{}...", &word[..cut]),
        None => word.into_owned(),
    }
}
