//! The bounds of the paper (theorems 2 and 3, and section 2), as exact fractions.

/// The bounds on what heartbeat scheduling costs, for a period N and a cost τ of a fork.
///
/// # Examples
///
/// ```
/// use filch_model::Bounds;
///
/// let bounds = Bounds::new(20, 10);
/// assert!(bounds.work(1_000).admits(1_500));
/// assert!(!bounds.work(1_000).admits(1_501));
/// assert!(bounds.span(1_000).admits(3_000));
/// assert!(bounds.time(1, 1_000, 100).admits(1_500), "on one processor the span does not matter");
/// assert!(bounds.time(10, 1_000, 100).admits(150 + 270));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    period: u64,
    tau: u64,
}

impl Bounds {
    /// For a period N of so many transitions, and a fork that costs `tau`.
    ///
    /// # Panics
    ///
    /// If one of them is 0: the bounds divide by both.
    pub fn new(period: u64, tau: u64) -> Self {
        assert!(period > 0 && tau > 0, "a period of {period} and forks that cost {tau}; expected at least 1 for both");
        Bounds { period, tau }
    }

    /// Theorem 2: the work is at most (1 + τ/N)·w, where w is the work of the sequential evaluation.
    pub fn work(self, sequential_work: u64) -> Bound {
        self.work_with_credits(sequential_work, 0)
    }

    /// What the proof of theorem 2 shows: the work of an evaluation that begins with n credits is at most
    /// (1 + τ/N)·w + n·τ/N.
    pub fn work_with_credits(self, sequential_work: u64, credits: u64) -> Bound {
        let numerator = sum(product([self.both(), sequential_work]), product([credits, self.tau]));
        Bound { numerator, denominator: self.period.into() }
    }

    /// Theorem 3: the span is at most (1 + N/τ)·s, where s is the span of the fully parallel evaluation.
    pub fn span(self, parallel_span: u64) -> Bound {
        Bound { numerator: product([self.both(), parallel_span]), denominator: self.tau.into() }
    }

    /// The time of P processors with a greedy scheduler is at most (1 + τ/N)·w/P + (1 − 1/P)·(1 + N/τ)·s.
    ///
    /// This is the bound of section 2, T ≤ (1 + τ/N)·w/P + O(N/τ·s), with the constant that a greedy scheduler has.
    ///
    /// # Panics
    ///
    /// If there are no processors.
    pub fn time(self, processors: u64, sequential_work: u64, parallel_span: u64) -> Bound {
        assert!(processors > 0, "no processors; expected at least 1");
        let from_work = product([self.both(), self.tau, sequential_work]);
        let from_span = product([processors - 1, self.both(), self.period, parallel_span]);
        Bound { numerator: sum(from_work, from_span), denominator: product([self.period, self.tau, processors]) }
    }

    /// N + τ.
    fn both(self) -> u64 {
        self.period + self.tau
    }
}

/// What a cost may be at most.
///
/// Products beyond 128 bits panic. Costs, periods and τ of up to 2³² are far from that.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    numerator: u128,
    denominator: u128,
}

impl Bound {
    /// Whether the cost is within the bound.
    pub fn admits(self, cost: u64) -> bool {
        self.denominator.checked_mul(cost.into()).expect(FITS) <= self.numerator
    }

    /// The bound itself, rounded.
    pub fn value(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

const FITS: &str = "costs whose products fit into 128 bits";

fn product<const N: usize>(factors: [u64; N]) -> u128 {
    factors.into_iter().try_fold(1_u128, |product, factor| product.checked_mul(factor.into())).expect(FITS)
}

fn sum(first: u128, second: u128) -> u128 {
    first.checked_add(second).expect(FITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_admits_what_is_equal_to_it_and_not_one_more() {
        let bounds = Bounds::new(3, 7);
        // (1 + 7/3)·9, and (1 + 3/7)·14.
        for (bound, limit) in [(bounds.work(9), 30), (bounds.span(14), 20), (bounds.work_with_credits(9, 3), 37)] {
            assert!(bound.admits(limit) && !bound.admits(limit + 1));
            assert!(bound.value() == limit as f64);
        }
        // (1 + 7/3)·2 = 6⅔.
        assert!(bounds.work(2).admits(6) && !bounds.work(2).admits(7));
    }

    #[test]
    fn time_is_bounded_by_work_on_one_processor_and_nearly_by_span_on_very_many() {
        let bounds = Bounds::new(3, 7);
        assert!(bounds.time(1, 9, 1_000).admits(30) && !bounds.time(1, 9, 1_000).admits(31));
        let many = bounds.time(1 << 32, 9, 14);
        assert!(many.admits(19) && !many.admits(21));
        // With P = 2: 30/2 + 20/2.
        assert!(bounds.time(2, 9, 14).admits(25) && !bounds.time(2, 9, 14).admits(26));
    }
}
