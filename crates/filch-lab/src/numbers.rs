//! Numbers as people read them.

/// How many decimals make three significant digits, from 0.1 up.
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
    // What would be rounded up to 1000 of a unit belongs to the next.
    let (unit, size) = UNITS.into_iter().find(|(_, size)| time >= 0.9995 * size).unwrap_or(UNITS[3]);
    let value = time / size;
    format!("{value:.*} {unit}", decimals(value))
}

#[cfg(test)]
mod tests {
    use super::*;

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
