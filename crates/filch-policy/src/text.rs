//! Schedulers as text: `name[,key=value]…`.

use crate::grain::Grain;
use crate::quantity::{Size, Time, parse_size, parse_time};
use crate::scheduler::{Balancer, Scheduler, Wait};
use crate::settings::{self, LEAF_NS, Preset, Setting, SettingError};
use std::error::Error;
use std::fmt::{self, Display};
use std::str::FromStr;
use std::time::Duration;

/// Why a text is not a [`Scheduler`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseSchedulerError {
    /// The part before the first comma is not the name of a preset.
    UnknownName(String),
    /// A part after a comma is not a setting.
    UnknownSetting(String),
    /// The setting cannot have this value.
    BadValue {
        /// The setting.
        setting: &'static str,
        /// Its value.
        value: String,
        /// The values that it can have.
        expected: &'static str,
    },
    /// A setting is given twice.
    Repeated(&'static str),
    /// The preset does not have this setting.
    UselessSetting(SettingError),
}

impl Display for ParseSchedulerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownName(name) => write!(f, "unknown scheduler `{name}`; expected one of: {}", names()),
            Self::UnknownSetting(setting) => {
                write!(f, "unknown setting `{setting}` of a scheduler; expected one of: {}", settings())
            }
            Self::BadValue { setting, value, expected } => {
                write!(f, "`{value}` is no value of the setting `{setting}`; expected {expected}")
            }
            Self::Repeated(setting) => {
                write!(f, "the setting `{setting}` of a scheduler is there twice; expected it once")
            }
            Self::UselessSetting(error) => error.fmt(f),
        }
    }
}

impl Error for ParseSchedulerError {}

impl From<SettingError> for ParseSchedulerError {
    fn from(error: SettingError) -> Self {
        Self::UselessSetting(error)
    }
}

fn names() -> String {
    Preset::ALL.map(Preset::name).join(", ")
}

/// The settings that can follow the name of a preset.
fn settings() -> String {
    Setting::ALL.map(|setting| format!("{}={}", setting.name(), setting.values())).join(", ")
}

const A_TIME: &str = "a number with a unit, ns, us, ms or s, as in `50us`";

impl FromStr for Scheduler {
    type Err = ParseSchedulerError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut parts = text.split(',').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let preset = Preset::from_name(name).ok_or_else(|| ParseSchedulerError::UnknownName(name.to_owned()))?;
        let mut scheduler = Scheduler::preset(preset);
        let mut seen = Vec::new();
        for part in parts {
            let unknown = || ParseSchedulerError::UnknownSetting(part.to_owned());
            let (key, value) = part.split_once('=').ok_or_else(unknown)?;
            let (key, value) = (key.trim_end(), value.trim_start());
            let setting = Setting::ALL.into_iter().find(|setting| setting.name() == key).ok_or_else(unknown)?;
            settings::check(preset, setting)?;
            if seen.contains(&setting) {
                return Err(ParseSchedulerError::Repeated(setting.name()));
            }
            seen.push(setting);
            scheduler = scheduler.with_setting(setting, value)?;
        }
        Ok(scheduler)
    }
}

