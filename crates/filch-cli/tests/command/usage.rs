//! Bad usage, and `--help`.

#[cfg(target_os = "linux")]
use std::process::Command;

use crate::helpers::{filch, output, refused, stdout};

#[test]
fn bad_usage_is_refused_with_what_is_allowed() {
    refused(&["bench", "fibonacci"], &["fibonacci", "fib-implicit", "tree-sum", "queens"]);
    refused(&["bench", "tree-sum", "--n", "1000"], &["n = 1000", "power of two", "1 to 67108863"]);
    refused(&["bench", "queens", "--n", "28"], &["boards that have been counted", "from 1 to 27"]);
    refused(&["bench", "fib", "--n", "many"], &["--n", "many", "3000x2000"]);
    refused(&["bench", "heat", "--n", "0x5"], &["heat has no size 0x5", "from 1 to 32768"]);
    refused(&["bench", "fib", "--n", "3x5"], &["fib has no size 3x5", "one number"]);
    refused(&["bench", "fib", "--n", "9", "--size", "small"], &["--n", "--size"]);
    refused(&["bench", "--size", "huge"], &["huge", "small", "default", "paper"]);
    refused(&["bench", "--workers", "1,0"], &["--workers", "from 1 up"]);
    refused(&["bench", "fib", "--workers", "1000000"], &["1000000"]);
    refused(&["bench", "--scheduler", "fast"], &["--scheduler", "fast", "cilk5"]);
    refused(&["bench", "--against", "tbb"], &["tbb", "serial", "rayon", "rayon-tuned", "chili"]);
    refused(&["bench", "fib", "--against", "rayon-tuned"], &["fib", "no loops", "rayon-tuned"]);
    refused(&["bench", "--runs", "0"], &["--runs", "from 1 to 1000000"]);
    refused(&["bench", "--svg", "no/such/directory/a.svg"], &["no/such/directory/a.svg"]);
    refused(&["bench", "--svg", "/"], &["directory"]);
    refused(&["bench", "--format", "yaml"], &["--format", "json", "csv", "markdown"]);
    refused(&["bench", "--busy", "-1"], &["-1"]);
    refused(&["bench", "--busy", "100000"], &["--busy", "100000", "0 to 256"]);
    refused(&["paper", "knary", "--workers", "1"], &["--workers", "from 2 up"]);
    refused(&["paper", "knary", "--workers", "0"], &["--workers", "from 1 up"]);
    refused(&["paper", "knary", "--nodes", "0"], &["--nodes", "from 1 to 100000000"]);
    refused(&["paper", "knary", "--svg", "no/such/directory/a.svg"], &["no/such/directory/a.svg"]);
    refused(&["paper", "steals", "--nodes", "0"], &["--nodes", "from 1 to 10000000"]);
    refused(&["paper", "steals", "--scheduler", "serial", "--workers", "2"], &["serial", "2"]);
    refused(&["paper", "steals", "--workers", "0"], &["--workers", "from 1 up"]);
    refused(&["paper", "steals", "--scheduler", "fast"], &["--scheduler", "fast", "cilk5"]);
    refused(&["paper", "shapes", "--runs", "0"], &["--runs", "from 1 to 1000000"]);
    refused(&["paper", "shapes", "--scheduler", "serial"], &["serial", "2"]);
    refused(&["paper", "sweep"], &["heartbeat", "tasks", "sequentialise", "cab"]);
    refused(&["paper", "sweep", "heartbeat", "fibonacci"], &["fibonacci", "fib-implicit"]);
    refused(&["paper", "sweep", "heartbeat", "fib", "--periods", "1ms..1us"], &["--periods", "first"]);
    refused(&["paper", "sweep", "heartbeat", "fib", "--periods", "fast"], &["--periods", "1us..10ms"]);
    refused(&["paper", "sweep", "tasks", "queens", "--n", "28"], &["from 1 to 27"]);
    refused(&["paper", "sweep", "sequentialise", "--workers", "1"], &["--workers", "from 2 up"]);
    refused(&["paper", "sweep", "cab", "fib", "heats"], &["heats", "cholesky"]);
    refused(&["paper", "sweep", "cab", "heat", "--topology", "1x4"], &["1x4", "one squad", "2x2"]);
    refused(&["paper", "sweep", "cab", "queens", "--grains", "4"], &["queens", "no cut-off", "--grains"]);
    refused(&["paper", "sweep", "cab", "heat", "--grains", "0"], &["--grains"]);
    refused(&["paper", "sweep", "cab", "heat", "--grains", "99999"], &["heat", "99999", "from 1 to 32768"]);
    refused(&["paper", "sweep", "cab", "heat", "--levels", "5..2"], &["--levels", "0..4"]);
    refused(&["stress", "--seed", "lucky"], &["--seed", "lucky"]);
    refused(&["stress", "--cases", "0"], &["--cases", "from 1 up"]);
    refused(&["stress", "--cases", "5", "--seconds", "5"], &["--cases", "--seconds"]);
    refused(&["stress", "--scheduler", "fast"], &["--scheduler", "fast", "cilk5"]);
    refused(&["stress", "--workers", "2,0"], &["--workers", "from 1 up"]);
    refused(&["stress", "--workers", "1000000"], &["1000000", "1 to 4096"]);
    refused(&["machine", "--seconds", "5"], &["--idle"]);
    refused(&["machine", "--idle", "--seconds", "-1"], &["-1"]);
    refused(&["machine", "--idle", "--seconds", "none"], &["none", "more than 0"]);
    refused(&["machine", "--idle", "--samples", "0"], &["--samples", "from 1 up"]);
    refused(&["--from", "libc"], &["`libc`", "libc6"]);
    refused(&["--from", "libc6", "machine"], &["--from"]);
    refused(&["completions", "csh"], &["csh", "bash", "fish", "zsh"]);
    refused(&["completions"], &["<SHELL>"]);
    refused(&["sing"], &["sing"]);
}

