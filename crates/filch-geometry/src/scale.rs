//! Scaling by powers of two, so that products of coordinates neither overflow nor underflow.

/// Where the largest coordinate is brought: products of two differences are finite, and exact products do not underflow
/// for coordinates down to 2^-880 of it, whose last bits are at 2^-(480 + 52): the square of that is above 2^-1074.
const MIDDLE_EXPONENT: i32 = 400;

/// The power of two that brings coordinates of at most this absolute value to the middle of the range of exponents.
/// Multiplying by it is exact, unless the result is 2^-1400 times the largest one.
pub(crate) fn scale_to_middle(size: f64) -> f64 {
    power(MIDDLE_EXPONENT - exponent(size))
}

/// The power of two that brings a positive number to [1, 2), unless that one is not a normal number.
pub(crate) fn scale_to_one(size: f64) -> f64 {
    power(-exponent(size))
}

/// A number times the ratio of two powers of two, which may be too large or too small for a number. Normal results are
/// exact.
pub(crate) fn times_ratio(x: f64, above: f64, below: f64) -> f64 {
    let ratio = exponent(above) - exponent(below);
    let half = ratio / 2;
    x * power(half) * power(ratio - half)
}

/// That of the largest power of two that is not larger than a normal number; one less than all of these for zero and
/// subnormal numbers.
fn exponent(x: f64) -> i32 {
    (x.to_bits() >> (f64::MANTISSA_DIGITS - 1)) as i32 - (f64::MAX_EXP - 1)
}

/// The power of two with this exponent, or the nearest one that is a normal number.
fn power(exponent: i32) -> f64 {
    let biased = exponent.clamp(f64::MIN_EXP - 1, f64::MAX_EXP - 1) + f64::MAX_EXP - 1;
    f64::from_bits((biased as u64) << (f64::MANTISSA_DIGITS - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_coordinate_is_brought_to_the_middle_by_a_power_of_two() {
        for size in [1.0, 1.5, 1e-300, f64::MIN_POSITIVE, f64::MAX, 2.0_f64.powi(400)] {
            let scale = scale_to_middle(size);
            assert_eq!(scale.log2().fract(), 0.0);
            assert!((2.0_f64.powi(400)..2.0_f64.powi(401)).contains(&(scale * size)) || scale == 2.0_f64.powi(1023));
            assert_eq!(size * scale / scale, size);
        }
        assert_eq!(scale_to_middle(0.0), 2.0_f64.powi(1023));
        assert_eq!(scale_to_middle(5e-324) * 5e-324, 2.0_f64.powi(-51));
    }
    #[test]
    fn numbers_are_brought_to_one_and_multiplied_by_any_ratio_of_scales() {
        for x in [1.0, 1.75, 1e-300, f64::MIN_POSITIVE, 1e300] {
            assert!((1.0..2.0).contains(&(x * scale_to_one(x))), "{x}");
            for (above, below) in [(2.0_f64.powi(1000), 2.0_f64.powi(-1000)), (1.0, 2.0_f64.powi(1022)), (8.0, 0.5)] {
                let (up, down) = (times_ratio(x, above, below), times_ratio(x, below, above));
                assert!(!up.is_normal() || times_ratio(up, below, above) == x, "{x} {up}");
                assert!(!down.is_normal() || times_ratio(down, above, below) == x, "{x} {down}");
            }
        }
        assert_eq!(scale_to_one(f64::MAX), f64::MIN_POSITIVE);
        let (large, small) = (2.0_f64.powi(1000), 2.0_f64.powi(-990));
        assert_eq!(times_ratio(1e-300, large, small) / large * small, 1e-300);
    }
}
