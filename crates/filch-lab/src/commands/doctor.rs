//! `filch doctor`: what this machine lets Filch do, what would make it faster here, and what a report of a fault needs.
//!
//! A look is a pure function of what the system says, so that each can be tested with what other machines say.

use std::io::Write;
use std::path::Path;
use std::{env, fs, thread};

use clap::Args;
use filch::Pool;
use filch_bench::failure::Failure;
use filch_bench::measure::callgrind::check_valgrind;
use filch_bench::measure::machine::facts::{cpu, system};
use filch_bench::measure::others;
use serde::Serialize;

use crate::output::FormatArgs;

/// The end of `--help`.
pub const HELP: &str = "\
Each line says what was found. A line that begins with `!` has something that can be mended, with how.

Examples:
  filch doctor
  filch doctor > report.txt
  FILCH_WORKERS=4 filch doctor";

/// The arguments of `filch doctor`.
#[derive(Args, Debug, Default)]
pub struct DoctorArgs {
    /// The form of the figures.
    #[command(flatten)]
    pub figures: FormatArgs,
}

/// What was found of one thing.
#[derive(Debug, PartialEq, Serialize)]
struct Finding {
    what: &'static str,
    found: String,
    /// What would be better, and how to get it.
    advice: Option<&'static str>,
}

fn good(what: &'static str, found: impl Into<String>) -> Finding {
    Finding { what, found: found.into(), advice: None }
}

fn bad(what: &'static str, found: impl Into<String>, advice: &'static str) -> Finding {
    Finding { what, found: found.into(), advice: Some(advice) }
}

/// Runs `filch doctor`.
pub fn run(args: &DoctorArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let text = |path: &str| fs::read_to_string(path).ok();
    let mut findings = vec![
        good("version", format!("filch {}, {}", env!("CARGO_PKG_VERSION"), build(cfg!(debug_assertions)))),
        good("processor", cpu().unwrap_or_else(|| env::consts::ARCH.into())),
        good("system", system()),
    ];
    if cfg!(debug_assertions) {
        findings[0].advice = Some("a build with optimisation: cargo build --release");
    }
    let available = thread::available_parallelism().map_or(1, |n| n.get());
    findings.push(processors(available, text("/sys/devices/system/cpu/online").as_deref()));
    findings.extend(cgroup("cpu.max").map(|limit| quota(&limit)));
    findings.extend(cgroup("memory.max").map(|limit| good("memory limit", limit)));
    findings.extend(variables());
    let pool = Pool::builder().build();
    findings.push(match &pool {
        Err(error) => bad("pool", error.to_string(), "expected a pool that can be built"),
        Ok(pool) => good("pool", format!("workers: {}, scheduler {}", pool.num_workers(), pool.scheduler())),
    });
    if let Ok(pool) = &pool {
        findings.push(taking(pool.capabilities()));
    }
    let pins = Pool::builder().pin_threads(true).build().is_ok();
    findings.push(good("binding", if pins { "threads can be bound to processors" } else { "not on this system" }));
    findings.push(costs());
    findings.extend(text("/sys/kernel/mm/transparent_hugepage/enabled").map(|modes| pages(&modes)));
    findings.extend(text("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor").map(|name| governor(name.trim())));
    findings.extend(others::Watch::settled().cores().map(load));
    findings.push(match check_valgrind() {
        Ok(()) => good("valgrind", "there, for `--instructions`"),
        Err(_) => bad("valgrind", "not there", "`--instructions` needs it: on Debian, apt install valgrind"),
    });
    show(&findings, out)?;
    args.figures.write(&findings)
}

fn show(findings: &[Finding], out: &mut dyn Write) -> Result<(), Failure> {
    for Finding { what, found, advice } in findings {
        writeln!(out, "{} {what:<14}{found}", if advice.is_some() { '!' } else { ' ' })?;
        if let Some(advice) = advice {
            writeln!(out, "                {advice}")?;
        }
    }
    let to_mend = findings.iter().filter(|finding| finding.advice.is_some()).count();
    writeln!(out, "\n{to_mend} of {} lines have something that can be mended.", findings.len())?;
    writeln!(
        out,
        "A report of a fault should have this page, the command or smallest program that shows the fault, what was\n\
         expected and what was found, and for a result that is wrong only sometimes, how often out of how many runs:\n\
         `filch::check` and the scheduler chaos(SEED) find a schedule that shows it every time."
    )?;
    Ok(())
}

fn build(is_debug: bool) -> &'static str {
    if is_debug { "not optimised" } else { "optimised" }
}

/// How many processors there are, and how many this process may use. `online` is a list such as `0-3,8`.
fn processors(available: usize, online: Option<&str>) -> Finding {
    let count = |range: &str| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        Some(last.trim().parse::<usize>().ok()? + 1 - first.trim().parse::<usize>().ok()?)
    };
    let online = online.and_then(|list| list.split(',').map(count).sum::<Option<usize>>());
    match online {
        Some(online) if online > available => bad(
            "processors",
            format!("{available} of {online} may be used"),
            "an affinity mask (taskset), or a set of processors or a quota of a container, forbids the others",
        ),
        _ if available == 1 => bad("processors", "1", "a second one: a pool of one worker runs everything in order"),
        _ => good("processors", format!("{available}, all that there are")),
    }
}

