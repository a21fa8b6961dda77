//! Times and sizes as text: a number and its unit, as in `50us` and `6MiB`.

use std::fmt::{self, Display};
use std::time::Duration;

/// The units of a quantity, and how many of the smallest one each of them is. The first of equal size is printed.
struct Units(&'static [(&'static str, u64)]);

/// Both signs that people type for micro: the micro sign, and the Greek letter.
const OF_TIME: Units = Units(&[
    ("s", 1_000_000_000),
    ("ms", 1_000_000),
    ("us", 1_000),
    ("\u{b5}s", 1_000),
    ("\u{3bc}s", 1_000),
    ("ns", 1),
]);

const OF_MEMORY: Units = Units(&[("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1)]);

impl Units {
    /// The quantity in the smallest unit, if the text is one: a number in decimal digits and a unit, where zero needs
    /// no unit. `None` also if it is no whole number of the smallest unit, or too large.
    fn parse(&self, text: &str) -> Option<u64> {
        let is_in_number = |c: char| c.is_ascii_digit() || c == '.';
        let (number, unit) = text.split_at(text.find(|c| !is_in_number(c)).unwrap_or(text.len()));
        let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
        let digits = |digits: &str| {
            let has_digits_only = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
            has_digits_only.then(|| digits.parse::<u128>().ok()).flatten()
        };
        let (whole, above) = (digits(whole)?, digits(fraction)?);
        let unit = unit.trim_start();
        if unit.is_empty() {
            return (whole == 0 && above == 0).then_some(0);
        }
        let (_, size) = self.0.iter().find(|(name, _)| *name == unit)?;
        let below = 10_u128.checked_pow(u32::try_from(fraction.len()).ok()?)?;
        let parts = above.checked_mul(u128::from(*size))?;
        let whole = whole.checked_mul(u128::from(*size))?;
        let is_whole = parts.is_multiple_of(below);
        is_whole.then(|| u64::try_from(whole.checked_add(parts / below)?).ok()).flatten()
    }

    /// Prints a quantity as a whole number, in the largest unit in which it is one.
    fn show(&self, quantity: u128, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fits = |(_, size): &&(&str, u64)| quantity > 0 && quantity.is_multiple_of(u128::from(*size));
        let (unit, size) = self.0.iter().find(fits).or(self.0.last()).copied().unwrap_or(("", 1));
        write!(f, "{}{unit}", quantity / u128::from(size))
    }
}

/// A time with its unit, `ns`, `us`, `µs`, `ms` or `s`, as in `50us` or `1.5 ms`. Zero needs no unit.
///
/// ```
/// use filch_policy::parse_time;
/// use std::time::Duration;
///
/// assert_eq!(parse_time("1.5µs"), Some(Duration::from_nanos(1500)));
/// assert_eq!(parse_time("50"), None);
/// ```
pub fn parse_time(text: &str) -> Option<Duration> {
    OF_TIME.parse(text).map(Duration::from_nanos)
}

/// A number of bytes with its unit, `B`, `KiB`, `MiB` or `GiB`, as in `6MiB` or `1.5 GiB`. Zero needs no unit.
pub(crate) fn parse_size(text: &str) -> Option<u64> {
    OF_MEMORY.parse(text)
}

/// A time as it is printed and can be read back.
pub(crate) struct Time(pub(crate) Duration);

impl Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        OF_TIME.show(self.0.as_nanos(), f)
    }
}

/// A number of bytes as it is printed and can be read back.
pub(crate) struct Size(pub(crate) u64);

impl Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        OF_MEMORY.show(u128::from(self.0), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_number_with_a_unit_and_zero_needs_none() {
        let ns = |text: &str| parse_time(text).map(|time| time.as_nanos());
        let times = [
            ("0", 0),
            ("0.0", 0),
            ("0ms", 0),
            ("7ns", 7),
            ("50us", 50_000),
            ("50\u{b5}s", 50_000),
            ("50\u{3bc}s", 50_000),
            ("50.0 \u{b5}s", 50_000),
            ("1.5us", 1_500),
            ("0.25ms", 250_000),
            ("1.000000001s", 1_000_000_001),
            ("18446744073709551615ns", u128::from(u64::MAX)),
        ];
        for (text, time) in times {
            assert_eq!(ns(text), Some(time), "{text}");
        }
        let others = [
            "",
            "us",
            "5",
            ".5us",
            "1.us",
            "1..5us",
            "1.5.5us",
            "-1us",
            "+1us",
            "1e3us",
            "5 0us",
            "5min",
            "0.5ns",
            "0.0001us",
            "1us1",
            "99999999999999999999s",
            "18446744073709551616ns",
            "0.0000000000000000000000000000000000000000001s",
        ];
        for text in others {
            assert_eq!(ns(text), None, "{text}");
        }
    }

    #[test]
    fn a_size_is_a_number_with_a_unit_and_zero_needs_none() {
        let sizes = [
            ("0", 0),
            ("480B", 480),
            ("1.5MiB", 3 << 19),
            ("0.5 KiB", 512),
            ("17179869183GiB", u64::MAX - ((1 << 30) - 1)),
        ];
        for (text, size) in sizes {
            assert_eq!(parse_size(text), Some(size), "{text}");
        }
        for text in ["", "6", "MiB", "6MB", "0.3B", "-1B", "99999999999999999999B", "17179869184GiB"] {
            assert_eq!(parse_size(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_printed_is_whole_and_is_read_back() {
        for ns in [0, 1, 999, 1_000, 1_500, 50_000, 2_000_000_000, u64::MAX] {
            assert_eq!(parse_time(&Time(Duration::from_nanos(ns)).to_string()), Some(Duration::from_nanos(ns)));
        }
        for bytes in [0, 1, 480, 1 << 10, 3 << 19, u64::MAX] {
            assert_eq!(parse_size(&Size(bytes).to_string()), Some(bytes));
        }
        assert_eq!(Time(Duration::from_nanos(1_500_000)).to_string(), "1500us");
    }
}
