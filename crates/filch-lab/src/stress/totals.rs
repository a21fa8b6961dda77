//! What cases did, added up.

use std::io::{self, Write};
use std::time::Duration;

use filch::Pool;

use super::oracle::Counts;
use super::program::Program;
use crate::numbers::seconds;

/// What some programs and pools did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Programs that ran.
    pub programs: u64,
    /// A number that is another for other programs, in whichever order they ran.
    pub digest: u64,
    /// Of what the oracle says must run.
    pub counts: Counts,
    /// The runtime's counters, by name.
    pub counters: Vec<(&'static str, u64)>,
}

impl Totals {
    /// One program's share.
    pub fn of_program(program: &Program, counts: Counts) -> Self {
        Self { programs: 1, digest: program.digest(), counts, counters: Vec::new() }
    }

    /// The sum of both.
    #[must_use]
    pub fn plus(mut self, other: Self) -> Self {
        self.programs += other.programs;
        self.digest = self.digest.wrapping_add(other.digest);
        self.counts = self.counts + other.counts;
        for (name, value) in other.counters {
            self.count(name, value);
        }
        self
    }

    /// With what a pool counted.
    #[must_use]
    pub fn counted_by(mut self, pool: &Pool) -> Self {
        for (name, value) in pool.counters().iter() {
            self.count(name, value);
        }
        self
    }

    /// Forks that another worker than their own has got. One that its owner took back was given all the same.
    pub fn tasks(&self) -> u64 {
        let is_task = |name| ["forks_given", "forks_taken"].contains(&name);
        self.counters.iter().filter(|&&(name, _)| is_task(name)).map(|&(_, value)| value).sum()
    }

    fn count(&mut self, name: &'static str, value: u64) {
        match self.counters.iter_mut().find(|(counted, _)| *counted == name) {
            Some((_, sum)) => *sum += value,
            None => self.counters.push((name, value)),
        }
    }

    /// Shows the sums of so many cases.
    pub fn show(&self, cases: u64, time: Duration, out: &mut dyn Write) -> io::Result<()> {
        let mut line = |name: &str, value: String| writeln!(out, "{name:<26}{value:>12}");
        line("cases", cases.to_string())?;
        line("programs", self.programs.to_string())?;
        self.counts.named().iter().try_for_each(|(name, count)| line(name, count.to_string()))?;
        for (name, value) in &self.counters {
            match name.strip_suffix("_ns") {
                Some(name) => line(name, seconds(*value as f64 * 1e-9))?,
                None => line(name, value.to_string())?,
            }
        }
        line("time", seconds(time.as_secs_f64()))?;
        writeln!(out, "digest of the programs     {:016x}", self.digest)
    }
}
