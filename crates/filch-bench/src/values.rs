//! Parsers for the values of options that several commands have. The message of each says what is expected; clap puts
//! the option and the value that was found in front of it.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use filch::{ParseSchedulerError, Pool, Scheduler};

/// A parser of whole numbers in this range, whose ends the type has.
pub fn whole<N: TryFrom<u64>>(range: RangeInclusive<u64>) -> impl Fn(&str) -> Result<N, String> + Clone {
    move |value| {
        let number = value.parse().ok().filter(|number| range.contains(number));
        number.and_then(|number: u64| number.try_into().ok()).ok_or_else(|| {
            let (low, high) = (range.start(), range.end());
            // The largest number of 64 bits is named only if the value exceeds it.
            let is_beyond =
                !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) && value.parse::<u64>().is_err();
            match *high {
                u64::MAX if !is_beyond => format!("expected a whole number from {low} up"),
                _ => format!("expected a whole number from {low} to {high}"),
            }
        })
    }
}

/// A whole number.
pub fn any_number<N: TryFrom<u64>>(value: &str) -> Result<N, String> {
    whole(0..=u64::MAX)(value)
}

/// A whole number from 1 up.
pub fn at_least_one<N: TryFrom<u64>>(value: &str) -> Result<N, String> {
    whole(1..=u64::MAX)(value)
}

/// A whole number from 2 up.
pub fn at_least_two(value: &str) -> Result<usize, String> {
    whole(2..=u64::MAX)(value)
}

/// A number of runs. More would last for days, and the memory for their times has to be there.
pub fn runs(value: &str) -> Result<usize, String> {
    whole(1..=1_000_000)(value)
}

/// A parser of numbers for which `is_allowed` holds.
pub fn number(
    expected: &'static str,
    is_allowed: impl Fn(f64) -> bool + Clone,
) -> impl Fn(&str) -> Result<f64, String> + Clone {
    move |value| {
        let number = value.parse().ok().filter(|number: &f64| number.is_finite() && is_allowed(*number));
        number.ok_or_else(|| format!("expected {expected}"))
    }
}

/// A text that is not empty. The name of what it may be is for the message.
pub fn not_empty(expected: &'static str) -> impl Fn(&str) -> Result<String, String> + Clone {
    move |value| if value.trim().is_empty() { Err(format!("expected {expected}")) } else { Ok(value.to_owned()) }
}

/// A value of `--scheduler`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Every preset that the machine supports.
    All,
    /// A scheduler.
    One(Scheduler),
}

impl FromStr for Choice {
    type Err = ParseSchedulerError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "all" { Ok(Self::All) } else { text.parse().map(Self::One) }
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("all"),
            Self::One(scheduler) => scheduler.fmt(f),
        }
    }
}

/// The schedulers that are chosen, each once. Of all presets, those that can have a pool of each of these numbers of
/// workers; the default comes last, because comparisons are with the last one.
pub fn schedulers(chosen: &[Choice], workers: &[usize]) -> Vec<Scheduler> {
    let can_have = |scheduler: &Scheduler, workers| {
        Pool::builder().scheduler(scheduler.clone()).workers(workers).resolved().is_ok()
    };
    let mut schedulers = Vec::new();
    for choice in chosen {
        match choice {
            Choice::One(scheduler) => schedulers.push(scheduler.clone()),
            Choice::All => {
                let (default, others): (Vec<_>, Vec<_>) =
                    Scheduler::presets().partition(|scheduler| *scheduler == Scheduler::default());
                let presets = others.into_iter().chain(default);
                schedulers.extend(presets.filter(|preset| workers.iter().all(|&workers| can_have(preset, workers))));
            }
        }
    }
    once_each(schedulers)
}

/// The list without duplicates, which would be measured twice under one name.
pub fn once_each<T: PartialEq>(list: Vec<T>) -> Vec<T> {
    let mut once = Vec::new();
    for item in list {
        if !once.contains(&item) {
            once.push(item);
        }
    }
    once
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_every_preset_that_can_have_the_workers_with_the_default_last() {
        let all = schedulers(&[Choice::All], &[1]);
        assert!(all.contains(&Scheduler::serial()) && all.contains(&Scheduler::heartbeat()), "{all:?}");
        assert_eq!(all.last(), Some(&Scheduler::default()));
        let several = schedulers(&[Choice::All], &[1, 3]);
        assert!(!several.contains(&Scheduler::serial()) && several.contains(&Scheduler::tascell()), "{several:?}");
    }

    #[test]
    fn a_scheduler_is_chosen_once_however_often_it_is_named() {
        let chosen = ["tascell", "all", "tascell"].map(|text| text.parse().unwrap());
        let schedulers = schedulers(&chosen, &[1]);
        assert_eq!(schedulers[0], Scheduler::tascell());
        assert_eq!(schedulers.iter().filter(|scheduler| **scheduler == Scheduler::tascell()).count(), 1);
        assert!("fast".parse::<Choice>().is_err());
        assert_eq!(Choice::All.to_string().parse(), Ok(Choice::All));
    }
}
