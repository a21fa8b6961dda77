//! The reader of sudoku.

use super::Sudoku;
use crate::read::{Fault, Line, Place, ReadError, TextError, all_lines, quoted, read};
use std::path::Path;

impl Sudoku {
    /// Reads boards. A board of 9 rows is a line of 81 symbols, or 9 lines of 9; one of 16 rows is a line of
    /// 256, or 16 lines of 16; one of 4 rows is 4 lines of 4. Symbols are the digits and, from 10 on, the letters A to
    /// G; 0 and `.` are cells to be filled. Spaces and `|` are skipped, and so are blank lines and lines of `-` and
    /// `+`. A line that begins with `#` is a comment; right above a board, it is the name of the board.
    ///
    /// # Errors
    ///
    /// If the text has no boards, or has one that is malformed, incomplete or contradicts itself.
    pub fn parse(text: &str) -> Result<Vec<Self>, TextError> {
        let mut boards = Vec::new();
        let mut name = None;
        let mut part = Part::default();
        for line in all_lines(text)? {
            let content = line.content;
            if let Some(comment) = content.strip_prefix('#') {
                name = Some(comment.trim().to_owned()).filter(|name| !name.is_empty());
            } else if content.chars().all(|symbol| "-+| \t".contains(symbol)) {
                // A comment that stands apart is about what follows, not about the next board.
                name = name.filter(|_| !part.lines.is_empty());
            } else {
                part.add(line)?;
                if part.is_whole() {
                    let Part { cells, lines, .. } = std::mem::take(&mut part);
                    let line = |row: usize| if lines.len() == 1 { lines[0] } else { lines[row - 1] };
                    let sudoku = Sudoku::new(&cells).map_err(|error| line(error.row).error(error.fault))?;
                    boards.push(Sudoku { name: name.take(), ..sudoku });
                }
            }
        }
        if let Some(&last) = part.lines.last() {
            return Err(last.expected(format!("{} rows in the last board", part.side), part.lines.len()));
        }
        if boards.is_empty() {
            return Err(TextError::whole(Fault::new("boards", "none")));
        }
        Ok(boards)
    }

    /// Reads a file; see [`parse`](Self::parse).
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or `parse` fails.
    pub fn read(path: &Path) -> Result<Vec<Self>, ReadError> {
        read(path, Self::parse)
    }
}

/// A board of which some lines have been read.
#[derive(Default)]
struct Part {
    cells: Vec<u8>,
    /// The lines that it comes from.
    lines: Vec<Place>,
    /// How many rows it has in all.
    side: usize,
}

impl Part {
    fn add(&mut self, line: Line<'_>) -> Result<(), TextError> {
        let cells = cells(line)?;
        self.side = match (self.lines.len(), cells.len()) {
            (0, 81) => 9,
            (0, 256) => 16,
            (0, side @ (4 | 9 | 16)) => side,
            (0, found) => {
                return Err(line.place.expected("a board of 81 or 256 cells, or a row of 4, 9 or 16", found));
            }
            (_, found) if found == self.side => found,
            (above, found) => {
                let expected = format!("row {} of a board, of {} cells", above + 1, self.side);
                return Err(line.place.expected(expected, found));
            }
        };
        self.cells.extend(cells);
        self.lines.push(line.place);
        Ok(())
    }

    fn is_whole(&self) -> bool {
        self.cells.len() == self.side * self.side
    }
}

/// The numbers in a line.
fn cells(line: Line<'_>) -> Result<Vec<u8>, TextError> {
    let number = |(at, symbol): (usize, char)| match symbol {
        '.' | '0' => Ok(0),
        '1'..='9' => Ok(symbol as u8 - b'0'),
        'A'..='G' => Ok(symbol as u8 - b'A' + 10),
        'a'..='g' => Ok(symbol as u8 - b'a' + 10),
        _ => {
            let found = quoted(symbol.encode_utf8(&mut [0; 4]));
            Err(line.skip(at).place.expected("cells: digits, letters A to G, or .", found))
        }
    };
    let symbols = line.content.char_indices().filter(|&(_, symbol)| !symbol.is_whitespace() && symbol != '|');
    symbols.map(number).collect()
}
