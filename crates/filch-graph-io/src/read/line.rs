//! Parsing the lines of an edge list.
//!
//! The fast path reads plain lines: two numbers with one space or tab between them and nothing else. It reads eight
//! bytes at a time and has no branch on the number of digits, which is unpredictable. All other lines are left to
//! [`careful`], which implements the whole format.

use std::path::Path;

use filch_text::{Words, is_space, shown};

use super::error::ReadError;
use super::fault::LineFault;
use super::options::{ExtraColumns, FirstVertex, ReadOptions};
use filch_graph::Vertex;

/// What a valid line looks like.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    /// The number of the lowest vertex.
    first: u64,
    /// The largest possible number of vertices.
    count: u64,
    /// The number of vertices in the options, if given.
    declared: Option<usize>,
    extra: ExtraColumns,
}

impl Rules {
    /// The rules of the options. Fails if they declare more vertices than the type can number.
    pub(super) fn of<V: Vertex>(path: &Path, options: &ReadOptions) -> Result<Self, ReadError> {
        match options.num_vertices.filter(|&count| count > V::MAX_COUNT) {
            None => Ok(Rules::new::<V>(options.first_vertex, options.num_vertices, options.extra_columns)),
            Some(count) => {
                let (path, num_vertices) = (path.to_owned(), count as u64);
                Err(ReadError::TooManyVertices { path, num_vertices, most: V::MAX_COUNT })
            }
        }
    }

    fn new<V: Vertex>(first: FirstVertex, declared: Option<usize>, extra: ExtraColumns) -> Self {
        // Leaves out the highest 64-bit number, so that the number of vertices fits in 64 bits.
        let most = (V::MAX_COUNT as u64).min(u64::MAX - 1);
        Rules {
            first: first.number(),
            count: declared.map_or(most, |declared| most.min(declared as u64)),
            declared,
            extra,
        }
    }

    /// The highest number that may appear in a line.
    fn highest(&self) -> u64 {
        self.count.saturating_sub(1).saturating_add(self.first)
    }
}

/// The length of the byte order mark at the beginning of a text file, 0 if there is none. Fails if the first bytes show
/// that the file is not text in UTF-8.
pub(super) fn text_start(text: &[u8]) -> Result<usize, LineFault> {
    if matches!(text, [0 | 1, ..]) {
        return Err(LineFault::Serialized);
    }
    Ok(filch_text::text_start(text)?)
}

/// The first word of a Matrix Market file, in any case.
pub(super) const BANNER: &str = "%%MatrixMarket";

/// Whether this is the first word of a Matrix Market file. Some programs write it with one `%`.
pub(super) fn is_banner(word: &[u8]) -> bool {
    word.eq_ignore_ascii_case(BANNER.as_bytes()) || word.eq_ignore_ascii_case(&BANNER.as_bytes()[1..])
}

/// As [`text_start`], for an edge list. Also fails if the file is in another format whose lines alone would not show
/// it.
pub(super) fn opening(text: &[u8]) -> Result<usize, LineFault> {
    let start = text_start(text)?;
    // In an edge list, this line would be a comment.
    if text[start..].split(u8::is_ascii_whitespace).next().is_some_and(is_banner) {
        return Err(LineFault::MatrixMarket);
    }
    // So would this one, which KONECT's files of two kinds of vertices begin with.
    if text[start..].starts_with(b"% bip ") {
        return Err(LineFault::Bipartite);
    }
    Ok(start)
}

/// The two vertices of the line at `at`, and the position of the next line. `None` if the line is not plain, if it has
/// a fault, or if it is among the last bytes of the text.
#[inline(always)]
pub(super) fn plain(text: &[u8], at: usize, rules: &Rules) -> Option<(u64, u64, usize)> {
    let (u, after) = digits(text, at)?;
    if !is_space(*text.get(after)?) {
        return None;
    }
    let (v, mut after) = digits(text, after + 1)?;
    // Skips a timestamp or a whole weight.
    if rules.extra == ExtraColumns::Ignore && is_space(*text.get(after)?) {
        (_, after) = digits(text, after + 1)?;
    }
    let next = match *text.get(after)? {
        b'\n' => after + 1,
        b'\r' if text.get(after + 1) == Some(&b'\n') => after + 2,
        _ => return None,
    };
    // A number below `first` wraps around and exceeds `count`.
    let (u, v) = (u.wrapping_sub(rules.first), v.wrapping_sub(rules.first));
    (u.max(v) < rules.count).then_some((u, v, next))
}

/// The number at `at`, with up to 18 digits, and the position after it. `None` if there is no digit or more than 18, or
/// if the number is among the last bytes of the text.
#[inline(always)]
fn digits(text: &[u8], at: usize) -> Option<(u64, usize)> {
    let (mut value, count) = up_to_eight(word(text, at)?)?;
    if count < 8 {
        return Some((value, at + count as usize));
    }
    // Numbers of up to 18 digits cannot overflow 64 bits.
    for end in at + 8..at + 19 {
        let digit = text.get(end)?.wrapping_sub(b'0');
        if digit > 9 {
            return Some((value, end));
        }
        value = 10 * value + u64::from(digit);
    }
    None
}

#[inline(always)]
fn word(text: &[u8], at: usize) -> Option<u64> {
    text.get(at..)?.first_chunk::<8>().map(|bytes| u64::from_le_bytes(*bytes))
}

