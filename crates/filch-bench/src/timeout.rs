//! `--timeout`: a command ends when its time is over, wherever it is, and leaves no half-written file.
//!
//! The whole command runs inside of a token with a deadline ([`CancelToken::run_here`]). Everything that runs on a pool
//! ends by itself then. A file is written [to its end](filch::to_completion), unless its writer notices before and
//! removes it ([`crate::interrupt::came`]).

use std::sync::OnceLock;
use std::time::Duration;

use clap::Args;
use filch::CancelToken;

use crate::failure::Failure;

/// The argument.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct TimeoutArgs {
    /// End after this time, such as 500ms, 30s, 5min or 2h, with exit code 124
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub timeout: Option<Duration>,
}

/// The token of the command, if it has a limit.
static TOKEN: OnceLock<CancelToken> = OnceLock::new();

/// Runs a command within a limit, if there is one.
pub fn run(limit: Option<Duration>, command: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
    let Some(limit) = limit else { return command() };
    let token = TOKEN.get_or_init(CancelToken::new);
    token.cancel_after(limit);
    token.run_here(command).unwrap_or(Err(Failure::TimedOut(limit)))
}

/// Whether the time is over.
pub fn is_over() -> bool {
    TOKEN.get().is_some_and(CancelToken::is_cancelled)
}

/// A time with its unit.
pub fn time(text: &str) -> Result<Duration, String> {
    let expected = "expected a time with its unit, such as 500ms, 30s, 5min or 2h";
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit_s = match unit {
        "ms" => 1e-3,
        "s" => 1.0,
        "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(expected.into()),
    };
    let seconds = number.parse().ok().map(|number: f64| number * unit_s).filter(|&seconds| seconds > 0.0);
    seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).ok_or_else(|| expected.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_a_number_and_a_unit() {
        let known = [("500ms", 500), ("30s", 30_000), ("1.5s", 1_500), ("5min", 300_000), ("2h", 7_200_000)];
        for (text, ms) in known {
            assert_eq!(time(text), Ok(Duration::from_millis(ms)), "{text}");
        }
        for text in ["", "30", "s", "0s", "-1s", "1d", "1e9999s", "1..5s", "99999999999999999999h"] {
            assert!(time(text).is_err_and(|error| error.contains("30s")), "{text}");
        }
    }

    #[test]
    fn a_command_that_takes_too_long_fails_with_its_limit() {
        let limit = Duration::from_millis(1);
        let endless = || {
            filch::Pool::builder().workers(2).build().map_err(Failure::usage)?.run(|mut s| {
                s.for_each(0..u64::MAX, |_, _| ());
            });
            Ok(())
        };
        let failure = run(Some(limit), endless).unwrap_err();
        assert!(matches!(failure, Failure::TimedOut(time) if time == limit));
        assert_eq!(failure.to_string(), "the time limit of 1ms is over (--timeout)");
        assert!(is_over());
        assert!(run(None, || Ok(())).is_ok());
    }
}
