//! The sums over cases.

use std::io::{self, Write};
use std::time::Duration;

use filch::Pool;
use filch_bench::measure::counts::as_map;
use filch_bench::show::numbers::seconds;
use serde::Serialize;

use super::oracle::meaning::Counts;
use super::program::Program;

/// The sums over some programs and pools.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// The number of programs that ran.
    pub programs: u64,
    /// A hash of the programs, which does not depend on the order in which they ran.
    pub digest: u64,
    /// The counts over what the oracle says must run.
    pub counts: Counts,
    /// The runtime's counters, by name.
    pub counters: Vec<(&'static str, u64)>,
}

impl Totals {
    /// The contribution of one program.
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

    /// Adds the counters of a pool.
    #[must_use]
    pub fn counted_by(mut self, pool: &Pool) -> Self {
        for (name, value) in pool.counters().iter() {
            self.count(name, value);
        }
        self
    }

    /// The number of forks given or taken. One that its owner took back later was given too.
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

    /// The sums over `cases` cases.
    pub fn over(self, cases: u64, time: Duration) -> Summary {
        let Self { programs, digest, counts, counters } = self;
        let (counts, digest) = (counts.named().to_vec(), format!("{digest:016x}"));
        Summary { cases, programs, counts, counters, time_s: time.as_secs_f64(), digest }
    }
}

/// The sums over all cases.
#[derive(Debug, Serialize)]
pub struct Summary {
    cases: u64,
    programs: u64,
    #[serde(serialize_with = "as_map")]
    counts: Vec<(&'static str, u64)>,
    #[serde(serialize_with = "as_map")]
    counters: Vec<(&'static str, u64)>,
    time_s: f64,
    digest: String,
}

impl Summary {
    /// Shows the sums.
    pub fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut line = |name: &str, value: String| writeln!(out, "{name:<26}{value:>12}");
        line("cases", self.cases.to_string())?;
        line("programs", self.programs.to_string())?;
        self.counts.iter().try_for_each(|(name, count)| line(name, count.to_string()))?;
        for (name, value) in &self.counters {
            match name.strip_suffix("_ns") {
                Some(name) => line(name, seconds(*value as f64 * 1e-9))?,
                None => line(name, value.to_string())?,
            }
        }
        line("time", seconds(self.time_s))?;
        writeln!(out, "digest of the programs     {}", self.digest)
    }
}
