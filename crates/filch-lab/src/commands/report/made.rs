//! The commands, run one after the other as a user would run them, in a folder of their own.

use std::env;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use filch_bench::failure::Failure;
use filch_bench::interrupt;
use filch_bench::show::progress::line::announce;
use filch_bench::show::table::MARKDOWN;
use tempfile::TempDir;

use super::contents::{Figure, Section};
use crate::process;

/// The time between two looks at a command: rarely enough that they take no time from what is measured.
const PAUSE: Duration = Duration::from_millis(50);

/// A figure that was made.
#[derive(Debug)]
pub(super) struct Made {
    pub(super) figure: &'static Figure,
    /// The command, as it can be typed.
    pub(super) command: String,
    /// What it wrote to standard output.
    pub(super) shown: String,
    svg: Option<String>,
    /// How the command ended, if not well.
    pub(super) failed: Option<String>,
}

impl Made {
    /// Which command failed, and how.
    pub(super) fn failure(&self) -> Option<String> {
        self.failed.as_ref().map(|how| format!("{} {how}", self.command))
    }

    /// The picture, and the name of its file.
    pub(super) fn picture(&self) -> Option<(&'static str, &str)> {
        Some((self.figure.picture?, self.svg.as_deref()?))
    }
}

/// Makes the figures of these sections. Ctrl-C ends the command that runs, and removes the folder.
pub(super) fn make(
    sections: &[&'static Section],
    is_quick: bool,
) -> Result<Vec<(&'static Section, Vec<Made>)>, Failure> {
    let all: usize = sections.iter().map(|section| section.figures.len()).sum();
    let make_all = || -> io::Result<_> {
        let folder = TempDir::with_prefix("filch-report-")?;
        let (mut made, mut place) = (Vec::new(), 0);
        for section in sections {
            let mut figures = Vec::new();
            for figure in section.figures {
                let words = figure.words(is_quick);
                place += 1;
                announce(format_args!("{place} of {all}: {}", typed(&words)));
                figures.push(one(folder.path(), figure, &words)?);
            }
            made.push((*section, figures));
        }
        Ok(made)
    };
    interrupt::deferred(make_all).map_err(|error| Failure::Usage(format!("cannot run the commands: {error}")))
}

fn one(folder: &Path, figure: &'static Figure, words: &[&str]) -> io::Result<Made> {
    let out = folder.join("out");
    let mut command = Command::new(env::current_exe()?);
    command.args(words).current_dir(folder).env("PATH", path()?).env(MARKDOWN, "1");
    command.stdin(Stdio::null()).stdout(File::create(&out)?);
    let failed = process::failure(process::ended(command.spawn()?, || PAUSE)?);
    if interrupt::came() {
        return Err(io::ErrorKind::Interrupted.into());
    }
    let shown = String::from_utf8_lossy(&fs::read(&out)?).into_owned();
    // A command that failed may have drawn nothing.
    let svg = figure.picture.and_then(|picture| fs::read_to_string(folder.join(picture)).ok());
    Ok(Made { figure, command: typed(words), shown, svg, failed })
}

/// The search path, with the folder of this program in front: a command may name `filch`.
fn path() -> io::Result<OsString> {
    let own = env::current_exe()?.parent().map(Path::to_owned);
    let others = env::var_os("PATH").unwrap_or_default();
    env::join_paths(own.into_iter().chain(env::split_paths(&others))).map_err(io::Error::other)
}

/// The command as it is typed into a shell.
pub(super) fn typed(words: &[&str]) -> String {
    let quoted = |word: &&str| if word.contains(['(', ')', '*']) { format!("'{word}'") } else { (*word).to_owned() };
    std::iter::once("filch".to_owned()).chain(words.iter().map(quoted)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_means_something_to_a_shell_is_quoted() {
        assert_eq!(typed(&["forest", "torus(9)", "--runs", "5"]), "filch forest 'torus(9)' --runs 5");
    }
}
