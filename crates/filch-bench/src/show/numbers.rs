//! Numbers as people read them.

/// The number of decimals that gives three significant digits, for values from 0.1 up.
pub fn decimals(value: f64) -> usize {
    match value {
        v if v >= 99.95 => 0,
        v if v >= 9.995 => 1,
        v if v >= 0.0995 => 2,
        _ => 3,
    }
}

/// A time with three significant digits and its unit.
pub fn seconds(time: f64) -> String {
    const UNITS: [(&str, f64); 4] = [("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9)];
    // A value that would be rounded up to 1000 of a unit is shown in the next unit.
    let (unit, size) = UNITS.into_iter().find(|(_, size)| time >= 0.9995 * size).unwrap_or(UNITS[3]);
    let value = time / size;
    format!("{value:.*} {unit}", decimals(value))
}

/// A large number with three significant digits and, from a thousand up, one of the letters k, M, G and T.
pub fn scaled(value: f64) -> String {
    const UNITS: [(&str, f64); 4] = [(" T", 1e12), (" G", 1e9), (" M", 1e6), (" k", 1e3)];
    let (unit, size) = UNITS.into_iter().find(|(_, size)| value >= 0.9995 * size).unwrap_or(("", 1.0));
    let value = value / size;
    format!("{value:.*}{unit}", decimals(value))
}

/// An amount of memory with three significant digits and its unit.
pub fn bytes(amount: u64) -> String {
    const UNITS: [&str; 7] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let mut value = amount as f64;
    let mut unit = 0;
    while value >= 999.5 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    let decimals = if unit == 0 { 0 } else { decimals(value) };
    format!("{value:.decimals$} {}", UNITS[unit])
}

/// A number with commas between groups of three digits.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| str::from_utf8(group).expect("digits are ASCII")).collect();
    groups.join(",")
}

/// A number of things, with the word for them: `1 worker`, `2 workers`.
pub fn number_of(number: usize, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number as u64), if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_of_memory_have_three_significant_digits_and_their_unit() {
        let cases = [(0, "0 B"), (999, "999 B"), (1000, "0.98 KiB"), (20 << 20, "20.0 MiB"), (u64::MAX, "16.0 EiB")];
        for (amount, expected) in cases {
            assert_eq!(bytes(amount), expected);
        }
    }

    #[test]
    fn large_numbers_have_three_significant_digits_and_a_letter() {
        let cases = [(7.0, "7.00"), (999.4, "999"), (999.6, "1.00 k"), (31_415_926.0, "31.4 M"), (2e15, "2000 T")];
        for (value, expected) in cases {
            assert_eq!(scaled(value), expected);
        }
    }

    #[test]
    fn digits_come_in_groups_of_three() {
        for (number, expected) in [(0, "0"), (999, "999"), (1000, "1,000"), (21_809, "21,809"), (1 << 20, "1,048,576")]
        {
            assert_eq!(grouped(number), expected);
        }
    }

    #[test]
    fn times_have_three_significant_digits_and_their_unit() {
        let cases = [
            (2.5, "2.50 s"),
            (0.117_49, "117 ms"),
            (0.011_749, "11.7 ms"),
            (2.04e-6, "2.04 µs"),
            (9.999e-4, "1.00 ms"),
            (3.2e-9, "3.20 ns"),
            (4e-10, "0.40 ns"),
        ];
        for (time, expected) in cases {
            assert_eq!(seconds(time), expected);
        }
    }
}
