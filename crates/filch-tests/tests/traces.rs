//! Traces of processes of their own: this binary runs again, with a file for the trace in its environment, and is asked
//! for one of the probes below.
#![cfg(not(any(miri, target_family = "wasm")))]
#![allow(missing_docs)]

mod common;

use filch::{Counters, Pool, Strand};
use filch_trace::read::{self, Kind, Read, Slice};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

/// The variable that says which probe is asked for.
const PROBE: &str = "FILCH_TEST_PROBE";

/// A probe, to be run with a trace in this file.
fn command(probe: &str, file: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("a test binary"));
    command.args(["--exact", "probe", "--nocapture"]).env(PROBE, probe).env("FILCH_TRACE", file);
    command
}

/// Runs a probe to its end. Returns what it says.
fn run(probe: &str, file: &Path, scheduler: &str) -> String {
    let output: Output = command(probe, file).env("FILCH_SCHEDULER", scheduler).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    said
}

/// A file that is removed afterwards.
struct File(PathBuf);

impl File {
    fn new(name: &str) -> Self {
        File(std::env::temp_dir().join(format!("filch-{}-{name}", std::process::id())))
    }

    fn read(&self) -> Read {
        read::perfetto(&std::fs::read(&self.0).expect("it has been written")).expect("it is a trace")
    }

    /// The events in the format of Chrome, whether or not the list ends.
    fn read_json(&self) -> Vec<serde_json::Value> {
        let text = std::fs::read_to_string(&self.0).expect("it has been written");
        let text = if text.ends_with("]\n") { text } else { text + "]" };
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }
}

impl Drop for File {
    fn drop(&mut self) {
        _ = std::fs::remove_file(&self.0);
    }
}

fn fib(mut s: Strand<'_>, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = s.join(|s| fib(s, n - 1), |s| fib(s, n - 2));
    a + b
}

/// Some of each construct.
fn work(pool: &Pool) {
    let _work = filch::trace_span("work");
    assert_eq!(pool.run(|s| fib(s, 18)), 2584);
    pool.run(|mut s| {
        s.for_each(0..2_000_u32, |_, _| std::hint::black_box(()));
        s.scope(|_, scope| {
            (0..20).for_each(|_| {
                scope.spawn(|s| {
                    let _task = filch::trace_span("spawned");
                    fib(s, 8);
                })
            })
        });
    });
    let unwound = std::panic::catch_unwind(|| {
        pool.run(|mut s| {
            let _span = filch::trace_span("unwound");
            s.join(
                |s| fib(s, 10),
                |s| {
                    if fib(s, 10) == 55 {
                        panic!("in a branch")
                    }
                },
            );
        })
    });
    assert!(unwound.is_err());
}

/// Answers what the tests below ask. Run by itself, it does nothing.
#[test]
fn probe() {
    let Ok(probe) = std::env::var(PROBE) else { return };
    std::panic::set_hook(Box::new(|_| ()));
    let build = || Pool::builder().workers(3).build();
    match &*probe {
        "work" => {
            let pool = build().expect("a small pool");
            (0..5).for_each(|_| work(&pool));
            let Counters { asks, forks_given, forks_taken, forks_reclaimed, .. } = pool.counters();
            println!("counted {asks} {forks_given} {forks_taken} {forks_reclaimed}");
        }
        "work for ever" => {
            let pool = build().expect("a small pool");
            loop {
                work(&pool);
            }
        }
        "global" => _ = filch::run(|s| fib(s, 15)),
        "fork" => fork(&build().expect("a small pool")),
        "error" => println!("{}", build().expect_err("no file for a trace")),
        _ => panic!("{probe}: no such probe"),
    }
}

/// Forks inside of a run. The child uses the pool, builds another one, and ends as processes do.
#[cfg(unix)]
fn fork(pool: &Pool) {
    work(pool);
    pool.run(|s| {
        // SAFETY: the child does what a child of a process with threads may do, or what this test is about.
        let child = unsafe { libc::fork() };
        if child == 0 {
            let _span = filch::trace_span("in the child");
            work(pool);
            work(&Pool::builder().workers(2).build().expect("a small pool"));
            // SAFETY: ends the process, after what it has registered for that.
            unsafe { libc::exit(0) };
        }
        let mut status = 0;
        // SAFETY: there is room for the status.
        assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
        assert!(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0);
        fib(s, 5)
    });
    work(pool);
}

#[cfg(not(unix))]
fn fork(_: &Pool) {}

fn number_of(read: &Read, name: &str) -> usize {
    read.events.iter().filter(|event| event.name == name).count()
}

