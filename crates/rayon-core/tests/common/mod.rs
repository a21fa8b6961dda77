//! Tests whose process has environment variables of its own.

use std::env;
use std::process::Command;
use std::thread;
use std::time::Duration;

/// What a child is told to run.
const CHILD: &str = "FILCH_RAYON_CHILD";

/// Longer than a test takes on any machine. A child that takes longer hangs.
const LIMIT: Duration = Duration::from_secs(120);

/// Runs `f`, which is the test `name`, in a process with these variables.
pub(crate) fn in_child(name: &str, variables: &[(&str, &str)], f: impl FnOnce()) {
    if env::var(CHILD).as_deref() == Ok(name) {
        return f();
    }
    let mut command = Command::new(env::current_exe().expect("the program of this test"));
    for variable in ["RAYON_NUM_THREADS", "RAYON_RS_NUM_CPUS", "FILCH_WAIT", "FILCH_SCHEDULER"] {
        command.env_remove(variable);
    }
    command.args(["--exact", name, "--nocapture"]).env(CHILD, name).envs(variables.iter().copied());
    let mut child = command.spawn().expect("a child");
    let mut waited = Duration::ZERO;
    let status = loop {
        if let Some(status) = child.try_wait().expect("a status") {
            break status;
        }
        if waited > LIMIT {
            child.kill().expect("killed");
            panic!("{name}: hangs with {variables:?}");
        }
        let pause = Duration::from_millis(10);
        thread::sleep(pause);
        waited += pause;
    };
    assert!(status.success(), "{name}: {status} with {variables:?}");
}
