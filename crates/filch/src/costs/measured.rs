//! Figures that are made from several estimates, and how far these lie apart.

use filch_policy::Costs;
use std::fmt;
use std::time::Duration;

/// A cost that has been measured several times: by several programs, or in many samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Measured {
    /// The figure that pools use.
    pub cost: Duration,
    /// The lowest estimate.
    pub least: Duration,
    /// The highest estimate. For samples, their upper quartile: disturbances can make any of them longer.
    pub most: Duration,
}

impl Measured {
    /// From the estimates of several programs, which should agree (Acar et al. 2018, section 5.1): the middle one, or
    /// the lower one of the middle two. `None` if there are none.
    pub(super) fn by_programs(mut estimates: Vec<Duration>) -> Option<Self> {
        estimates.sort_unstable();
        let (&least, &most) = estimates.first().zip(estimates.last())?;
        Some(Measured { cost: estimates[(estimates.len() - 1) / 2], least, most })
    }

    /// From single events. Disturbances make them longer and never shorter, so the lower quartile counts. `None` if
    /// there are none.
    pub(super) fn by_samples(mut samples: Vec<Duration>) -> Option<Self> {
        samples.sort_unstable();
        let least = *samples.first()?;
        Some(Measured { cost: lower_quartile(&samples), least, most: samples[samples.len() * 3 / 4] })
    }

    /// With figures that are possible: at most this many times as much as is assumed, or as little.
    pub(super) fn within_bounds(self, assumed: Duration) -> Self {
        const BOUND: u32 = 64;
        let bounded = |cost: Duration| cost.clamp(assumed / BOUND, assumed * BOUND);
        Measured { cost: bounded(self.cost), least: bounded(self.least), most: bounded(self.most) }
    }
}

/// In nanoseconds: `230 ns (220 to 260)`.
impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [cost, least, most] = [self.cost, self.least, self.most].map(|cost| cost.as_nanos());
        write!(f, "{cost} ns ({least} to {most})")
    }
}

/// That of sorted times, of which there is at least one.
pub(super) fn lower_quartile(times: &[Duration]) -> Duration {
    times[times.len() / 4]
}

/// What sharing costs on this machine, as [`Pool::measured_costs`](crate::Pool::measured_costs) tells. `None` for what
/// is not known, because nobody has measured it or the machine was too busy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MeasuredCosts {
    /// What a worker spends on giving a fork: the estimates of several programs.
    pub give: Option<Measured>,
    /// What a thief spends on taking one: many samples.
    pub take: Option<Measured>,
    /// What a worker spends on a promotion: the estimates of several programs.
    pub promotion: Option<Measured>,
    /// What the thread that beats spends on a beat: many samples.
    pub beat: Option<Measured>,
}

impl MeasuredCosts {
    /// What pools use.
    pub(super) fn costs(&self) -> Costs {
        let or = |measured: Option<Measured>, assumed| measured.map_or(assumed, |measured| measured.cost);
        Costs {
            give: or(self.give, Costs::ASSUMED.give),
            take: or(self.take, Costs::ASSUMED.take),
            promotion: or(self.promotion, Costs::ASSUMED.promotion),
            beat: or(self.beat, Costs::ASSUMED.beat),
        }
    }

    /// Whether nothing is missing, where workers can take or not.
    pub(super) fn are_complete(&self, can_take: bool) -> bool {
        let MeasuredCosts { give, take, promotion, beat } = self;
        [give, promotion, beat].iter().all(|cost| cost.is_some()) && (take.is_some() || !can_take)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(nanos: impl IntoIterator<Item = u64>) -> Vec<Duration> {
        nanos.into_iter().map(Duration::from_nanos).collect()
    }

    fn nanos(measured: Measured) -> [u128; 3] {
        [measured.least, measured.cost, measured.most].map(|time| time.as_nanos())
    }

    #[test]
    fn one_program_that_is_disturbed_does_not_decide() {
        assert_eq!(Measured::by_programs(times([900, 210, 200])).map(nanos), Some([200, 210, 900]));
        assert_eq!(Measured::by_programs(times([900, 210])).map(nanos), Some([210, 210, 900]));
        assert_eq!(Measured::by_programs(times([])), None);
    }

    #[test]
    fn half_of_the_samples_may_be_disturbed() {
        let quiet = (100..150).chain(200..250);
        let busy = (100..150).chain((200..250).map(|time| 1_000 * time));
        let [quiet, busy] = [times(quiet), times(busy)].map(|samples| Measured::by_samples(samples).map(nanos));
        assert_eq!((quiet, busy), (Some([100, 125, 225]), Some([100, 125, 225_000])));
        assert_eq!(Measured::by_samples(times([])), None);
    }

    #[test]
    fn what_is_impossible_is_bounded() {
        let [assumed, long] = [Duration::from_micros(1), Duration::from_secs(1)];
        let measured = Measured { cost: long, least: Duration::ZERO, most: long };
        assert_eq!(nanos(measured.within_bounds(assumed)), [15, 64_000, 64_000]);
    }
}