/// What the control group of this process, or the nearest above it with a limit, says in a file.
fn cgroup(file: &str) -> Option<String> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let own = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let limit = |group: &Path| fs::read_to_string(Path::new("/sys/fs/cgroup").join(group).join(file)).ok();
    let said = Path::new(own).ancestors().filter_map(limit).find(|limit| !limit.starts_with("max"))?;
    Some(said.trim().to_owned())
}

/// A quota is `MICROSECONDS PERIOD`.
fn quota(limit: &str) -> Finding {
    let numbers: Vec<f64> = limit.split_whitespace().filter_map(|number| number.parse().ok()).collect();
    let [quota, period] = numbers[..] else { return good("quota", limit) };
    let processors = quota / period;
    let found = format!("{processors:.2} processors");
    if processors.fract() == 0.0 {
        good("quota", found)
    } else {
        bad("quota", found, "a whole number: a worker that is stopped for the rest of a period delays the others")
    }
}

/// The variables that change what pools do.
fn variables() -> Vec<Finding> {
    let set = env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value)));
    let mut ours: Vec<_> = set.filter(|(name, _)| name.starts_with("FILCH_")).collect();
    ours.sort();
    ours.into_iter().map(|(name, value)| good("variable", format!("{name}={}", value.to_string_lossy()))).collect()
}

fn taking(capabilities: filch::Capabilities) -> Finding {
    let found = capabilities.to_string();
    if !capabilities.taking() {
        let advice =
            "a kernel and a sandbox that allow membarrier(2): a worker in a long leaf keeps its forks otherwise";
        return bad("taking", found, advice);
    }
    if capabilities.owner_fence_is_real() {
        return bad(
            "taking",
            found,
            "a build without --cfg filch_fence=\"real\", on Linux or Windows: forks are cheaper",
        );
    }
    good("taking", found)
}

fn costs() -> Finding {
    let costs = Pool::measured_costs();
    match (costs.give, costs.take) {
        (Some(give), Some(take)) => good("costs", format!("measured: giving {give}, taking {take}")),
        _ => bad("costs", "assumed", "`filch machine` measures them on a quiet machine, once"),
    }
}

/// `modes` is a list in which the one that holds is in brackets.
fn pages(modes: &str) -> Finding {
    let mode = modes.split_whitespace().find_map(|mode| mode.strip_prefix('[')?.strip_suffix(']')).unwrap_or("unknown");
    match mode {
        "never" => bad(
            "large pages",
            mode,
            "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled: large graphs take up to 1.2 times as long",
        ),
        _ => good("large pages", mode),
    }
}

fn governor(name: &str) -> Finding {
    match name {
        "powersave" | "conservative" => {
            bad("governor", name, "cpupower frequency-set --governor performance, if figures vary from run to run")
        }
        _ => good("governor", name),
    }
}

/// More than this, and a pool with a worker for each processor waits for other programs.
const BUSY_CORES: f64 = 0.5;

fn load(cores: f64) -> Finding {
    let found = format!("other programs keep {cores:.1} processors busy");
    if cores < BUSY_CORES {
        good("load", found)
    } else {
        bad("load", found, "a quiet machine, or fewer workers (FILCH_WORKERS): figures for several workers suffer")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn advises(finding: Finding) -> bool {
        finding.advice.is_some()
    }

    #[test]
    fn processors_that_a_process_may_not_use_are_counted() {
        assert_eq!(processors(4, Some("0-3\n")), good("processors", "4, all that there are"));
        assert_eq!(processors(4, Some("0-3,8-11,15\n")).found, "4 of 9 may be used");
        assert_eq!(processors(2, None), good("processors", "2, all that there are"));
        assert_eq!(processors(2, Some("what")), good("processors", "2, all that there are"));
        assert!(advises(processors(1, Some("0"))));
    }

    #[test]
    fn quotas_pages_governors_and_load_are_judged() {
        assert_eq!(quota("200000 100000"), good("quota", "2.00 processors"));
        assert!(advises(quota("150000 100000")));
        assert_eq!(quota("strange"), good("quota", "strange"));
        assert_eq!(pages("always [madvise] never"), good("large pages", "madvise"));
        assert!(advises(pages("always madvise [never]")));
        assert!(advises(governor("powersave")) && !advises(governor("performance")));
        assert!(advises(load(1.5)) && !advises(load(0.1)));
    }

    #[test]
    fn what_can_be_mended_is_marked_and_counted() {
        let mut shown = Vec::new();
        show(&[good("a", "fine"), bad("b", "slow", "do this")], &mut shown).unwrap();
        let shown = String::from_utf8(shown).unwrap();
        assert!(shown.starts_with("  a             fine\n! b             slow\n                do this\n"), "{shown}");
        assert!(shown.contains("\n1 of 2 lines"), "{shown}");
    }
}
