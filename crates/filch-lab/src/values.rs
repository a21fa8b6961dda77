//! Parsers for the values of options that several commands have.

use std::fmt;
use std::str::FromStr;

use filch::{ParseSchedulerError, Pool, Scheduler};

/// A number from 1 up.
pub fn at_least_one(value: &str) -> Result<usize, String> {
    match value.parse() {
        Ok(0) => Err("must be at least 1".into()),
        Ok(number) => Ok(number),
        Err(_) => Err("must be a number".into()),
    }
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
