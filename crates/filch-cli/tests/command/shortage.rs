//! Too few threads, or too little memory: a command has its result all the same, or ends with exit code 2 and says why.
#![cfg(all(target_os = "linux", target_env = "gnu"))]

use std::io;
use std::os::unix::process::CommandExt;
use std::process::Output;

use crate::helpers::{Directory, contains, filch, stdout};

/// Longer than any of these commands takes. What takes longer hangs, and gets a signal.
const FOREVER_S: u32 = 120;

/// What becomes of a thread that a command wants to start.
#[derive(Clone, Copy)]
enum Threads {
    /// The system refuses it.
    Refused,
    /// It ends the process.
    Fatal,
}

/// From here on, this process gets no thread. Neither does what it executes.
fn without_threads(threads: Threads) -> io::Result<()> {
    let load = libc::BPF_LD | libc::BPF_W | libc::BPF_ABS;
    let if_equal = libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K;
    let ret = libc::BPF_RET | libc::BPF_K;
    let step = |code: u32, k: u32, jt, jf| libc::sock_filter { code: code as u16, jt, jf, k };
    let end = match threads {
        Threads::Refused => libc::SECCOMP_RET_ERRNO | libc::EAGAIN as u32,
        Threads::Fatal => libc::SECCOMP_RET_KILL_PROCESS,
    };
    let mut program = [
        // The number of the system call, the first word of what a filter is given.
        step(load, 0, 0, 0),
        step(if_equal, libc::SYS_clone as u32, 1, 0),
        step(if_equal, libc::SYS_clone3 as u32, 0, 1),
        step(ret, end, 0, 0),
        step(ret, libc::SECCOMP_RET_ALLOW, 0, 0),
    ];
    let filter = libc::sock_fprog { len: program.len() as u16, filter: program.as_mut_ptr() };
    // SAFETY: as the manual of prctl(2) has it.
    let allowed = unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) };
    // SAFETY: as above; the program outlives the call.
    let set = unsafe { libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const filter) };
    if allowed == 0 && set == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// From here on, this process has at most this much address space. So has what it executes.
fn with_memory(bytes: u64) -> io::Result<()> {
    let limit = libc::rlimit { rlim_cur: bytes, rlim_max: bytes };
    // SAFETY: the limit lives, and is read.
    if unsafe { libc::setrlimit(libc::RLIMIT_AS, &raw const limit) } == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}

/// Runs `filch` after `limit` has been called in its process.
fn limited(args: &[&str], limit: impl Fn() -> io::Result<()> + Send + Sync + 'static) -> Output {
    let mut command = filch(args);
    // The costs of sharing are measured by threads: nothing is to be found in the cache, and nothing written.
    command.env("RUST_BACKTRACE", "1").env("XDG_CACHE_HOME", "/nonexistent");
    let prepare = move || {
        // SAFETY: takes a number only.
        unsafe { libc::alarm(FOREVER_S) };
        limit()
    };
    // SAFETY: `prepare` makes system calls only.
    unsafe { command.pre_exec(prepare) };
    command.output().unwrap()
}