impl Scheduler {
    fn with_setting(self, setting: Setting, value: &str) -> Result<Self, ParseSchedulerError> {
        let setting_name = setting.name();
        let bad = |expected| ParseSchedulerError::BadValue { setting: setting_name, value: value.to_owned(), expected };
        Ok(match (setting, value) {
            (Setting::Period, _) => self.with_period(parse_time(value).ok_or_else(|| bad(A_TIME))?),
            (Setting::Patience, "never") => self.with_patience(None),
            (Setting::Patience, _) => {
                let time = parse_time(value);
                self.with_patience(Some(time.ok_or_else(|| bad("`never`, or a time with a unit, as in `50us`"))?))
            }
            (Setting::Wait, "descendants") => self.with_wait(Wait::Descendants),
            (Setting::Wait, "any") => self.with_wait(Wait::Any),
            (Setting::Wait, _) => return Err(bad("`descendants` or `any`")),
            (Setting::Balancer, _) => {
                let found = Balancer::NAMES.into_iter().find(|&(name, _)| name == value);
                self.with_balancer(found.ok_or_else(|| bad("`concurrent`, `private` or `mixed`"))?.1)
            }
            (Setting::Boundary, _) => self.with_boundary(value.parse().map_err(|_| bad("a whole number below 2^32"))?),
            (Setting::Branching, _) => {
                let parts = value.parse().ok().filter(|&parts| parts >= 2);
                self.with_branching(parts.ok_or_else(|| bad("a whole number, 2 or more"))?)
            }
            (Setting::Data, _) => {
                let bytes = parse_size(value);
                self.with_data_bytes(
                    bytes.ok_or_else(|| bad("a number with a unit, B, KiB, MiB or GiB, as in `48MiB`"))?,
                )
            }
            (Setting::Grain, "auto") => self.with_grain(Grain::Automatic),
            (Setting::Grain, _) => {
                self.with_grain(Grain::Items(value.parse().map_err(|_| bad("`auto`, or a whole number, 1 or more"))?))
            }
            (Setting::Leaf, _) => {
                let leaf = parse_time(value).ok_or_else(|| bad(A_TIME))?;
                let leaf_ns = u64::try_from(leaf.as_nanos()).unwrap_or(u64::MAX);
                Scheduler { preset: Preset::Profile { leaf_ns }, ..self }
            }
            (Setting::Seed, _) => {
                let seed = value.parse().map_err(|_| bad("a whole number below 2^64"))?;
                Scheduler { preset: Preset::Chaos { seed }, ..self }
            }
        })
    }
}