/// The number that begins with the lowest byte of `word`, and its number of digits, up to eight. `None` if there is no
/// digit.
///
/// Shifts the digits to the top, so that zeros precede them, and then combines adjacent digits to numbers of two, four
/// and eight digits (Lemire 2018, "Quickly parsing eight digits", lemire.me/blog).
#[inline(always)]
fn up_to_eight(word: u64) -> Option<(u64, u32)> {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let values = word ^ (EACH * 0x30);
    // Sets the high bit of each byte that is not a digit: 9 + 0x76 = 0x7f. A carry affects only bytes above the first
    // of these.
    let others = (values.wrapping_add(EACH * 0x76) | values) & (EACH * 0x80);
    let count = others.trailing_zeros() / 8;
    if count == 0 {
        return None;
    }
    let eight = values << (64 - 8 * count);
    let pairs = eight.wrapping_mul(10 * 0x100 + 1) >> 8;
    let fours = (pairs & 0x00ff_00ff_00ff_00ff).wrapping_mul(100 * 0x1_0000 + 1) >> 16;
    let value = (fours & 0x0000_ffff_0000_ffff).wrapping_mul(10_000 * 0x1_0000_0000 + 1) >> 32;
    Some((value, count))
}

/// Parses any line, without its end. Returns an edge, `None` for a comment or a blank line, or a fault and its byte
/// position.
pub(super) fn careful(line: &[u8], rules: &Rules) -> Result<Option<(u64, u64)>, (usize, LineFault)> {
    let mut words = Words::of(line);
    let Some((place, first)) = words.next() else { return Ok(None) };
    if matches!(first[0], b'#' | b'%') {
        return Ok(None);
    }
    let u = vertex(first, rules).map_err(|fault| (place, fault))?;
    let (place, second) = words.next().ok_or((line.len(), LineFault::OneVertex))?;
    let v = vertex(second, rules).map_err(|fault| (place, fault))?;
    skip_extra(words, rules.extra)?;
    Ok(Some((u, v)))
}

/// Passes over the words behind two vertices.
pub(super) fn skip_extra(words: Words<'_>, extra: ExtraColumns) -> Result<(), (usize, LineFault)> {
    for (place, word) in words {
        let number = || str::from_utf8(word).is_ok_and(|word| word.parse::<f64>().is_ok_and(f64::is_finite));
        match extra {
            ExtraColumns::Refuse => return Err((place, LineFault::ExtraColumn { found: shown(word) })),
            ExtraColumns::Ignore if number() => {}
            ExtraColumns::Ignore => return Err((place, LineFault::BadExtraColumn { found: shown(word) })),
        }
    }
    Ok(())
}

pub(super) fn vertex(word: &[u8], rules: &Rules) -> Result<u64, LineFault> {
    let number = |digits: &[u8]| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    if !number(word) {
        return Err(match word.strip_prefix(b"-") {
            Some(digits) if number(digits) => LineFault::Negative { found: shown(word) },
            _ if word.contains(&b',') => LineFault::Comma { found: shown(word) },
            _ => LineFault::NotANumber { found: shown(word) },
        });
    }
    let value =
        word.iter().try_fold(0_u64, |value, &digit| value.checked_mul(10)?.checked_add(u64::from(digit - b'0')));
    let Some(value) = value else {
        return Err(LineFault::Overflow { found: shown(word), highest: rules.highest() });
    };
    match value.checked_sub(rules.first) {
        None => Err(LineFault::Zero),
        Some(vertex) if vertex < rules.count => Ok(vertex),
        Some(_) => Err(match rules.declared {
            Some(num_vertices) => LineFault::OutOfRange { found: value, num_vertices, highest: rules.highest() },
            None => LineFault::Overflow { found: shown(word), highest: rules.highest() },
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_read_as_the_standard_library_reads_them() {
        let mut random = fastrand::Rng::with_seed(6);
        for _ in 0..20_000 {
            let bytes: Vec<u8> =
                (0..24).map(|_| if random.u8(..8) > 0 { random.u8(b'0'..=b'9') } else { random.u8(..) }).collect();
            let len = bytes.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(bytes.len());
            let expected = str::from_utf8(&bytes[..len]).unwrap().parse().ok().map(|value: u64| (value, len));
            let expected = expected.filter(|&(_, len)| (1..=18).contains(&len));
            assert_eq!(digits(&bytes, 0), expected, "{bytes:?}");
        }
    }

    #[test]
    fn a_plain_line_is_read_as_the_careful_reader_reads_it() {
        let mut random = fastrand::Rng::with_seed(7);
        let alphabet = b"0123456789 \t\r\n-#%x";
        for round in 0..50_000 {
            let declared = (round % 2 == 0).then_some(1000);
            let first = if round % 3 == 0 { FirstVertex::One } else { FirstVertex::Zero };
            let extra = if round % 5 == 0 { ExtraColumns::Ignore } else { ExtraColumns::Refuse };
            let rules = Rules::new::<u32>(first, declared, extra);
            let mut text: Vec<u8> =
                (0..random.usize(1..14)).map(|_| alphabet[random.usize(..alphabet.len())]).collect();
            if random.bool() {
                let column = if random.bool() { "" } else { "\t1299684000" };
                text =
                    format!("{} {}{column}\r\n", random.u64(..) >> random.u32(..64), random.u32(..2000)).into_bytes();
            }
            let len = text.iter().position(|&byte| byte == b'\n').unwrap_or(text.len());
            text.extend_from_slice(b"\n                        ");
            if let Some((u, v, next)) = plain(&text, 0, &rules) {
                let line = text[..len].strip_suffix(b"\r").unwrap_or(&text[..len]);
                assert_eq!((careful(line, &rules), next), (Ok(Some((u, v))), len + 1), "{text:?}");
            }
        }
    }
}