#[test]
fn what_is_no_topology_is_refused_with_where_it_is_and_what_is_expected() {
    let expected = ["`2x2x2`", "expected the number of squads", "or `machine`"];
    for command in [
        &["machine"][..],
        &["bench", "fib"],
        &["paper", "knary"],
        &["paper", "steals"],
        &["paper", "sweep", "heartbeat", "fib"],
        &["paper", "sweep", "tasks", "fib"],
        &["paper", "sweep", "sequentialise"],
        &["paper", "sweep", "cab", "heat"],
        &["stress"],
        &["forest", "debian"],
        &["graph", "info", "debian"],
        &["search", "queens", "6"],
    ] {
        let line = [command, &["--topology", "2x2x2"]].concat();
        refused(&line, &[&["--topology"][..], &expected].concat());
        let output = filch(command).env("FILCH_TOPOLOGY", "2x2x2").output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{command:?}: {message}");
        assert!(message.contains("FILCH_TOPOLOGY = \"2x2x2\": "), "{command:?}: {message}");
        assert!(expected.iter().all(|words| message.contains(words)), "{command:?}: {message}");
    }
    refused(&["bench", "fib", "--topology", "2x2", "--workers", "3"], &["topology = 2x2", "expected workers = 4"]);
    refused(&["paper", "steals", "--topology", "5000"], &["--topology", "at most 4096"]);
}

#[test]
fn a_topology_sets_the_number_of_workers_of_a_command() {
    let args = ["bench", "fib", "--size", "small", "--runs", "2", "--against", "serial", "--scheduler", "cab"];
    let by_option = output(&[&args[..], &["--topology", "2+1"]].concat());
    let by_variable = filch(&args).env("FILCH_TOPOLOGY", "2+1").output().unwrap();
    for output in [by_option, by_variable] {
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert!(
            stdout(&output).lines().any(|line| line.starts_with("filch:cab") && line.contains(" 3 ")),
            "{output:?}"
        );
    }
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
    for command in ["", "machine", "bench", "simulate", "stress", "search", "completions"]
        .into_iter()
        .chain(["forest", "components", "bfs", "sssp", "msf", "generate", "graph", "graph info", "graph convert"])
        .chain(["paper", "paper figure", "paper forest", "paper knary", "paper steals", "paper shapes", "paper sweep"])
        .chain(["paper sweep heartbeat", "paper sweep tasks", "paper sweep sequentialise", "paper sweep cab"])
    {
        let args: Vec<&str> = command.split_whitespace().chain(["--help"]).collect();
        let output = output(&args);
        assert_eq!(output.status.code(), Some(0));
        assert!(stdout(&output).contains("Example"), "{args:?}");
    }
}

/// As `mpirun` of MPICH and that of Open MPI start each of two ranks.
#[cfg(not(feature = "mpi"))]
#[test]
fn several_ranks_without_mpi_are_refused_once() {
    for [rank, ranks] in [["PMI_RANK", "PMI_SIZE"], ["OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"]] {
        for args in [&["search", "queens", "8", "--count"][..], &["bench", "uts", "--size", "small"]] {
            let of_rank = |number: &str| filch(args).env(rank, number).env(ranks, "2").output().unwrap();
            let [first, second] = ["0", "1"].map(of_rank);
            let message = String::from_utf8(first.stderr).unwrap();
            assert_eq!((first.status.code(), first.stdout.len()), (Some(2), 0), "{message}");
            assert!(message.contains("one of 2 ranks") && message.contains("--features mpi"), "{message}");
            assert_eq!((second.status.code(), second.stdout.len() + second.stderr.len()), (Some(2), 0));
        }
    }
}
