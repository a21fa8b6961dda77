//! Scaling by powers of two, so that products of coordinates neither overflow nor underflow.

/// Where the largest coordinate is brought: products of two differences are finite, and exact products do not underflow
/// for coordinates down to 2^-880 of it, whose last bits are at 2^-(480 + 52): the square of that is above 2^-1074.
const MIDDLE_EXPONENT: i32 = 400;

/// The power of two that brings coordinates of at most this absolute value to the middle of the range of exponents.
/// Multiplying by it is exact, unless the result is 2^-1400 times the largest one.
pub(crate) fn scale_to_middle(size: f64) -> f64 {
    let biased = |exponent: i32| (exponent + f64::MAX_EXP - 1) as u64;
    let exponent = (size.to_bits() >> (f64::MANTISSA_DIGITS - 1)) as i32 - (f64::MAX_EXP - 1);
    let power = (MIDDLE_EXPONENT - exponent).min(f64::MAX_EXP - 1);
    f64::from_bits(biased(power) << (f64::MANTISSA_DIGITS - 1))
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
}