#[test]
fn slices_nest_arrows_have_two_ends_and_events_are_as_many_as_the_counters_say() {
    let mut moved = 0;
    for scheduler in
        ["default,period=0ns", "cilk5,period=0ns", "tascell", "lazy", "heartbeat,period=0ns", "chaos,seed=3", "serial"]
    {
        let file = File::new(&format!("{}.pftrace", scheduler.replace([',', '='], "-")));
        let is_serial = scheduler == "serial";
        let said = if is_serial { run("global", &file.0, scheduler) } else { run("work", &file.0, scheduler) };
        let read = file.read();
        let slices: Vec<Slice> = read.slices().expect("they nest");
        let ended = read.events.iter().filter(|event| event.kind == Kind::End).count();
        let begun = read.events.iter().filter(|event| event.kind == Kind::Begin).count();
        assert_eq!(number_of(&read, "run"), if is_serial { 1 } else { 15 });
        let flows = read.flows().expect("each has two ends");
        for (from, to) in &flows {
            assert!(["give", "taken"].contains(&&*from.name) && to.name == "task", "{from:?} {to:?}");
        }
        if is_serial {
            continue;
        }
        assert_eq!(begun, ended, "{scheduler}: the pool has ended");
        let counted = said.lines().find_map(|line| line.strip_prefix("counted ")).expect("the probe says it");
        let counted: Vec<usize> = counted.split(' ').map(|count| count.parse().expect("a number")).collect();
        let found = ["ask", "give", "taken", "take back"].map(|name| number_of(&read, name));
        assert_eq!(found, *counted, "{scheduler}");
        let [_, given, taken, reclaimed] = found;
        assert_eq!(flows.len(), given + taken - reclaimed, "{scheduler}: what is not taken back begins");
        let inside = |slice: &Slice, name| {
            slices.iter().any(|around| {
                around.track == slice.track
                    && around.name == name
                    && around.depth < slice.depth
                    && around.begin_ns <= slice.begin_ns
                    && slice.end_ns <= around.end_ns
            })
        };
        assert_eq!((number_of(&read, "work"), number_of(&read, "unwound")), (5, 5));
        assert!(slices.iter().filter(|slice| slice.name == "run").all(|slice| inside(slice, "work")));
        assert_eq!(number_of(&read, "spawned"), 100);
        let tracks: Vec<&str> = read.tracks.iter().map(|(name, _)| &**name).collect();
        assert!(tracks.contains(&"probe") && tracks.contains(&"pool 1: asks"), "{tracks:?}");
        moved += flows.len();
    }
    assert!(moved > 0, "chaos at least moves something");
}

/// The global pool does not end. On other systems than these, nobody is told of the end of a process.
#[test]
#[cfg(unix)]
fn what_happened_last_is_written_at_the_end_of_the_process() {
    let file = File::new("global.pftrace");
    run("global", &file.0, "default");
    let read = file.read();
    let slices = read.slices().expect("they nest");
    assert!(slices.iter().any(|slice| slice.name == "run" && slice.end_ns > slice.begin_ns));
}

#[test]
fn chromes_format_has_the_same_events() {
    let file = File::new("work.json");
    let said = run("work", &file.0, "default,period=0ns");
    let events = file.read_json();
    let of = |kind: &str| events.iter().filter(|event| event["ph"] == kind).count();
    assert_eq!((of("B"), of("s")), (of("E"), of("f")));
    let asks = events.iter().filter(|event| event["name"] == "ask").count();
    assert!(said.contains(&format!("counted {asks} ")), "{asks} asks: {said}");
}

#[test]
fn a_process_that_is_killed_at_any_moment_leaves_a_trace_that_can_be_read() {
    let kills = if common::is_slow() { 5 } else { 40 };
    let mut with_events = 0;
    for kill in 0..kills {
        let is_json = kill % 4 == 3;
        let file = File::new(if is_json { "killed.json" } else { "killed.pftrace" });
        let mut command = command("work for ever", &file.0);
        command.env("FILCH_SCHEDULER", "default,period=0ns").stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().expect("it runs");
        thread::sleep(Duration::from_micros(fastrand::u64(0..250_000)));
        child.kill().expect("it runs until it is killed");
        child.wait().expect("it has been killed");
        // It may have been killed before there was a file, or before anything stood there.
        if !std::fs::metadata(&file.0).is_ok_and(|file| file.len() > 0) {
            continue;
        }
        with_events += usize::from(if is_json {
            let events = file.read_json();
            events.iter().any(|event| event["ph"] == "B")
        } else {
            let read = file.read();
            // The file may end between the two ends of an arrow.
            read.slices().expect("they nest");
            !read.events.is_empty()
        });
    }
    assert!(with_events > 0, "some have been killed while they wrote");
}

// ThreadSanitizer ends a child that starts a thread.
#[test]
#[cfg(all(unix, not(filch_sanitizer = "thread")))]
fn a_child_of_fork_does_not_write_to_the_file_of_its_parent() {
    let file = File::new("fork.pftrace");
    run("fork", &file.0, "default,period=0ns");
    let read = file.read();
    assert_eq!((number_of(&read, "work"), number_of(&read, "in the child")), (2, 0));
    read.slices().expect("they nest");
    read.flows().expect("each has two ends");
}

#[test]
fn a_file_that_cannot_be_written_and_an_unknown_extension_are_named() {
    let said = run("error", Path::new("trace.txt"), "default");
    let expected = "FILCH_TRACE = \"trace.txt\": expected a file name that ends in .pftrace or .json";
    assert!(said.contains(expected), "{said}");
    let said = run("error", Path::new("no/such/folder/trace.json"), "default");
    assert!(said.contains("FILCH_TRACE = \"no/such/folder/trace.json\": "), "{said}");
}
