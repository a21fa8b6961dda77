//! The command line of the tour alone.

use std::process::{Command, Output};

fn tour(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_filch-tour")).args(args).output().unwrap()
}

/// The command must fail with exit code 2, write nothing to standard output, and show a message with all these words.
fn refused(args: &[&str], words: &[&str]) {
    let output = tour(args);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
    assert!(output.stdout.is_empty(), "{args:?}");
    for word in words {
        assert!(message.contains(word), "{args:?} should mention {word:?}: {message}");
    }
}

#[test]
fn what_belongs_to_another_command_is_refused_with_how_to_find_that() {
    refused(&["bench", "fib"], &["'bench'", "cargo run --release -- --help"]);
    refused(&["--runs", "3"], &["'--runs'", "cargo run --release -- --help"]);
}

#[test]
fn a_package_that_is_not_there_is_refused_with_a_similar_name() {
    refused(&["--from", "libc"], &["`libc`", "libc6"]);
    refused(&["--from", ""], &["--from", "the name of a package"]);
}

#[test]
fn help_has_the_option_and_the_way_to_all_else() {
    let output = tour(&["--help"]);
    let page = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(
        page.contains("Usage: cargo tour [OPTIONS]")
            && page.contains("--from <PACKAGE>")
            && page.contains("cargo run --release -- --help"),
        "{page}"
    );
}
