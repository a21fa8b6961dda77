//! How a command can fail, and its exit code.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

#[cfg(feature = "lab")]
use filch_cluster::ClusterError;

use crate::{ranks, tips};

/// Why a command did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The user asked for something impossible, or gave bad input.
    #[error("{0}")]
    Usage(String),
    /// An algorithm whose recursion has no bound has given up before its stack overflowed: the input is beyond it.
    #[error("{message}")]
    OutOfStack {
        /// The depth at which it did.
        depth: usize,
        /// Why, and what to do.
        message: String,
    },
    /// The time of `--timeout` is over.
    #[error("the time limit of {0:?} is over (--timeout)")]
    TimedOut(Duration),
    /// A computation failed, or its result failed the check.
    #[error("{0}")]
    Failed(String),
    /// Standard output cannot be written to.
    #[error("cannot write to standard output: {0}")]
    Output(#[from] io::Error),
}

#[cfg(feature = "lab")]
impl From<ClusterError> for Failure {
    fn from(error: ClusterError) -> Self {
        match &error {
            ClusterError::Failed { failure: filch_cluster::Failure::GaveUp(_), .. } => Self::usage(error),
            ClusterError::Failed { .. } | ClusterError::Unusable(_) => Self::Failed(error.to_string()),
            _ => Self::usage(error),
        }
    }
}

/// The exit code that a shell reports for a program ended by SIGPIPE.
const EXIT_BROKEN_PIPE: u8 = 128 + 13;

/// The exit code of the command timeout(1).
const EXIT_TIMED_OUT: u8 = 124;

impl Failure {
    /// Bad usage, from an error whose message already says what is allowed.
    pub fn usage(error: impl ToString) -> Self {
        Self::Usage(error.to_string())
    }

    /// Writes the message to standard error, and what the user may have meant, unless the failure is that the user
    /// closed the pipe. Of several ranks, the first one does.
    pub fn report(&self) {
        if self.is_broken_pipe() || !ranks::speaks() {
            return;
        }
        let message = self.to_string();
        let tip = if matches!(self, Self::Usage(_)) { tips::of(&message) } else { None };
        let tip = tip.map_or(String::new(), |tip| format!("\n\n  {tip}"));
        // If standard error is closed too, the message is lost.
        let _ = writeln!(io::stderr(), "error: {message}{tip}");
    }

    /// Fails if there are several ranks, and what is asked for `needs_one`.
    pub fn of_ranks(needs_one: bool, what: &str, expected: &str) -> Result<(), Self> {
        match ranks::several() {
            Some(ranks) if needs_one => {
                Err(Self::Usage(format!("{what} on one rank only: expected {expected}; found {ranks} ranks of mpirun")))
            }
            _ => Ok(()),
        }
    }

    /// 1 for a failed computation, 2 for bad usage or input, or input that is beyond the algorithm; 124 if the time is
    /// over.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::Usage(_) | Self::OutOfStack { .. } => ExitCode::from(2),
            Self::Output(_) if self.is_broken_pipe() => ExitCode::from(EXIT_BROKEN_PIPE),
            Self::TimedOut(_) => ExitCode::from(EXIT_TIMED_OUT),
            Self::Failed(_) | Self::Output(_) => ExitCode::FAILURE,
        }
    }

    fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}
