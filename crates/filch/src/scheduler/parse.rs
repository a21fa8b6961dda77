//! Schedulers as text: `name[,key=value]…`.

use super::{Preset, Scheduler};
use std::fmt::{self, Display};
use std::str::FromStr;
use std::time::Duration;

/// Why a text names no [`Scheduler`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseSchedulerError {
    /// The part before the first comma is no preset.
    #[error("unknown scheduler `{0}`; expected one of: {names}", names = names())]
    UnknownName(String),
    /// A part behind a comma is no setting.
    #[error("unknown setting `{0}` of a scheduler; expected `period=TIME`, as in `cilk5,period=50us`")]
    UnknownSetting(String),
    /// The value of `period` is no time.
    #[error("`{0}` is no time; expected a whole number with a unit, ns, us, ms or s, as in `50us`")]
    BadTime(String),
    /// A setting is there twice.
    #[error("the setting `{0}` of a scheduler is there twice; expected it once")]
    Repeated(&'static str),
    /// The preset has no use for the setting.
    #[error("the scheduler `{name}` has no setting `{setting}`: it never takes")]
    UselessSetting {
        /// The preset.
        name: &'static str,
        /// The setting it refuses.
        setting: &'static str,
    },
}

fn names() -> String {
    Preset::ALL.map(Preset::name).join(", ")
}

/// Units of time, the coarsest first.
const UNITS: [(&str, u128); 4] = [("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000), ("ns", 1)];

impl FromStr for Scheduler {
    type Err = ParseSchedulerError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut parts = text.split(',').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let preset = Preset::ALL
            .into_iter()
            .find(|preset| preset.name() == name)
            .ok_or_else(|| ParseSchedulerError::UnknownName(name.to_owned()))?;
        let mut scheduler = Scheduler { preset, period: None };
        for part in parts {
            let time =
                part.strip_prefix("period=").ok_or_else(|| ParseSchedulerError::UnknownSetting(part.to_owned()))?;
            if scheduler.is_serial() {
                return Err(ParseSchedulerError::UselessSetting { name: preset.name(), setting: "period" });
            }
            if scheduler.period.is_some() {
                return Err(ParseSchedulerError::Repeated("period"));
            }
            scheduler = scheduler.with_period(parse_time(time)?);
        }
        Ok(scheduler)
    }
}

fn parse_time(text: &str) -> Result<Duration, ParseSchedulerError> {
    let bad = || ParseSchedulerError::BadTime(text.to_owned());
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    let number: u64 = number.parse().map_err(|_| bad())?;
    let (_, ns) = UNITS.into_iter().find(|(name, _)| *name == unit).ok_or_else(bad)?;
    let ns = u64::try_from(u128::from(number) * ns).map_err(|_| bad())?;
    Ok(Duration::from_nanos(ns))
}

impl Display for Scheduler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.preset.name())?;
        if let Some(period) = self.period {
            let ns = period.as_nanos();
            let fits = |(_, unit): &(&str, u128)| ns.is_multiple_of(*unit) && ns > 0;
            let (unit, in_ns) = UNITS.into_iter().find(fits).unwrap_or(("ns", 1));
            write!(f, ",period={}{unit}", ns / in_ns)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_can_be_read_back() {
        let periods = [0, 1, 999, 1_000, 50_000, 1_500_000, 2_000_000_000].map(Duration::from_nanos);
        for preset in [Scheduler::default(), Scheduler::cilk5()] {
            assert_eq!(preset.to_string().parse(), Ok(preset.clone()));
            for period in periods {
                let scheduler = preset.clone().with_period(period);
                assert_eq!(scheduler.to_string().parse(), Ok(scheduler));
            }
        }
        let extremes = [
            Scheduler::serial(),
            Scheduler::serial().with_period(Duration::from_micros(1)),
            Scheduler::cilk5().with_period(Duration::MAX),
        ];
        for scheduler in extremes {
            assert_eq!(scheduler.to_string().parse(), Ok(scheduler));
        }
    }

    #[test]
    fn what_is_no_scheduler_is_refused_with_what_was_expected() {
        let refuse = |text: &str| text.parse::<Scheduler>().expect_err(text).to_string();
        assert!(refuse("clik5").contains("`clik5`; expected one of: default, cilk5, serial"));
        assert!(refuse("").contains("expected one of"));
        assert!(refuse("cilk5,speed=9").contains("`speed=9`"));
        assert!(refuse("cilk5,period=9").contains("`9` is no time"));
        assert!(refuse("cilk5,period=us").contains("`us` is no time"));
        assert!(refuse("cilk5,period=99999999999999999999s").contains("no time"));
        assert!(refuse("cilk5,period=1us,period=2us").contains("`period` of a scheduler is there twice"));
        assert!(refuse("serial,period=1us").contains("`serial` has no setting `period`"));
    }
}
