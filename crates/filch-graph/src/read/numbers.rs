//! Numbers in the lines of formats with a header.

use super::fault::LineFault;
use filch_text::{Words, shown};

/// A fault and the byte of the line where it is, counted from 0.
pub(super) type Fault = (usize, LineFault);

/// The first whole number beyond which not all whole numbers can be a weight: 2^24.
const EXACT: u64 = 1 << f32::MANTISSA_DIGITS;

/// The value of a word of digits, if it is below 2^64.
pub(super) fn whole(word: &[u8]) -> Option<u64> {
    if word.is_empty() {
        return None;
    }
    word.iter().try_fold(0_u64, |value, &byte| {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value.checked_mul(10)?.checked_add(u64::from(digit))
    })
}

/// The fault of a word that is not what is expected.
pub(super) fn unexpected(expected: impl Into<String>, found: Option<&[u8]>) -> LineFault {
    let found = found.map_or_else(|| "the end of the line".to_owned(), |word| format!("{:?}", shown(word)));
    LineFault::Expected { expected: expected.into(), found }
}

/// The next word of a line of length `len`, or a fault.
pub(super) fn next_word<'a>(
    words: &mut Words<'a>,
    len: usize,
    expected: impl FnOnce() -> String,
) -> Result<(usize, &'a [u8]), Fault> {
    words.next().ok_or_else(|| (len, unexpected(expected(), None)))
}

/// The next word of a line as a count.
pub(super) fn next_count(words: &mut Words<'_>, len: usize, what: &str) -> Result<u64, Fault> {
    let expected = || format!("the number of {what}");
    let (place, word) = next_word(words, len, expected)?;
    // Sums and products of counts must not overflow 64 bits.
    let count = whole(word).filter(|&count| count <= u64::MAX / 16);
    count.ok_or_else(|| (place, unexpected(expected(), Some(word))))
}

/// The next word of a line as a vertex, which the file numbers from 1 to `count`. Returns it numbered from 0.
#[inline]
pub(super) fn next_vertex(words: &mut Words<'_>, len: usize, count: u64) -> Result<usize, Fault> {
    let expected =
        || if count == 0 { "no vertex, as there are none".into() } else { format!("a vertex from 1 to {count}") };
    let (place, word) = next_word(words, len, expected)?;
    match whole(word) {
        Some(vertex) if vertex.wrapping_sub(1) < count => Ok(vertex as usize - 1),
        _ => Err((place, unexpected(expected(), Some(word)))),
    }
}

/// The next word of a line as a weight.
#[inline]
pub(super) fn next_weight(words: &mut Words<'_>, len: usize, kind: Kind) -> Result<f32, Fault> {
    let (place, word) = next_word(words, len, || "a weight".into())?;
    weight(word, kind).map_err(|fault| (place, fault))
}

/// Which weights a format has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Whole numbers, which must be exact.
    Whole,
    /// Real numbers, which are rounded to the nearest weight.
    Real,
    /// Real numbers, but those that are written as whole numbers must be exact.
    Any,
}

/// The value of a word as a weight.
pub(super) fn weight(word: &[u8], kind: Kind) -> Result<f32, LineFault> {
    let (is_negative, digits) = match word {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    if let Some(value) = whole(digits)
        && (kind != Kind::Real || value <= EXACT)
    {
        let weight = value as f32;
        // 2^64 as a weight does not come back as a u64.
        if value > EXACT && (weight as u128) != u128::from(value) {
            return Err(LineFault::InexactWeight { found: shown(word) });
        }
        return Ok(if is_negative && value > 0 { -weight } else { weight });
    }
    let not_a_weight = || LineFault::NotAWeight { found: shown(word) };
    if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) && kind != Kind::Real {
        return Err(LineFault::InexactWeight { found: shown(word) });
    }
    let value: f32 = str::from_utf8(word).ok().and_then(|word| word.parse().ok()).ok_or_else(not_a_weight)?;
    if !value.is_finite() {
        return Err(LineFault::NotFinite { found: shown(word) });
    }
    if kind == Kind::Whole {
        return Err(unexpected("a whole number as weight", Some(word)));
    }
    Ok(value + 0.0)
}

/// Fails if the line has another word.
#[inline]
pub(super) fn end(words: &mut Words<'_>) -> Result<(), Fault> {
    match words.next() {
        None => Ok(()),
        Some((place, word)) => Err((place, unexpected("the end of the line", Some(word)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_weights_are_exact_or_refused() {
        for kind in [Kind::Whole, Kind::Any] {
            assert_eq!(weight(b"16777216", kind), Ok(16_777_216.0));
            assert_eq!(weight(b"-16777218", kind), Ok(-16_777_218.0));
            assert_eq!(weight(b"-0", kind).map(f32::to_bits), Ok(0));
            for inexact in ["16777217", "-16777217", "18446744073709551615", "99999999999999999999999"] {
                let fault = weight(inexact.as_bytes(), kind).unwrap_err();
                assert!(matches!(fault, LineFault::InexactWeight { .. }), "{inexact}: {fault}");
            }
        }
        assert_eq!(weight(b"16777217", Kind::Real), Ok(16_777_216.0));
    }

    #[test]
    fn fractions_are_weights_where_the_format_has_them_and_nothing_else_is() {
        assert_eq!(weight(b"-2.5e-1", Kind::Real), Ok(-0.25));
        assert_eq!(weight(b"0.1", Kind::Any), Ok(0.1));
        assert!(weight(b"0.5", Kind::Whole).is_err());
        for (word, is_number) in
            [("nan", true), ("inf", true), ("-infinity", true), ("1e39", true), ("x", false), ("-", false)]
        {
            let fault = weight(word.as_bytes(), Kind::Any).unwrap_err();
            assert_eq!(matches!(fault, LineFault::NotFinite { .. }), is_number, "{word}: {fault}");
        }
    }
}
