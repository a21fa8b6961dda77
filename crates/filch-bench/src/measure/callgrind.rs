//! Instructions, loads and stores, counted by valgrind's callgrind. The counts are the same in every run.
//!
//! The command runs itself under callgrind, which collects only inside functions of a type named `Counted`.

use std::env;
use std::io;
use std::process::{Command, Stdio};

use crate::failure::Failure;

/// Fails if valgrind cannot be run. The message says what to do.
pub fn check_valgrind() -> Result<(), Failure> {
    let status = Command::new("valgrind").arg("--version").stdout(Stdio::null()).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(Failure::Usage(format!("cannot run valgrind: {error}")))
        }
        _ => Err(Failure::Usage(
            "--instructions needs valgrind on PATH; install it (on Debian: apt install valgrind) \
             or leave the option out"
                .into(),
        )),
    }
}

/// What is executed: instructions, loads and stores. An instruction that loads and stores counts as a load.
pub type Executed = [f64; 3];

/// What is executed inside functions of a type named `Counted` when this command is run with `args`.
pub fn collect(args: &[&str]) -> Result<Executed, Failure> {
    let failed = |what: String| Failure::Failed(format!("counting the instructions of {}: {what}", args.join(" ")));
    let this = env::current_exe().map_err(|error| failed(error.to_string()))?;
    let mut command = Command::new("valgrind");
    command
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--cache-sim=yes"])
        .args(["--collect-atstart=no", "--toggle-collect=*Counted*"])
        .arg(this)
        .args(args);
    let output = command.output().map_err(|error| failed(error.to_string()))?;
    let report = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(failed(report.into_owned()));
    }
    collected(&report).ok_or_else(|| failed(format!("no count in valgrind's report:\n{report}")))
}

/// Reads the line `==123== Collected : 456 78 9 …`, whose first numbers are these.
fn collected(report: &str) -> Option<Executed> {
    let (_, counts) = report.lines().find_map(|line| line.split_once("Collected :"))?;
    let counts: Vec<f64> = counts.split_whitespace().map_while(|count| count.parse().ok()).collect();
    counts.first_chunk().copied().filter(|[instructions, _, _]: &Executed| *instructions > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_is_read_from_valgrinds_report() {
        let report = "==7== Events    : Ir Dr Dw I1mr\n==7== Collected : 48133 9102 7011 5\n==7==\n";
        assert_eq!(collected(report), Some([48133.0, 9102.0, 7011.0]));
        assert_eq!(collected("==7== Collected : 0 0 0 0\n"), None);
        assert_eq!(collected("nothing"), None);
    }
}
