//! Presets, their settings, and which preset has which.
//!
//! The table here is the only place that says so. Text is checked against it when it is parsed, a value when a pool is
//! built.

use std::error::Error;
use std::fmt;

/// What a scheduler starts from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Preset {
    #[default]
    Default,
    Cilk5,
    Heartbeat,
    Tascell,
    Cab,
    Lazy,
    Serial,
    Chaos {
        seed: u64,
    },
    Profile {
        leaf_ns: u64,
    },
}

/// How long the parts of a program last on average that a profile does not divide further, unless it is set. Then the
/// three looks at the clock for each fork are some percent of the time.
pub(crate) const LEAF_NS: u64 = 4_000;

impl Preset {
    /// All presets; chaos with the seed that it has unless one is set.
    pub(crate) const ALL: [Preset; 9] = [
        Preset::Default,
        Preset::Cilk5,
        Preset::Heartbeat,
        Preset::Tascell,
        Preset::Cab,
        Preset::Lazy,
        Preset::Serial,
        Preset::Chaos { seed: 0 },
        Preset::Profile { leaf_ns: LEAF_NS },
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Preset::Default => "default",
            Preset::Cilk5 => "cilk5",
            Preset::Heartbeat => "heartbeat",
            Preset::Tascell => "tascell",
            Preset::Cab => "cab",
            Preset::Lazy => "lazy",
            Preset::Serial => "serial",
            Preset::Chaos { .. } => "chaos",
            Preset::Profile { .. } => "profile",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|preset| preset.name() == name)
    }

    fn settings(self) -> &'static [Setting] {
        match self {
            Preset::Default => &[Setting::Period, Setting::Patience, Setting::Wait],
            Preset::Cilk5 => &[Setting::Period, Setting::Wait, Setting::Grain],
            Preset::Heartbeat => &[Setting::Period, Setting::Wait, Setting::Balancer],
            Preset::Cab => &[
                Setting::Period,
                Setting::Patience,
                Setting::Wait,
                Setting::Boundary,
                Setting::Branching,
                Setting::Data,
            ],
            Preset::Lazy => &[Setting::Wait],
            Preset::Tascell | Preset::Serial => &[],
            Preset::Profile { .. } => &[Setting::Leaf],
            Preset::Chaos { .. } => &[Setting::Seed, Setting::Grain],
        }
    }
}

/// What can follow the name of a preset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Setting {
    Period,
    Patience,
    Wait,
    Balancer,
    Boundary,
    Branching,
    Data,
    Seed,
    Grain,
    Leaf,
}

impl Setting {
    pub(crate) const ALL: [Setting; 10] = [
        Setting::Period,
        Setting::Patience,
        Setting::Wait,
        Setting::Balancer,
        Setting::Boundary,
        Setting::Branching,
        Setting::Data,
        Setting::Seed,
        Setting::Grain,
        Setting::Leaf,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Setting::Period => "period",
            Setting::Patience => "patience",
            Setting::Wait => "wait",
            Setting::Balancer => "balancer",
            Setting::Boundary => "boundary",
            Setting::Branching => "branching",
            Setting::Data => "data",
            Setting::Seed => "seed",
            Setting::Grain => "grain",
            Setting::Leaf => "leaf",
        }
    }

    /// What its value looks like.
    pub(crate) fn values(self) -> &'static str {
        match self {
            Setting::Period | Setting::Leaf => "TIME",
            Setting::Patience => "TIME or never",
            Setting::Wait => "descendants or any",
            Setting::Balancer => "concurrent, private or mixed",
            Setting::Boundary | Setting::Branching | Setting::Seed => "NUMBER",
            Setting::Data => "SIZE",
            Setting::Grain => "NUMBER or auto",
        }
    }
}

/// Why a [`Scheduler`](crate::Scheduler) cannot be used: its preset does not have a setting that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SettingError {
    /// The preset.
    pub name: &'static str,
    /// The setting that it does not have.
    pub setting: &'static str,
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, setting } = self;
        write!(f, "the scheduler `{name}` has no setting `{setting}`; expected one of: {}", self.users())
    }
}

impl Error for SettingError {}

impl SettingError {
    /// The presets that have the setting.
    fn users(&self) -> String {
        let has_it = |preset: &Preset| preset.settings().iter().any(|setting| setting.name() == self.setting);
        Preset::ALL.iter().filter(|preset| has_it(preset)).map(|preset| preset.name()).collect::<Vec<_>>().join(", ")
    }
}

/// Whether `preset` has a use for `setting`.
pub(crate) fn check(preset: Preset, setting: Setting) -> Result<(), SettingError> {
    let error = SettingError { name: preset.name(), setting: setting.name() };
    if preset.settings().contains(&setting) { Ok(()) } else { Err(error) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_refused_learns_who_has_the_setting() {
        let refused = check(Preset::Serial, Setting::Period).expect_err("it has no period");
        let text = "the scheduler `serial` has no setting `period`; expected one of: default, cilk5, heartbeat, cab";
        assert_eq!(refused.to_string(), text);
    }
}
