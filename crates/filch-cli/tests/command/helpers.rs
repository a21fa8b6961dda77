//! What the tests of several commands need.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

pub(crate) fn filch(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_filch"));
    command.args(args).env_remove("FILCH_SCHEDULER").env_remove("FILCH_WORKERS").env_remove("FILCH_TOPOLOGY");
    command
}

pub(crate) fn output(args: &[&str]) -> Output {
    filch(args).output().unwrap()
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// What the command writes to standard output. It must succeed.
#[track_caller]
pub(crate) fn done(args: &[&str]) -> String {
    let output = output(args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {output:?}");
    stdout(&output)
}

/// What the command writes to standard output, with this standard input. It must succeed.
#[track_caller]
pub(crate) fn fed(args: &[&str], input: &[u8]) -> String {
    let mut child = filch(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{args:?}: {output:?}");
    stdout(&output)
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// The figures of the command, and its text without the progress. It must succeed.
#[track_caller]
pub(crate) fn figures(args: &[&str]) -> (Value, String) {
    let output = output(&[args, &["--format", "json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{args:?}: {output:?}");
    let told = String::from_utf8(output.stderr).unwrap();
    let text = told.lines().filter(|line| !line.ends_with(" ...")).map(|line| format!("{line}\n")).collect();
    (serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{args:?}: {error}")), text)
}

#[track_caller]
pub(crate) fn contains(text: &str, words: &[&str]) {
    for word in words {
        assert!(text.contains(word), "{word:?}: {text}");
    }
}

/// The command must fail with exit code 2, write nothing to standard output, and show a message with all these words.
pub(crate) fn refused(args: &[&str], words: &[&str]) {
    let output = output(args);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
    assert!(output.stdout.is_empty(), "{args:?}");
    for word in words {
        assert!(message.contains(word), "{args:?} should mention {word:?}: {message}");
    }
}

/// A temporary directory for one test.
pub(crate) struct Directory(pub(crate) PathBuf);

impl Directory {
    pub(crate) fn new(test: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn entries(&self) -> Vec<String> {
        let names = fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().file_name());
        names.map(|name| name.into_string().unwrap()).collect()
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
