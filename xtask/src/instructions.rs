//! `cargo xtask instructions BINARY`: instructions per fork above the serial elision, counted by valgrind's callgrind,
//! which is deterministic. `docs/fork.md` says what they are.

use crate::process::{command, output};

/// Programs, and how many instructions a fork of theirs may take.
const BOUNDS: [(&str, f64); 2] = [("fib", 22.5), ("fib-implicit", 27.0)];

const JSON: &str = "target/ci/instructions.json";

pub(crate) fn main(binary: &str) -> Result<(), String> {
    std::fs::create_dir_all("target/ci").map_err(|error| format!("target/ci: cannot be made: {error}"))?;
    for (program, bound) in BOUNDS {
        output(
            command(binary)
                .args(["bench", program, "--n", "20", "--workers", "1", "--runs", "3", "--against", "serial"])
                .args(["--scheduler", "cilk5", "--instructions", "--json", JSON]),
        )?;
        let json = std::fs::read_to_string(JSON).map_err(|error| format!("{JSON}: cannot be read: {error}"))?;
        let count = count(&json).ok_or_else(|| format!("{program}: no instructions_per_fork in {json}"))?;
        println!("{program}: {count} instructions per fork above the serial elision, bound {bound}");
        if !(count > 0.0 && count <= bound) {
            return Err(format!("{program}: {count} instructions per fork, expected more than 0 and at most {bound}"));
        }
    }
    Ok(())
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
