//! Commands that are interrupted: by Ctrl-C, and by a closed pipe.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::helpers::{Directory, filch};

#[test]
fn ctrl_c_ends_stress_with_130() {
    let mut child =
        filch(&["stress", "--seconds", "1000"]).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    child.stdout.as_mut().unwrap().read_exact(&mut [0; 8]).unwrap();
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn a_closed_pipe_ends_the_command_without_a_panic() {
    let mut child = filch(&["bench", "fib", "--n", "5", "--runs", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut message = String::new();
    child.stderr.take().unwrap().read_to_string(&mut message).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(141), "{message}");
    assert!(!message.contains("panicked"), "{message}");
}

#[test]
fn ctrl_c_ends_the_command_with_130_and_leaves_no_file() {
    let directory = Directory::new("interrupted");
    let file = directory.0.join("ratios.svg");
    let mut child = filch(&["bench", "fib", "--n", "30", "--runs", "100000", "--svg", file.to_str().unwrap()])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // When it shows its first line, it is running.
    child.stderr.as_mut().unwrap().read_exact(&mut [0; 8]).unwrap();
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(directory.entries().is_empty());
}

/// Writing a compressed graph takes some seconds, long enough to be interrupted.
#[test]
fn ctrl_c_or_a_request_to_end_while_a_graph_is_written_ends_the_command_and_leaves_no_file() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        interrupted_while_writing(signal, code);
    }
}

fn interrupted_while_writing(signal: &str, code: i32) {
    let directory = Directory::new("writing");
    let file = directory.0.join("graph.el.gz");
    let mut child = filch(&["generate", "random(150000,8)", "--out", file.to_str().unwrap()])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut told = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(told.any(|line| line.unwrap().starts_with("writing ")));
    let kill = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    assert_eq!(child.wait().unwrap().code(), Some(code));
    assert!(directory.entries().is_empty());
}

/// Both ends of a new terminal: the one that its user sees, and the one that a program writes to.
fn terminal() -> (File, File) {
    let person = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&person).unwrap();
    unlockpt(&person).unwrap();
    let name = ptsname(&person, Vec::new()).unwrap().into_string().unwrap();
    (person.into(), OpenOptions::new().read(true).write(true).open(name).unwrap())
}

/// The output up to and including `wanted`, or all of it if `wanted` never appears.
fn shown_until(terminal: &mut File, wanted: &str) -> String {
    let mut shown = Vec::new();
    let mut byte = [0];
    // When no program has the other end any more, reading fails (Linux) or returns nothing (other systems).
    while !shown.ends_with(wanted.as_bytes()) && matches!(terminal.read(&mut byte), Ok(1)) {
        shown.push(byte[0]);
    }
    String::from_utf8_lossy(&shown).into_owned()
}

#[test]
fn ctrl_c_leaves_a_clean_line_and_a_cursor_on_the_terminal() {
    let bench = &["bench", "fib", "--n", "20", "--runs", "100000", "--against", "serial"][..];
    for (args, last_of_bar) in [(bench, " left"), (&["stress", "--seconds", "1000"], " cases ")] {
        let (mut person, program) = terminal();
        // This statement closes this process's copy of the program's end.
        let mut child = filch(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(program).spawn().unwrap();
        let bar = shown_until(&mut person, last_of_bar);
        assert!(bar.ends_with(last_of_bar), "{bar:?}");
        let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(kill.success());
        let rest = shown_until(&mut person, "nothing of the kind");
        assert_eq!(child.wait().unwrap().code(), Some(130), "{rest:?}");
        assert!(rest.ends_with("\r\x1b[2K"), "{rest:?}");
        assert!(![bar, rest].concat().contains("\x1b[?25l"), "the cursor is never hidden");
    }
}

#[test]
fn bars_of_a_graph_show_passes_and_rates_on_a_terminal_and_leave_a_clean_line() {
    let directory = Directory::new("bars");
    let file = directory.0.join("graph.el");
    let file = file.to_str().unwrap();
    for (args, wanted) in [
        (
            &["generate", "random(60000,8)", "--out", file][..],
            &["generating: counting", "generating: ordering", "arcs/s"][..],
        ),
        (&["components", file], &["reading", "building: sorting", "edges/s", "components of graph.el"]),
    ] {
        let (mut person, program) = terminal();
        let mut child = filch(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(program).spawn().unwrap();
        let shown = shown_until(&mut person, "nothing of the kind");
        let mut out = String::new();
        child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(0), "{shown}");
        for wanted in wanted {
            assert!(shown.contains(wanted), "{wanted:?}: {shown:?}");
        }
        assert!(shown.ends_with("\r\x1b[2K"), "{shown:?}");
        assert!(!out.contains('\x1b') && !out.contains("counting"), "{out}");
    }
}
