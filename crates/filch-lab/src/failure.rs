//! How a command can end other than well, and its exit code.

use std::io::{self, Write};
use std::process::ExitCode;

/// Why a command did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The user asked for something impossible, or gave bad input.
    #[error("{0}")]
    Usage(String),
    /// A computation failed, or its result failed the check.
    #[error("{0}")]
    Failed(String),
    /// Standard output takes no more.
    #[error("cannot write to standard output: {0}")]
    Output(#[from] io::Error),
}

/// What a shell reports for a program that was ended by SIGPIPE.
const EXIT_BROKEN_PIPE: u8 = 128 + 13;

impl Failure {
    /// Bad usage, from an error that already says what is allowed.
    pub fn usage(error: impl ToString) -> Self {
        Self::Usage(error.to_string())
    }

    /// Tells the user, unless it was the user who closed the pipe.
    pub fn report(&self) {
        if !self.is_broken_pipe() {
            // Nobody is left to tell if standard error is closed, too.
            let _ = writeln!(io::stderr(), "error: {self}");
        }
    }

    /// 1 for a failed computation, 2 for bad usage or input.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::Usage(_) => ExitCode::from(2),
            Self::Output(_) if self.is_broken_pipe() => ExitCode::from(EXIT_BROKEN_PIPE),
            Self::Failed(_) | Self::Output(_) => ExitCode::FAILURE,
        }
    }

    fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}
