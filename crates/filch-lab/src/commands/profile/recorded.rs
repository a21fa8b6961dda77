//! The recordings: one for all numbers of workers, or one for each.
//!
//! Some programs divide their work by the number of workers: rayon's iterators make more tasks, and some count their
//! chunks by it. A recording for 1 worker then says nothing about 64. So the program is recorded for the least and for
//! the most workers. If it has forked equally often, one recording serves for all.

use std::fs;
use std::io::BufReader;
use std::path::Path;

use filch::{Profile, Scheduler};
use filch_bench::failure::Failure;
use filch_bench::interrupt;
use filch_bench::show::numbers::{grouped, number_of};
use filch_bench::show::progress::line::announce;
use filch_text::Source;

use super::args::ProfileArgs;
use super::child::{Output, Program, Temporary};

/// Numbers of forks that differ by less are equal. What is left whole is counted in samples, which may be off by some
/// percent; a program that divides its work by the number of workers forks many times as often for many.
const EQUAL: f64 = 0.1;

/// What was recorded for so many workers.
#[derive(Clone, Debug)]
pub(super) struct Recording {
    pub(super) workers: usize,
    pub(super) profile: Profile,
    /// The time of the whole process, if it was run for this.
    pub(super) wall_s: Option<f64>,
}

/// The recordings, with rising numbers of workers, and what the user should know about them.
#[derive(Clone, Debug)]
pub(super) struct Recordings {
    pub(super) all: Vec<Recording>,
    pub(super) note: String,
}

impl Recordings {
    /// The one for the most workers, in which the work is divided most.
    pub(super) fn shown(&self) -> &Recording {
        self.all.last().expect("there is at least one")
    }

    /// The one that says most about so many workers.
    pub(super) fn of(&self, workers: usize) -> &Recording {
        self.all.iter().find(|recording| recording.workers >= workers).unwrap_or_else(|| self.shown())
    }

    /// The one that is in a file.
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let wrong = |error: filch::ProfileError| Failure::Usage(format!("{}: {error}", path.display()));
        let file = Source::open(path).and_then(Source::into_stream).map_err(Failure::usage)?;
        let profile = Profile::from_reader(BufReader::new(file)).map_err(wrong)?;
        let workers = profile.workers();
        let note = format!("read from {}, recorded for {}", path.display(), number_of(workers, "worker", "workers"));
        Ok(Recordings { all: vec![Recording { workers, profile, wall_s: None }], note })
    }

    /// Runs the program as often as needed for these numbers of workers, which rise.
    pub(super) fn of_program(program: Program<'_>, workers: &[usize], args: &ProfileArgs) -> Result<Self, Failure> {
        let (&least, &most) = (workers.first().expect("there is one"), workers.last().expect("there is one"));
        let record = |workers, output| record(program, workers, output, args);
        let last = record(most, Output::Shown)?;
        if args.same_recording || least == most {
            let what = if args.same_recording { ", as asked" } else { "" };
            let note = format!("recorded once, for {}{what}", number_of(most, "worker", "workers"));
            return Ok(Recordings { all: vec![last], note });
        }
        let first = record(least, Output::Dropped)?;
        let forks = [&first, &last].map(|recording| recording.profile.forks());
        if are_equal(forks) {
            let note =
                format!("recorded for {least} and for {most} workers with about as many forks, so one serves for all");
            return Ok(Recordings { all: vec![last], note });
        }
        let [few, many] = forks.map(grouped);
        let note = format!(
            "recorded for each number of workers, because it forked {few} times for {}, and {many} times for {most}",
            number_of(least, "worker", "workers")
        );
        let inner = &workers[1..workers.len() - 1];
        let inner = inner.iter().map(|&workers| record(workers, Output::Dropped)).collect::<Result<Vec<_>, _>>()?;
        Ok(Recordings { all: [vec![first], inner, vec![last]].concat(), note })
    }
}

fn are_equal([one, other]: [u64; 2]) -> bool {
    one.abs_diff(other) as f64 <= EQUAL * one.max(other) as f64
}

/// Runs the program once. Ctrl-C waits until the file is gone.
fn record(program: Program<'_>, workers: usize, output: Output, args: &ProfileArgs) -> Result<Recording, Failure> {
    let profiling = args.leaf.clone().unwrap_or_else(Scheduler::profile);
    announce(format_args!("recording {} for {}", program.name(), number_of(workers, "worker", "workers")));
    interrupt::deferred(|| {
        let file = Temporary::new();
        let wall_s = program.run(workers, Some(&profiling), Some(file.path()), output)?;
        let is_there = fs::metadata(file.path()).is_ok_and(|found| found.len() > 0);
        if !is_there {
            return Err(Failure::Usage(format!(
                "{} has written no profile: expected a program that runs on Filch and ends by returning from main or \
                 by exit, on Linux",
                program.name()
            )));
        }
        let wrong = |error| Failure::Failed(format!("the profile of {}: {error}", program.name()));
        let profile = Profile::read(file.path()).map_err(wrong)?;
        Ok(Recording { workers, profile, wall_s: Some(wall_s) })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recordings_are_equal_if_they_fork_equally_often_within_a_tenth() {
        assert!(are_equal([0, 0]) && are_equal([1000, 1100]) && are_equal([1100, 1000]));
        assert!(!are_equal([1, 7]) && !are_equal([7, 1]) && !are_equal([1000, 1200]));
    }
}
