//! Numbers in the lines of formats with a header.

use super::fault::LineFault;
use crate::weight::FileWeight;
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
pub(super) fn next_weight<W: FileWeight>(words: &mut Words<'_>, len: usize, kind: Kind) -> Result<W, Fault> {
    let (place, word) = next_word(words, len, || "a weight".into())?;
    weight(word, kind).map_err(|fault| (place, fault))
}

/// Which weights a format has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Whole numbers.
    Whole,
    /// Real numbers. Fractions are rounded to the nearest weight.
    Real,
}

/// The value of a word as a weight. A whole number must be exact, however it is spelled, unless it is not kept.
pub(super) fn weight<W: FileWeight>(word: &[u8], kind: Kind) -> Result<W, LineFault> {
    let (is_negative, digits) = match word {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    // Most weights are these.
    if let Some(value) = whole(digits).filter(|&value| value <= EXACT) {
        return Ok(W::of(if is_negative { -(value as f32) } else { value as f32 }));
    }
    let not_a_weight = || LineFault::NotAWeight { found: shown(word) };
    let word_of = |word| str::from_utf8(word).ok();
    let value: f32 = word_of(word).and_then(|word| word.parse().ok()).ok_or_else(not_a_weight)?;
    // The words `inf` and `nan` are numbers, too.
    let is_decimal = digits.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'));
    // What is not kept need not fit in 32 bits.
    let fits = value.is_finite()
        || !W::IS_KEPT && word_of(word).and_then(|word| word.parse().ok()).is_some_and(f64::is_finite);
    if !is_decimal || !fits {
        return Err(LineFault::NotFinite { found: shown(word) });
    }
    if kind == Kind::Whole && !digits.iter().all(u8::is_ascii_digit) {
        return Err(unexpected("a whole number as weight", Some(word)));
    }
    if W::IS_KEPT && is_lost(value, digits) {
        return Err(LineFault::InexactWeight { found: shown(word) });
    }
    Ok(W::of(value))
}

/// Whether a decimal number is a whole number that differs from the value it was rounded to, or became 0 although it is
/// not.
fn is_lost(value: f32, digits: &[u8]) -> bool {
    let size = value.abs();
    if size > 0.0 && size < EXACT as f32 {
        return false;
    }
    let (mantissa, exponent) = match digits.iter().position(|byte| matches!(byte, b'e' | b'E')) {
        Some(place) => (&digits[..place], str::from_utf8(&digits[place + 1..]).unwrap_or_default()),
        None => (digits, "0"),
    };
    let point = mantissa.iter().position(|&byte| byte == b'.').unwrap_or(mantissa.len());
    let significant = mantissa.iter().rposition(|byte| (b'1'..=b'9').contains(byte));
    let Some(last) = significant else { return false };
    if size == 0.0 {
        return true;
    }
    // The place of the last digit that is not 0, counted from the point: 0 is that of the ones.
    let place = if last < point { (point - 1 - last) as i64 } else { point as i64 - last as i64 };
    // A number of 2^24 and more that is finite has an exponent of a few digits, unless it has thousands of zeros.
    let Some(place) = exponent.parse().ok().and_then(|exponent: i64| place.checked_add(exponent)) else { return true };
    let Ok(zeros) = u32::try_from(place) else { return false };
    // All finite weights are below 2^128.
    let all = mantissa[..=last].iter().filter(|&&byte| byte != b'.');
    let exact = all
        .map(|byte| u128::from(byte - b'0'))
        .try_fold(0_u128, |value, digit| value.checked_mul(10)?.checked_add(digit))
        .and_then(|value| value.checked_mul(10_u128.checked_pow(zeros)?));
    exact != Some(size as u128)
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

    fn kept(word: &str, kind: Kind) -> Result<f32, LineFault> {
        weight(word.as_bytes(), kind)
    }

    #[test]
    fn whole_weights_are_exact_or_refused_however_they_are_spelled() {
        for kind in [Kind::Whole, Kind::Real] {
            assert_eq!(kept("16777216", kind), Ok(16_777_216.0));
            assert_eq!(kept("-16777218", kind), Ok(-16_777_218.0));
            assert_eq!(kept("-0", kind).map(f32::to_bits), Ok(0));
            assert_eq!(kept("18446744073709551616", kind), Ok(2_f32.powi(64)));
            for inexact in ["16777217", "-16777217", "18446744073709551615", "99999999999999999999999"] {
                let fault = kept(inexact, kind).unwrap_err();
                assert!(matches!(fault, LineFault::InexactWeight { .. }), "{inexact}: {fault}");
            }
        }
        for exact in ["16777216.0", "1.6777216e7", "16777218.", "+1677721800.000e-2", "0.00016777218E11", "1.5e7"] {
            assert!(kept(exact, Kind::Real).is_ok_and(|weight| weight.fract() == 0.0), "{exact}");
        }
        let inexact = [
            "16777217.0",
            "1.23456789E8",
            "16777217.",
            "1677721700e-2",
            "-0.00016777217E11",
            "1e30",
            "9007199254740993.0",
            "340282346638528859811704183484516925441",
            "000000000016777217.0",
        ];
        for inexact in inexact {
            let fault = kept(inexact, Kind::Real).unwrap_err();
            assert!(matches!(fault, LineFault::InexactWeight { .. }), "{inexact}: {fault}");
            assert_eq!(weight(inexact.as_bytes(), Kind::Real), Ok(()), "{inexact} is not kept");
        }
        assert_eq!(kept("340282346638528859811704183484516925440", Kind::Real), Ok(f32::MAX));
        assert_eq!(kept("340282346638528859811704183484516925440.00e0", Kind::Real), Ok(f32::MAX));
    }

    /// The oracle is integer arithmetic on all digits.
    #[test]
    fn a_whole_number_is_refused_if_and_only_if_it_is_rounded_wherever_its_point_is() {
        let mut random = fastrand::Rng::with_seed(8);
        for _ in 0..20_000 {
            let value = random.u64(..) >> random.u32(..63);
            let digits = value.to_string();
            let at = random.usize(..=digits.len());
            let zeros = "0".repeat(random.usize(..3));
            let spelled = format!("{zeros}{}.{}{zeros}e{}", &digits[..at], &digits[at..], digits.len() - at);
            let is_exact = value as f32 as u128 == u128::from(value);
            assert_eq!(kept(&spelled, Kind::Real).is_ok(), is_exact, "{spelled}");
        }
    }

    #[test]
    fn fractions_are_weights_where_the_format_has_them_and_nothing_else_is() {
        assert_eq!(kept("-2.5e-1", Kind::Real), Ok(-0.25));
        assert_eq!(kept("0.1", Kind::Real), Ok(0.1));
        assert_eq!(kept("16777217.5", Kind::Real), Ok(16_777_218.0));
        assert_eq!(kept("0e-99", Kind::Real), Ok(0.0));
        assert!(kept("0.5", Kind::Whole).is_err() && kept("1e3", Kind::Whole).is_err());
        assert!(matches!(kept("1e-60", Kind::Real), Err(LineFault::InexactWeight { .. })));
        assert!(matches!(kept("1e39", Kind::Real), Err(LineFault::NotFinite { .. })));
        assert_eq!(weight("1e39".as_bytes(), Kind::Real), Ok(()), "it is not kept, and a number");
        for (word, is_number) in
            [("nan", true), ("inf", true), ("-infinity", true), ("1e309", true), ("x", false), ("-", false)]
        {
            let fault = kept(word, Kind::Real).unwrap_err();
            assert_eq!(matches!(fault, LineFault::NotFinite { .. }), is_number, "{word}: {fault}");
            assert!(weight::<()>(word.as_bytes(), Kind::Real).is_err(), "{word} is not kept");
        }
    }
}
