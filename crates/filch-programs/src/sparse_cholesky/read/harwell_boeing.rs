//! The format of the Harwell-Boeing collection (Duff, Grimes and Lewis 1989, "Sparse Matrix Test Problems"), of real
//! symmetric matrices.
//!
//! Four lines are a header, with the number of lines of each part and its Fortran format. The parts follow: where each
//! column begins in the list of elements, their rows, and their values. Numbers have a fixed width, so there need be no
//! spaces between them.

use super::fault::{Fault, number, quoted, side, value};
use crate::sparse_cholesky::mesh::Element;

/// Reads a text: the number of rows, and the elements on and below the diagonal.
pub(super) fn parse(text: &str) -> Result<(usize, Vec<Element>), Fault> {
    let lines: Vec<&str> = text.lines().collect();
    let [_, cards, kind, formats, rest @ ..] = &lines[..] else {
        return Err(Fault::at(None, "four lines of a header", "the end of the file"));
    };
    let most = u64::from(u32::MAX);
    let count = |place: usize| number(2, field(cards, place, 14), "a number of lines", (0, most));
    let [begins, rows, values, right_sides] = [count(1)?, count(2)?, count(3)?, count(4).unwrap_or(0)];

    let found = field(kind, 0, 3);
    if !found.eq_ignore_ascii_case("RSA") {
        return Err(Fault::at(3, "RSA, a real, symmetric and assembled matrix", quoted(found)));
    }
    let side = side(3, field(kind, 1, 14), field(kind, 2, 14))?;
    let elements = number(3, field(kind, 3, 14), "a number of elements", (1, most))?;

    let of_begins = Format::of(field(formats, 0, 16), "(13I6)", "I")?;
    let of_rows = Format::of(field(formats, 1, 16), "(13I6)", "I")?;
    let of_values = Format::of(cut(formats, 32, 20), "(3E26.18)", "DEFG")?;

    // The lines of right-hand sides have a fifth line in the header, with their kind.
    let mut first = if right_sides > 0 { 5 } else { 4 };
    let mut part = |lines: u64, format: Format, what: &str, expected: u64| {
        let begin = first;
        first += lines as usize;
        let part = rest.get(begin - 4..).unwrap_or_default();
        let part = (begin + 1..).zip(part.iter().take(lines as usize));
        let fields: Vec<(usize, &str)> = part.flat_map(|(at, line)| format.fields(at, line)).collect();
        if fields.len() as u64 == expected {
            return Ok(fields);
        }
        Err(Fault::at(None, format!("{expected} {what}, as line 3 says"), fields.len()))
    };
    let begins = part(begins, of_begins, "begins of columns", side + 1)?;
    let rows = part(rows, of_rows, "rows", elements)?;
    let values = part(values, of_values, "values", elements)?;

    let mut found = Vec::new();
    let mut last = 1;
    for (column, &(at, text)) in begins.iter().enumerate() {
        let (low, high) = if column == 0 { (1, 1) } else { (last, elements + 1) };
        let begin = number(at, text, "the begin of a column", (low, high))?;
        for place in last..begin {
            let ((at, row), (line, a)) = (rows[place as usize - 1], values[place as usize - 1]);
            let row = number(at, row, "a row on or below the diagonal", (column as u64, side))?;
            found.push((row as u32 - 1, column as u32 - 1, value(line, a)?));
        }
        last = begin;
    }
    if last != elements + 1 {
        return Err(Fault::at(None, format!("{elements} elements in all columns"), last - 1));
    }
    Ok((side as usize, found))
}

/// A field of a line of fields of this width.
fn field(line: &str, place: usize, width: usize) -> &str {
    cut(line, place * width, width)
}

/// What is in these columns, as far as the line goes, without the spaces around it.
fn cut(line: &str, from: usize, width: usize) -> &str {
    line.get(from..line.len().min(from + width)).unwrap_or_default().trim()
}

/// How a line is divided.
#[derive(Clone, Copy)]
struct Format {
    fields: usize,
    width: usize,
}

impl Format {
    /// What a Fortran format such as `(13I6)` or `(1P,4D20.12)` says. `letters`: the kinds of numbers that may be.
    fn of(text: &str, example: &str, letters: &str) -> Result<Self, Fault> {
        let parsed = || {
            let inner = text.trim().to_ascii_uppercase();
            let inner = inner.strip_prefix('(')?.strip_suffix(')')?;
            // A scale changes what is written, and not what is read where there is an exponent.
            let inner = inner.split_once('P').map_or(inner, |(_, rest)| rest).trim_start_matches(',').trim();
            let (fields, width) = inner.split_once(|letter| letters.contains(letter))?;
            let fields = if fields.is_empty() { 1 } else { fields.parse().ok()? };
            let width = width.split('.').next()?.parse().ok()?;
            (fields > 0 && width > 0).then_some(Self { fields, width })
        };
        parsed().ok_or_else(|| Fault::at(4, format!("a format such as {example}"), quoted(text.trim())))
    }

    /// The fields of a line, with its number.
    fn fields(self, at: usize, line: &str) -> impl Iterator<Item = (usize, &str)> {
        let fields = (0..self.fields).map(move |place| (at, field(line, place, self.width)));
        fields.take_while(|(_, text)| !text.is_empty())
    }
}
