//! What sharing costs on this machine: measured once, and kept where the platform keeps such things.
//!
//! τ by the protocol of heartbeat.txt, section 5.1: a program is run once with nothing shared (N very large) and once with as
//! much as can be (N = 0); τ is the difference of the times over the number of tasks created. The paper does so on one
//! core, where creating a task costs what it costs its creator; here most of that is the traffic between two processors, so
//! the second run has a thread that asks, and τ is what the asked one loses. The program is so small that what the asker
//! does for it hardly counts. The take is timed directly (`scheduler/calibrate.rs`).
//!
//! The file is one line of text per figure. One that cannot be read, or is not whole, is measured again; one that cannot
//! be written is done without.

use super::Capabilities;
use crate::scheduler::{Costs, Rules, Scheduler, calibrate};
use crate::strand::Strand;
use crate::worker::{Team, search};
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

/// Where nothing is shared.
pub(super) const NONE: Costs = Costs { give: Duration::ZERO, take: Duration::ZERO };

/// What is assumed while no measurement has succeeded: the paper's 1.5 µs, and the usual price of interrupting a
/// processor.
const UNMEASURED: Costs = Costs { give: Duration::from_nanos(1_500), take: Duration::from_micros(15) };

/// The costs, from this process, from the file, or measured.
pub(super) fn of_this_machine(capabilities: Capabilities) -> Costs {
    static KNOWN: OnceLock<Costs> = OnceLock::new();
    if let Some(&costs) = KNOWN.get() {
        return costs;
    }
    let file = file(capabilities);
    if let Some(costs) = file.as_deref().and_then(read) {
        return *KNOWN.get_or_init(|| costs);
    }
    let take = if capabilities.taking() { calibrate::take_cost() } else { Some(Duration::ZERO) };
    let Some(costs) = give_cost().zip(take).map(|(give, take)| Costs { give, take }) else {
        // The machine is too busy, or has no second processor. The next pool tries again, the next but one does not.
        static FAILED: AtomicBool = AtomicBool::new(false);
        if FAILED.swap(true, Ordering::Relaxed) {
            let _ = KNOWN.set(UNMEASURED);
        }
        return UNMEASURED;
    };
    if let Some(file) = &file {
        // Another process may do the same at the same time: either's figures will do.
        let _ = write(file, costs);
    }
    *KNOWN.get_or_init(|| costs)
}

/// Rounds of the protocol.
const ROUNDS: usize = 9;
/// Rounds tried, until so many of them count.
const ATTEMPTS: usize = if cfg!(miri) { 1 } else { 40 };
/// How long to stay out of the way of a thread that does not run.
const AWAY: Duration = Duration::from_millis(1);
/// The program: so many times fib of so much.
const REPEATS: u32 = if cfg!(miri) { 2 } else { 5_000 };
const FIB: u64 = 8;
/// Tasks that a round must have created to count: the asker was running.
const ENOUGH: u64 = 200;
/// No gift is cheaper, whatever the clock says: it takes a lock and a handful of locked instructions.
const LEAST: Duration = Duration::from_nanos(50);

