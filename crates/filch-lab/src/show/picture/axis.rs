//! The axis of a panel: its range, the position of each value, and the tick marks.

/// If the largest value exceeds the smallest by more than this factor, the axis is logarithmic.
const DECADE: f64 = 10.0;

/// The share of the axis that is left free at either end.
const MARGIN: f64 = 0.05;

/// The smallest range of an axis relative to its values, so that equal values have a position too.
const LEAST_SPREAD: f64 = 0.02;

/// The approximate number of steps of a linear axis.
const STEPS: f64 = 5.0;

/// A logarithmic axis over more decades than this marks powers of ten only.
const FEW_DECADES: i32 = 2;

/// An axis for ratios, or for values from 0 up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    low: f64,
    high: f64,
    is_logarithmic: bool,
}

impl Scale {
    /// An axis that covers these ratios and these lines, all of them positive. The ratios alone decide whether it is
    /// logarithmic.
    pub fn over(ratios: &[f64], lines: &[f64]) -> Self {
        let (least, most) = range(ratios);
        let (low, high) = range(&[ratios, lines].concat());
        if most > DECADE * least {
            let margin = (high / low).powf(MARGIN);
            return Self { low: low / margin, high: high * margin, is_logarithmic: true };
        }
        let margin = MARGIN * (high - low).max(LEAST_SPREAD * high);
        Self { low: low - margin, high: high + margin, is_logarithmic: false }
    }

    /// A linear axis from 0 to this value, which is positive.
    pub fn from_zero(high: f64) -> Self {
        Self { low: 0.0, high, is_logarithmic: false }
    }

    /// The position of a ratio on the axis, from 0 at the lower end to 1 at the upper end.
    pub fn place(&self, ratio: f64) -> f64 {
        let Self { low, high, is_logarithmic } = *self;
        if is_logarithmic { (ratio / low).ln() / (high / low).ln() } else { (ratio - low) / (high - low) }
    }

    /// The tick marks: ratios and their labels.
    pub fn ticks(&self) -> Vec<(f64, String)> {
        let ticks = if self.is_logarithmic { self.logarithmic_ticks() } else { self.linear_ticks() };
        ticks.into_iter().filter(|(ratio, _)| (self.low..=self.high).contains(ratio)).collect()
    }

    fn linear_ticks(&self) -> Vec<(f64, String)> {
        let least = (self.high - self.low) / STEPS;
        let exponent = least.log10().floor() as i32;
        // The step is the smallest of 1, 2, 5 and 10 times 10^exponent that is at least `least`.
        let digit = [1, 2, 5].into_iter().find(|&digit| numeral(digit, exponent).0 >= least);
        let (digit, exponent) = digit.map_or((1, exponent + 1), |digit| (digit, exponent));
        let (step, _) = numeral(digit, exponent);
        let steps = (self.low / step).ceil() as i64..=(self.high / step).floor() as i64;
        steps.map(|steps| numeral(steps * digit, exponent)).collect()
    }

    fn logarithmic_ticks(&self) -> Vec<(f64, String)> {
        let decades = self.low.log10().floor() as i32..=self.high.log10().floor() as i32;
        let digits: &[i64] = if decades.end() - decades.start() > FEW_DECADES { &[1] } else { &[1, 2, 5] };
        decades.flat_map(|exponent| digits.iter().map(move |&digit| numeral(digit, exponent))).collect()
    }
}

/// `digits` · 10^`exponent`, as a number and as text.
fn numeral(digits: i64, exponent: i32) -> (f64, String) {
    let value = digits as f64 * 10_f64.powi(exponent);
    let decimals = usize::try_from(-exponent).unwrap_or(0);
    (value, format!("{value:.decimals$}"))
}

/// The smallest and the largest value; (1, 1) if there are none.
fn range(values: &[f64]) -> (f64, f64) {
    let least = values.iter().copied().reduce(f64::min).unwrap_or(1.0);
    let greatest = values.iter().copied().reduce(f64::max).unwrap_or(1.0);
    (least, greatest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: Scale) -> Vec<String> {
        scale.ticks().into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn ratios_within_a_decade_have_a_linear_axis() {
        let scale = Scale::over(&[0.9, 1.5, 1.8], &[1.0, 2.0]);
        let halfway = scale.place(0.9).midpoint(scale.place(1.5));
        assert!((scale.place(1.2) - halfway).abs() < 1e-12);
        assert_eq!(labels(scale), ["1.0", "1.5", "2.0"]);
    }

    #[test]
    fn ratios_over_more_than_a_decade_have_a_logarithmic_axis() {
        let scale = Scale::over(&[0.9, 11.0], &[1.0]);
        let halfway = scale.place(1.0).midpoint(scale.place(9.0));
        assert!((scale.place(3.0) - halfway).abs() < 1e-12);
        assert_eq!(labels(scale), ["1", "2", "5", "10"]);
        assert_eq!(labels(Scale::over(&[0.9, 1200.0], &[1.0])), ["1", "10", "100", "1000"]);
    }

    /// A large number of workers does not make the axis logarithmic.
    #[test]
    fn lines_are_on_the_axis_and_do_not_decide_its_kind() {
        let scale = Scale::over(&[40.0, 60.0], &[1.0, 64.0]);
        assert!(scale.place(1.0) > 0.0 && scale.place(64.0) < 1.0);
        assert_eq!(labels(scale), ["0", "20", "40", "60"]);
    }

    #[test]
    fn an_axis_from_zero_has_no_margin() {
        let scale = Scale::from_zero(2e-3);
        assert!(scale.place(0.0) == 0.0 && scale.place(2e-3) == 1.0);
        assert_eq!(labels(scale), ["0.0000", "0.0005", "0.0010", "0.0015", "0.0020"]);
    }

    #[test]
    fn equal_ratios_and_none_have_an_axis_with_marks() {
        for scale in [Scale::over(&[1.0, 1.0], &[1.0]), Scale::over(&[], &[]), Scale::over(&[0.031], &[0.031])] {
            assert!(scale.ticks().len() >= 2, "{scale:?}");
            assert!(scale.ticks().iter().all(|&(ratio, _)| (0.0..=1.0).contains(&scale.place(ratio))));
        }
    }

    #[test]
    fn no_two_marks_have_the_same_label_and_there_are_never_many() {
        for high in [1.001, 1.01, 1.3, 2.0, 7.0, 9.9, 10.1, 99.0, 1e3, 1e5] {
            let labels = labels(Scale::over(&[1.0, high], &[1.0]));
            assert!((2..=9).contains(&labels.len()), "{high}: {labels:?}");
            assert!(labels.windows(2).all(|pair| pair[0] != pair[1]), "{high}: {labels:?}");
        }
    }
}