fn message(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn one_worker_needs_no_thread() {
    let directory = Directory::new("one-worker-needs-no-thread");
    let file = |name: &str| directory.0.join(name).to_str().unwrap().to_owned();
    let (edges, labels, converted) = (file("graph.el"), file("labels.txt"), file("graph.sg"));
    let generated = limited(&["generate", "random(300,3)", "--out", &edges, "--topology", "1x1"], || {
        without_threads(Threads::Fatal)
    });
    assert_eq!(generated.status.code(), Some(0), "{generated:?}");
    for args in [
        &["components", &edges, "--workers", "1", "--verify", "--out", &labels][..],
        &["bfs", &edges, "--workers", "1", "--verify"],
        &["cores", &edges, "--workers", "1", "--verify"],
        &["forest", &edges, "--workers", "1", "--verify"],
        &["msf", "random(300,3)", "--workers", "1", "--verify"],
        &["pagerank", &edges, "--workers", "1", "--verify"],
        &["scc", &edges, "--workers", "1", "--verify"],
        &["sssp", "random(300,3)", "--workers", "1", "--verify"],
        &["triangles", &edges, "--workers", "1", "--verify"],
    ] {
        let output = limited(args, || without_threads(Threads::Fatal));
        assert_eq!(output.status.code(), Some(0), "{args:?}: {output:?}");
        contains(&stdout(&output), &["verified by an independent check"]);
    }
    for args in [
        &["graph", "info", &edges, "--topology", "1x1"][..],
        &["graph", "convert", &edges, "--out", &converted, "--topology", "1x1"],
        &["search", "queens", "6", "--workers", "1"],
        &["search", "queens", "6", "--workers", "1", "--count"],
        &["simulate", "fib:8"],
    ] {
        let output = limited(args, || without_threads(Threads::Fatal));
        assert_eq!(output.status.code(), Some(0), "{args:?}: {output:?}");
    }
}

#[test]
fn all_solutions_are_shown_where_no_thread_can_show_them() {
    let output = limited(&["search", "queens", "6", "--all", "--workers", "1"], || without_threads(Threads::Refused));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = stdout(&output);
    // Six queens have four solutions.
    contains(&text, &["solution 4", "4, every one checked"]);
    assert_eq!(text.matches("solution ").count(), 4, "{text}");
}

#[test]
fn a_heartbeat_of_one_worker_does_without_the_thread_that_beats() {
    let args = ["components", "random(300,3)", "--workers", "1", "--scheduler", "heartbeat", "--verify"];
    let output = limited(&args, || without_threads(Threads::Refused));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
fn what_needs_threads_says_so_where_there_are_none() {
    for args in [
        &["components", "random(300,3)", "--workers", "3"][..],
        &["components", "random(300,3)", "--workers", "2", "--scheduler", "heartbeat"],
        &["generate", "random(300,3)", "--out", "/nonexistent.el", "--topology", "1x2"],
        &["graph", "info", "random(300,3)", "--topology", "1x2"],
        &["search", "queens", "6", "--workers", "2"],
        &["bench", "fib", "--n", "5", "--runs", "3", "--workers", "2", "--against", "serial"],
        &["bench", "fib", "--n", "5", "--runs", "3", "--workers", "1", "--against", "rayon"],
        &["bench", "fib", "--n", "5", "--runs", "3", "--workers", "1", "--against", "chili"],
        &["paper", "shapes"],
        &["stress", "--cases", "1", "--seed", "1"],
        &["machine", "--topology", "1x2"],
    ] {
        let output = limited(args, || without_threads(Threads::Refused));
        let message = message(&output);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
        if !args.contains(&"/nonexistent.el") {
            contains(&message, &["error: ", "Resource temporarily unavailable"]);
        }
        assert!(!message.contains("panicked"), "{args:?}: {message}");
    }
}

/// The least address space, in MiB, with which the system starts the command at all.
fn least_mib() -> u64 {
    let starts = |mib: &u64| {
        let bytes = mib << 20;
        let output = limited(&["--version"], move || with_memory(bytes));
        output.status.code() == Some(0)
    };
    (1..4096).find(starts).expect("some memory is enough")
}

#[test]
fn whatever_memory_there_is_a_command_has_its_result_or_ends_with_a_reason() {
    let least = least_mib();
    // All threads of these have a stack of 8 MiB.
    for args in [
        &["components", "random(300,3)", "--workers", "1", "--verify"][..],
        &["components", "random(300,3)", "--workers", "3", "--verify", "--scheduler", "heartbeat"],
        &["forest", "random(30000,8)", "--workers", "2", "--verify"],
        &["search", "queens", "6", "--all", "--workers", "2"],
    ] {
        let mut codes = [0; 3];
        for step in 0..15 {
            // Not a multiple of a page or of the size of a stack.
            let bytes = (least << 20) + step * 3_555_555;
            let output = limited(args, move || with_memory(bytes));
            let message = message(&output);
            match output.status.code() {
                Some(0) => contains(&stdout(&output), &["check"]),
                Some(2) => contains(&message, &["error: "]),
                _ => panic!("{args:?} with {bytes} bytes: {output:?}"),
            }
            assert!(!message.contains("panicked"), "{args:?} with {bytes} bytes: {message}");
            codes[output.status.code().unwrap() as usize] += 1;
        }
        assert!(codes[0] > 0, "{args:?} needs less than {least} MiB and 50 more");
    }
}