impl Display for Scheduler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.preset.name())?;
        if let Preset::Chaos { seed } = self.preset {
            write!(f, ",seed={seed}")?;
        }
        if let Some(period) = self.period {
            write!(f, ",period={}", Time(period))?;
        }
        match self.patience {
            None => {}
            Some(None) => f.write_str(",patience=never")?,
            Some(Some(patience)) => write!(f, ",patience={}", Time(patience))?,
        }
        match self.wait {
            None => {}
            Some(Wait::Descendants) => f.write_str(",wait=descendants")?,
            Some(Wait::Any) => f.write_str(",wait=any")?,
        }
        if let Some(balancer) = self.balancer {
            write!(f, ",balancer={}", balancer.name())?;
        }
        if let Some(level) = self.boundary {
            write!(f, ",boundary={level}")?;
        }
        if let Some(parts) = self.branching {
            write!(f, ",branching={parts}")?;
        }
        if let Preset::Profile { leaf_ns } = self.preset
            && leaf_ns != LEAF_NS
        {
            write!(f, ",leaf={}", Time(Duration::from_nanos(leaf_ns)))?;
        }
        match self.grain {
            None => {}
            Some(Grain::Automatic) => f.write_str(",grain=auto")?,
            Some(Grain::Items(items)) => write!(f, ",grain={items}")?,
        }
        self.data_bytes.map_or(Ok(()), |bytes| write!(f, ",data={}", Size(bytes)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::num::NonZeroU64;
    use std::time::Duration;

    #[test]
    fn what_is_printed_can_be_read_back() {
        let times = [0, 1, 999, 1_000, 50_000, 1_500_000, 2_000_000_000].map(Duration::from_nanos);
        for preset in [Scheduler::default(), Scheduler::cilk5(), Scheduler::heartbeat()] {
            assert_eq!(preset.to_string().parse(), Ok(preset.clone()));
            for time in times {
                let scheduler = preset.clone().with_period(time).with_wait(Wait::Any);
                assert_eq!(scheduler.to_string().parse(), Ok(scheduler));
            }
        }
        let extremes = [
            Scheduler::serial(),
            Scheduler::tascell(),
            Scheduler::cilk5().with_period(Duration::MAX),
            Scheduler::default().with_patience(None),
            Scheduler::default().with_patience(Some(Duration::MAX)).with_wait(Wait::Descendants),
            Scheduler::heartbeat().with_balancer(Balancer::Private),
            Scheduler::chaos(0),
            Scheduler::chaos(u64::MAX),
            Scheduler::chaos(7).with_grain(Grain::Automatic),
            Scheduler { preset: Preset::Profile { leaf_ns: 5_000 }, ..Scheduler::default() },
            Scheduler::cilk5().with_grain(Grain::Items(NonZeroU64::MAX)),
        ];
        for scheduler in extremes {
            assert_eq!(scheduler.to_string().parse(), Ok(scheduler));
        }
        assert_eq!("chaos".parse(), Ok(Scheduler::chaos(0)));
    }

    #[test]
    fn times_and_sizes_may_be_typed_as_the_command_prints_them() {
        let reads = |text: &str| text.parse::<Scheduler>().expect(text).to_string();
        assert_eq!(reads("cilk5,period=0"), "cilk5,period=0ns");
        assert_eq!(reads("cilk5,period=50.0 \u{b5}s"), "cilk5,period=50us");
        assert_eq!(reads("default,patience=1.5us"), "default,patience=1500ns");
        assert_eq!(reads("cab, boundary = 2, data = 1.5MiB"), "cab,boundary=2,data=1536KiB");
    }

    #[test]
    fn what_is_no_scheduler_is_refused_with_what_was_expected() {
        let refuse = |text: &str| text.parse::<Scheduler>().expect_err(text).to_string();
        assert!(
            refuse("clik5")
                .contains("`clik5`; expected one of: default, cilk5, heartbeat, tascell, cab, lazy, serial, chaos")
        );
        assert!(refuse("").contains("expected one of"));
        assert!(refuse("cilk5,speed=9").contains("`speed=9` of a scheduler; expected one of: period=TIME"));
        assert!(refuse("cilk5,period").contains("`period` of a scheduler; expected one of: period=TIME"));
        assert!(
            refuse("cilk5,period=9").contains("`9` is no value of the setting `period`; expected a number with a unit")
        );
        assert!(refuse("cilk5,period=us").contains("`us` is no value"));
        assert!(refuse("cilk5,period=99999999999999999999s").contains("is no value"));
        assert!(refuse("cilk5,period=1us,period=2us").contains("`period` of a scheduler is there twice"));
        assert!(
            refuse("tascell,period=1us").contains("`tascell` has no setting `period`; expected one of: default, cilk5")
        );
        assert!(refuse("cilk5,patience=1us").contains("`cilk5` has no setting `patience`; expected one of: default"));
        assert!(refuse("heartbeat,balancer=deque").contains("expected `concurrent`, `private` or `mixed`"));
        assert!(refuse("cab,branching=1").contains("expected a whole number, 2 or more"));
        assert!(refuse("cilk5,grain=0").contains("expected `auto`, or a whole number, 1 or more"));
        assert!(refuse("default,grain=auto").contains("`default` has no setting `grain`; expected one of: cilk5"));
        assert!(refuse("cab,data=48MB").contains("expected a number with a unit, B, KiB, MiB or GiB"));
        assert!(refuse("default,patience=soon").contains("expected `never`, or a time"));
        assert!(refuse("default,wait=long").contains("expected `descendants` or `any`"));
        assert!(refuse("chaos,seed=-1").contains("expected a whole number below 2^64"));
        assert!(refuse("chaos,wait=any").contains("`chaos` has no setting `wait`"));
    }

    #[test]
    fn a_value_is_checked_as_its_text_is() {
        let made: [fn(Scheduler) -> Scheduler; 7] = [
            |scheduler| scheduler.with_period(Duration::ZERO),
            |scheduler| scheduler.with_patience(None),
            |scheduler| scheduler.with_wait(Wait::Any),
            |scheduler| scheduler.with_balancer(Balancer::Private),
            |scheduler| scheduler.with_boundary(3),
            |scheduler| scheduler.with_branching(4),
            |scheduler| scheduler.with_data_bytes(48 << 20),
        ];
        for preset in Preset::ALL {
            assert_eq!(Scheduler::preset(preset).check(), Ok(()));
            for make in made {
                let scheduler = make(Scheduler::preset(preset));
                let parsed = scheduler.to_string().parse::<Scheduler>();
                match scheduler.check() {
                    Ok(()) => assert_eq!(parsed, Ok(scheduler)),
                    Err(reason) => assert_eq!(parsed.expect_err("refused").to_string(), reason.to_string()),
                }
            }
        }
    }
}