/// τ. `None` where there was nobody to ask often enough.
fn give_cost() -> Option<Duration> {
    let team = |workers, period| {
        let scheduler = Scheduler::default().with_period(period).with_patience(None);
        let rules = Rules::new(&scheduler, NONE, false);
        Team::new(workers, FIB as usize + 2, scheduler, rules, None, None)
    };
    let alone = team(1, Duration::MAX)?;
    let asked = team(2, Duration::ZERO)?;
    thread::scope(|scope| {
        let asker = || search::live(&asked, 1);
        thread::Builder::new().name("filch-calibration".to_owned()).spawn_scoped(scope, asker).ok()?;
        let _end = Dismiss(&asked);
        let mut alone_for = Duration::MAX;
        let mut rounds = Vec::with_capacity(ROUNDS);
        for _ in 0..ATTEMPTS {
            alone_for = alone_for.min(time(&alone));
            let before = tasks(&asked);
            let asked_for = time(&asked);
            match tasks(&asked) - before {
                // The asker may be waiting for the processor that this thread is on. Who sleeps is woken on an idle one.
                ..ENOUGH => thread::sleep(AWAY),
                tasks => rounds.push((asked_for, u32::try_from(tasks).unwrap_or(u32::MAX))),
            }
            if rounds.len() == ROUNDS {
                break;
            }
        }
        let mut costs: Vec<_> =
            rounds.iter().map(|(asked_for, tasks)| asked_for.saturating_sub(alone_for) / *tasks).collect();
        costs.sort_unstable();
        // The lower quartile: what else disturbs a run makes it longer.
        costs.get(ROUNDS / 4).filter(|_| costs.len() == ROUNDS).map(|&cost| cost.max(LEAST))
    })
}

/// Ends the asker, whose end the scope awaits.
struct Dismiss<'a>(&'a Team);

impl Drop for Dismiss<'_> {
    fn drop(&mut self) {
        self.0.dismiss();
    }
}

fn time(team: &Team) -> Duration {
    team.run_from_outside(|rung| {
        let begin = Instant::now();
        for _ in 0..REPEATS {
            // SAFETY: `run_from_outside` has made this thread the occupant, with `rung` on top, until this returns.
            std::hint::black_box(fib(unsafe { Strand::at(rung) }, FIB));
        }
        begin.elapsed()
    })
}

fn tasks(team: &Team) -> u64 {
    let counters = team.counters();
    counters.forks_given - counters.forks_reclaimed
}

fn fib(mut s: Strand<'_>, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = s.join(|s| fib(s, n - 1), |s| fib(s, n - 2));
    a + b
}

/// Where the figures are kept, if there is such a place: `$XDG_CACHE_HOME/filch` on Linux, `~/Library/Caches/filch` on
/// macOS, `%LOCALAPPDATA%\\filch` on Windows. One file per kind of machine and build, since home folders are shared.
fn file(capabilities: Capabilities) -> Option<PathBuf> {
    if cfg!(any(miri, filch_sanitizer = "thread")) || !capabilities.taking() {
        return None;
    }
    let mut hasher = DefaultHasher::new();
    processor().hash(&mut hasher);
    thread::available_parallelism().map_or(0, |n| n.get()).hash(&mut hasher);
    capabilities.owner_fence_is_real().hash(&mut hasher);
    let build = if cfg!(debug_assertions) { "debug" } else { "release" };
    let name = format!("costs-{}-{build}-{:016x}.txt", env!("CARGO_PKG_VERSION"), hasher.finish());
    Some(dirs::cache_dir()?.join("filch").join(name))
}

/// What tells one kind of machine from another, as far as the system says.
fn processor() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    info.lines().find(|line| line.starts_with("model name")).unwrap_or(env::consts::ARCH).to_owned()
}

/// Other costs are not believed, whoever wrote them.
const BELIEVABLE: RangeInclusive<Duration> = Duration::from_nanos(1)..=Duration::from_millis(100);

fn read(file: &Path) -> Option<Costs> {
    let text = fs::read_to_string(file).ok()?;
    let figure = |name: &str| {
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = ")?.strip_suffix(" ns"))?;
        Some(Duration::from_nanos(value.parse().ok()?)).filter(|cost| BELIEVABLE.contains(cost))
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
        for bad in [
            "",
            "give = 1 ns",
            "give = x ns\ntake = 1 ns",
            "give = 1 ns\ntake = 0 ns",
            "give = 1 ns\ntake = 999999999999 ns",
        ] {
            fs::write(&file, bad).expect("as above");
            assert_eq!(read(&file), None, "{bad}");
        }
        fs::remove_dir_all(file.parent().expect("it has one")).expect("its own");
    }
}
