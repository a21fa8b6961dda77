//! Commands that are not let to their end: Ctrl-C, and a pipe that is closed.

use std::io::Read;
use std::process::{Command, Stdio};

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
    let file = directory.0.join("rows.json");
    let mut child = filch(&["bench", "fib", "--n", "30", "--runs", "100000", "--json", file.to_str().unwrap()])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Its first line says that it is running.
    child.stderr.as_mut().unwrap().read_exact(&mut [0; 8]).unwrap();
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(directory.entries().is_empty());
}
