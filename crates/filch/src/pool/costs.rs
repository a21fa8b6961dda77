//! What sharing costs on this machine: measured once, and kept where the platform keeps such things.
//!
//! τ by the protocol of heartbeat.txt, section 5.1: a program is run on one worker, first without sharing and then with so
//! much of it that it shows; τ is the difference of the times over the number of forks given. The take is timed directly
//! (`scheduler/calibrate.rs`).
//!
//! The file is one line of text per figure. One that cannot be read, or is not whole, is measured again; one that cannot
//! be written is done without.

use super::Capabilities;
use crate::scheduler::{Costs, Rules, Scheduler, calibrate};
use crate::strand::Strand;
use crate::worker::{Team, nudge::Nudge};
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use std::{env, fs, thread};

/// Where nothing is shared.
pub(super) const NONE: Costs = Costs { give: Duration::ZERO, take: Duration::ZERO };

/// What a take is taken to cost while no measurement has succeeded: the usual price of interrupting a processor.
const TAKE_UNMEASURED: Duration = Duration::from_micros(15);

/// The costs, from this process, from the file, or measured. `None` where there is no memory to measure with.
pub(super) fn of_this_machine(capabilities: Capabilities) -> Option<Costs> {
    static KNOWN: OnceLock<Costs> = OnceLock::new();
    if let Some(&costs) = KNOWN.get() {
        return Some(costs);
    }
    let file = file();
    if let Some(costs) = file.as_deref().and_then(read) {
        return Some(*KNOWN.get_or_init(|| costs));
    }
    let give = give_cost()?;
    let take = if capabilities.taking() { calibrate::take_cost() } else { Some(Duration::ZERO) };
    let Some(take) = take else {
        // The machine is too busy. The next pool tries again.
        return Some(Costs { give, take: TAKE_UNMEASURED });
    };
    let costs = Costs { give, take };
    if let Some(file) = &file {
        // Another process may do the same at the same time: either's figures will do.
        let _ = write(file, costs);
    }
    Some(*KNOWN.get_or_init(|| costs))
}

/// Rounds of the protocol. The shortest times count: whatever disturbs a run makes it longer.
const ROUNDS: usize = 15;
/// Size of the program, fib: long enough to time, and short.
const FIB: u64 = if cfg!(miri) {
    8
} else if cfg!(debug_assertions) {
    18
} else {
    22
};
/// One leaf in so many asks for a fork.
const LEAVES_PER_ASK: u64 = 32;

/// τ. `None` where there is no memory for two ladders.
fn give_cost() -> Option<Duration> {
    // Worker 1 is where the forks are given to; nobody sits there, so their owner takes each back.
    let rules = Rules::new(&Scheduler::default().with_period(Duration::ZERO), NONE, false);
    let team = Team::new(2, FIB as usize + 2, Scheduler::default(), rules, None)?;
    let time = |asks: bool| {
        team.run_from_outside(|rung| {
            let nudge = Nudge::new(&team, 0, 1);
            let begin = Instant::now();
            // SAFETY: `run_from_outside` has made this thread the occupant, with `rung` on top, until this returns.
            std::hint::black_box(fib(unsafe { Strand::at(rung) }, FIB, asks, &nudge));
            begin.elapsed()
        })
    };
    let (mut without, mut with, mut given) = (Duration::MAX, Duration::MAX, 0);
    for _ in 0..ROUNDS {
        without = without.min(time(false));
        let before = team.counters().forks_given;
        with = with.min(time(true));
        given = team.counters().forks_given - before;
    }
    let given = u32::try_from(given.max(1)).unwrap_or(u32::MAX);
    Some((with.saturating_sub(without) / given).max(LEAST))
}

/// No gift is cheaper, whatever the clock says: it takes a lock and a handful of locked instructions.
const LEAST: Duration = Duration::from_nanos(50);

/// Every so many leaves it is asked for a fork, if `asks` says so.
fn fib(mut s: Strand<'_>, n: u64, asks: bool, nudge: &Nudge<'_>) -> u64 {
    if n < 2 {
        if nudge.count().is_multiple_of(LEAVES_PER_ASK) && asks {
            nudge.ask();
        }
        return n;
    }
    let (a, b) = s.join(|s| fib(s, n - 1, asks, nudge), |s| fib(s, n - 2, asks, nudge));
    a + b
}

/// Where the figures are kept, if there is such a place: `$XDG_CACHE_HOME/filch` on Linux, `~/Library/Caches/filch` on
/// macOS, `%LOCALAPPDATA%\\filch` on Windows. One file per kind of machine and build, since home folders are shared.
fn file() -> Option<PathBuf> {
    if cfg!(miri) {
        return None;
    }
    let mut hasher = DefaultHasher::new();
    processor().hash(&mut hasher);
    thread::available_parallelism().map_or(0, |n| n.get()).hash(&mut hasher);
    let build = if cfg!(debug_assertions) { "debug" } else { "release" };
    let name = format!("costs-{}-{build}-{:016x}.txt", env!("CARGO_PKG_VERSION"), hasher.finish());
    Some(dirs::cache_dir()?.join("filch").join(name))
}

/// What tells one kind of machine from another, as far as the system says.
fn processor() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    info.lines().find(|line| line.starts_with("model name")).unwrap_or(env::consts::ARCH).to_owned()
}

/// Costs beyond this are not believed, whoever wrote them.
const BELIEVABLE: Duration = Duration::from_millis(100);

fn read(file: &Path) -> Option<Costs> {
    let text = fs::read_to_string(file).ok()?;
    let figure = |name: &str| {
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = ")?.strip_suffix(" ns"))?;
        Some(Duration::from_nanos(value.parse().ok()?)).filter(|&cost| cost <= BELIEVABLE)
    };
    Some(Costs { give: figure("give")?, take: figure("take")? })
}

/// Whole or not at all.
fn write(file: &Path, costs: Costs) -> std::io::Result<()> {
    let text = format!("give = {} ns\ntake = {} ns\n", costs.give.as_nanos(), costs.take.as_nanos());
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let unfinished = file.with_extension(format!("{}.tmp", std::process::id()));
    let written = fs::write(&unfinished, text).and_then(|()| fs::rename(&unfinished, file));
    if written.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_that_were_written_are_read_and_others_are_not_believed() {
        let file = env::temp_dir().join(format!("filch-costs-{}", std::process::id())).join("costs.txt");
        let costs = Costs { give: Duration::from_nanos(210), take: Duration::from_nanos(17_000) };
        assert_eq!(read(&file), None);
        write(&file, costs).expect("a folder of its own");
        assert_eq!(read(&file), Some(costs));
        for bad in ["", "give = 1 ns", "give = x ns\ntake = 1 ns", "give = 1 ns\ntake = 999999999999 ns"] {
            fs::write(&file, bad).expect("as above");
            assert_eq!(read(&file), None, "{bad}");
        }
        fs::remove_dir_all(file.parent().expect("it has one")).expect("its own");
    }

    #[test]
    fn a_gift_costs_something_and_every_one_is_taken_back() {
        assert!(give_cost().expect("there is memory") < BELIEVABLE);
    }
}
