//! `cargo xtask instructions BINARY`: instructions per fork above the serial elision, counted by valgrind's callgrind,
//! which is deterministic. `docs/fork.md` says what they are. They are the same under every scheduler, because all
//! schedulers run the same fast path.

use crate::process::{command, output};

/// Programs, and how many instructions a fork of theirs may take in the release profile. A thread-local word is reached
/// by a longer way there than in a program that is optimised as a whole.
const BOUNDS: [(&str, f64); 2] = [("fib", 22.5), ("fib-implicit", 34.5)];

/// The first program is counted under all of them, the others under the first. A beat would add instructions, so there
/// is none during the program.
const SCHEDULERS: [&str; 5] = ["cilk5", "default", "tascell", "heartbeat,period=3600s", "cab"];

/// How far the counts of two schedulers may be apart: their slow paths differ at the first fork of a run, which is one
/// of ten thousand.
const TOLERANCE: f64 = 0.1;

const JSON: &str = "target/ci/instructions.json";

pub(crate) fn main(binary: &str) -> Result<(), String> {
    std::fs::create_dir_all("target/ci").map_err(|error| format!("target/ci: cannot be made: {error}"))?;
    for (program, bound) in BOUNDS {
        let mut first = None;
        let schedulers = if program == BOUNDS[0].0 { &SCHEDULERS[..] } else { &SCHEDULERS[..1] };
        for &scheduler in schedulers {
            let count = measure(binary, program, scheduler)?;
            println!("{program}, {scheduler}: {count} instructions per fork above the serial elision, bound {bound}");
            if !(count > 0.0 && count <= bound) {
                return Err(format!("{program}, {scheduler}: {count}, expected more than 0 and at most {bound}"));
            }
            let expected = *first.get_or_insert(count);
            if (count - expected).abs() > TOLERANCE {
                return Err(format!("{program}, {scheduler}: {count}, expected {expected} as under {}", SCHEDULERS[0]));
            }
        }
    }
    Ok(())
}

fn measure(binary: &str, program: &str, scheduler: &str) -> Result<f64, String> {
    output(
        command(binary)
            .args(["bench", program, "--n", "20", "--workers", "1", "--runs", "3", "--against", "serial"])
            .args(["--scheduler", scheduler, "--instructions", "--json", JSON]),
    )?;
    let json = std::fs::read_to_string(JSON).map_err(|error| format!("{JSON}: cannot be read: {error}"))?;
    count(&json).ok_or_else(|| format!("{program}: no instructions_per_fork in {json}"))
}

/// The number of that field, if there is one.
fn count(json: &str) -> Option<f64> {
    let (_, rest) = json.split_once(r#""instructions_per_fork":"#)?;
    rest.split([',', '}', '\n']).next()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_is_found_or_missing() {
        assert_eq!(count(r#"{"a": 1, "instructions_per_fork": 21.53, "b": 2}"#), Some(21.53));
        assert_eq!(count(r#"{"instructions_per_fork":24.5}"#), Some(24.5));
        assert_eq!(count(r#"{"instructions_per_fork": null}"#), None);
        assert_eq!(count("{}"), None);
    }
}
