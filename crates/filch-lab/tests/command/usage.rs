//! Bad usage, and `--help`.

#[cfg(target_os = "linux")]
use std::process::Command;

use crate::helpers::{filch, output, refused, stdout};

#[test]
fn bad_usage_is_refused_with_what_is_allowed() {
    refused(&["bench", "fibonacci"], &["fibonacci", "fib-implicit", "tree-sum", "queens"]);
    refused(&["bench", "tree-sum", "--n", "1000"], &["n = 1000", "power of two", "1 to 67108863"]);
    refused(&["bench", "queens", "--n", "19"], &["from 1 to 18"]);
    refused(&["bench", "fib", "--n", "many"], &["--n", "many"]);
    refused(&["bench", "fib", "--n", "9", "--size", "small"], &["--n", "--size"]);
    refused(&["bench", "--size", "huge"], &["huge", "small", "default", "paper"]);
    refused(&["bench", "--workers", "1,0"], &["--workers", "at least 1"]);
    refused(&["bench", "fib", "--workers", "1000000"], &["1000000"]);
    refused(&["bench", "--scheduler", "fast"], &["--scheduler", "fast", "cilk5"]);
    refused(&["bench", "--against", "tbb"], &["tbb", "serial", "rayon", "rayon-tuned", "chili"]);
    refused(&["bench", "fib", "--against", "rayon-tuned"], &["fib", "no loops", "rayon-tuned"]);
    refused(&["bench", "--runs", "0"], &["--runs", "at least 1"]);
    refused(&["bench", "--json", "no/such/directory/rows.json"], &["no/such/directory/rows.json"]);
    refused(&["bench", "--json", "/"], &["directory"]);
    refused(&["bench", "--busy", "-1"], &["-1"]);
    refused(&["bench", "--busy", "100000"], &["--busy", "100000", "0 to 256"]);
    refused(&["knary", "--workers", "1"], &["--workers", "from 2 up"]);
    refused(&["knary", "--workers", "0"], &["--workers", "at least 1"]);
    refused(&["knary", "--nodes", "0"], &["--nodes", "1..=100000000"]);
    refused(&["knary", "--svg", "no/such/directory/a.svg"], &["no/such/directory/a.svg"]);
    refused(&["steals", "--nodes", "0"], &["--nodes", "1..=10000000"]);
    refused(&["steals", "--scheduler", "serial", "--workers", "2"], &["serial", "2"]);
    refused(&["steals", "--workers", "0"], &["--workers", "at least 1"]);
    refused(&["steals", "--scheduler", "fast"], &["--scheduler", "fast", "cilk5"]);
    refused(&["shapes", "--runs", "0"], &["--runs", "at least 1"]);
    refused(&["shapes", "--scheduler", "serial"], &["serial", "2"]);
    refused(&["stress", "--seed", "lucky"], &["--seed", "lucky"]);
    refused(&["stress", "--cases", "0"], &["--cases", "1.."]);
    refused(&["stress", "--cases", "5", "--seconds", "5"], &["--cases", "--seconds"]);
    refused(&["stress", "--scheduler", "fast"], &["--scheduler", "fast", "cilk5"]);
    refused(&["stress", "--workers", "2,0"], &["--workers", "at least 1"]);
    refused(&["stress", "--workers", "1000000"], &["1000000", "1 to 4096"]);
    refused(&["machine", "--seconds", "5"], &["--idle"]);
    refused(&["machine", "--idle", "--seconds", "-1"], &["-1"]);
    refused(&["machine", "--idle", "--seconds", "none"], &["none", "more than 0"]);
    refused(&["machine", "--idle", "--samples", "0"], &["--samples", "at least 1"]);
    refused(&["--from", "libc"], &["`libc`", "libc6"]);
    refused(&["--from", "libc6", "machine"], &["--from"]);
    refused(&["completions", "csh"], &["csh", "bash", "fish", "zsh"]);
    refused(&["completions"], &["<SHELL>"]);
    refused(&["sing"], &["sing"]);
}

/// The nodes take 2 GiB, and the address space has 1 GB.
#[cfg(target_os = "linux")]
#[test]
fn a_size_beyond_the_users_own_limit_of_memory_is_refused_with_the_largest_within_it() {
    let limited = r#"ulimit -v 1000000 && exec "$0" bench tree-sum --n 67108863"#;
    let output = Command::new("sh").args(["-c", limited, env!("CARGO_BIN_EXE_filch")]).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(
        message.contains("not enough memory for tree-sum with n = 67108863") && message.contains("n may be"),
        "{message}"
    );
    assert!(output.stdout.is_empty());
}

#[test]
fn counting_instructions_without_valgrind_is_refused_with_what_to_do() {
    for args in [&["bench", "fib", "--instructions"][..], &["machine", "--instructions"]] {
        let output = filch(args).env("PATH", "").output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains("valgrind") && message.contains("install"), "{message}");
    }
}

#[test]
fn help_shows_an_example_for_every_command() {
    let commands = ["", "machine", "bench", "knary", "steals", "shapes", "stress", "completions"];
    for command in
        commands.into_iter().chain(["forest", "components", "bfs", "generate", "graph", "graph info", "graph convert"])
    {
        let args: Vec<&str> = command.split_whitespace().chain(["--help"]).collect();
        let output = output(&args);
        assert_eq!(output.status.code(), Some(0));
        assert!(stdout(&output).contains("Example"), "{args:?}");
    }
}
