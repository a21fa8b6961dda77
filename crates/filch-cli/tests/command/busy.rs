//! `filch bench --busy`: the processes that keep cores busy, none of which outlives the command.

use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};

use crate::helpers::{figures, filch};

#[test]
fn busy_processes_are_reported_and_none_is_left_when_the_command_has_ended() {
    // Busy processes inherit standard error, so this returns when the last one has ended.
    let (rows, text) = figures(&["bench", "fib", "--n", "15", "--runs", "1", "--against", "serial", "--busy", "2"]);
    assert!(text.contains("2 busy processes"), "{text}");
    assert!(rows.as_array().unwrap().iter().all(|row| row["busy"] == 2), "{rows:?}");
}

#[test]
fn a_busy_process_ends_when_its_standard_input_does() {
    let mut child = filch(&["keep-busy"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
    assert!(child.try_wait().unwrap().is_none(), "busy until its standard input ends");
    drop(child.stdin.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// The running child processes of a process.
#[cfg(target_os = "linux")]
fn children_of(parent: u32) -> Vec<u32> {
    let ids = fs::read_dir("/proc").unwrap().filter_map(|entry| entry.unwrap().file_name().to_str()?.parse().ok());
    ids.filter(|&id| parent_if_running(id) == Some(parent)).collect()
}

/// The parent of a process; `None` if the process has ended, even if its exit status has not been collected.
#[cfg(target_os = "linux")]
fn parent_if_running(id: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let (_, fields) = stat.rsplit_once(") ")?;
    let mut fields = fields.split(' ');
    let ends = ["Z", "X"].contains(&fields.next()?);
    fields.next()?.parse().ok().filter(|_| !ends)
}

#[cfg(target_os = "linux")]
#[test]
fn no_busy_process_outlives_a_command_that_is_killed_or_interrupted() {
    for signal in ["-KILL", "-INT"] {
        let args = ["bench", "fib", "--n", "30", "--runs", "100000", "--against", "serial", "--busy", "2"];
        let mut child = filch(&args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        // When it shows its first line, the busy processes are running.
        child.stderr.as_mut().unwrap().read_exact(&mut [0; 8]).unwrap();
        let busy = children_of(child.id());
        assert_eq!(busy.len(), 2);
        let kill = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(kill.success());
        child.wait().unwrap();
        // They are notified at once; when they run is up to the system.
        while busy.iter().any(|&id| parent_if_running(id).is_some()) {
            std::thread::yield_now();
        }
    }
}
