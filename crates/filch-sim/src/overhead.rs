//! c∞, the overhead on the span: T_P = T1/P + c∞·T∞, fitted to runs, simulated or measured.

/// One run, as the formula sees it. All times are in the same unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timed {
    /// T_P.
    pub time: f64,
    /// T1/P.
    pub share: f64,
    /// T∞.
    pub span: f64,
}

impl Timed {
    /// c∞ of this run alone.
    pub fn overhead(self) -> f64 {
        (self.time - self.share) / self.span
    }
}

/// The c∞ that minimises the sum of the squared relative errors of the formula. `None` without runs.
///
/// Relative errors are used by Blumofe et al. 1995, section 5, from which Frigo, Leiserson and Randall 1998 take the
/// experiment: otherwise runs that last long would dominate the fit.
pub fn fitted_overhead(runs: impl IntoIterator<Item = Timed>) -> Option<f64> {
    let (mut products, mut squares) = (0.0, 0.0);
    for Timed { time, share, span } in runs {
        // The error relative to T_P is c·x − y.
        let (x, y) = (span / time, 1.0 - share / time);
        products += x * y;
        squares += x * x;
    }
    (squares > 0.0).then(|| products / squares)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_other_overhead_has_smaller_relative_errors() {
        let runs = [(10.0, 8.0, 1.0), (3.0, 1.0, 1.5), (900.0, 850.0, 20.0)];
        let runs = runs.map(|(time, share, span)| Timed { time, share, span });
        let error = |c: f64| -> f64 { runs.iter().map(|it| (1.0 - (it.share + c * it.span) / it.time).powi(2)).sum() };
        let fitted = fitted_overhead(runs).expect("there are runs");
        assert!((0..1_000).all(|c| error(fitted) <= error(f64::from(c) / 200.0)), "{fitted}");
        assert!(runs.iter().any(|it| it.overhead() < fitted) && runs.iter().any(|it| it.overhead() > fitted));
    }

    #[test]
    fn nothing_is_fitted_to_no_runs() {
        assert_eq!(fitted_overhead([]), None);
    }
}
