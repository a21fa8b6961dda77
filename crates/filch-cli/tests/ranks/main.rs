//! The command on ranks that `mpirun` starts. Needs MPICH or Open MPI, the one that it has been built with; `MPIRUN`
//! names the starter if there are several.

use std::process::{Command, Stdio};

/// The exit code, standard output, and standard error.
fn mpirun(ranks: usize, args: &[&str]) -> (Option<i32>, String, String) {
    let mut mpirun = Command::new(std::env::var("MPIRUN").unwrap_or_else(|_| "mpirun".into()));
    // Open MPI starts neither for root nor more ranks than there are processors, unless it is told to.
    mpirun.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    mpirun.env("OMPI_MCA_rmaps_base_oversubscribe", "1").env("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe");
    mpirun.env("FILCH_WORKERS", "1").env_remove("FILCH_SCHEDULER").env_remove("FILCH_TOPOLOGY");
    mpirun.args(["-n", &ranks.to_string(), env!("CARGO_BIN_EXE_filch")]).args(args).stdin(Stdio::null());
    let output = mpirun.output().expect("mpirun of MPICH or Open MPI");
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// What rank 0 writes, and nobody else.
#[track_caller]
fn done(ranks: usize, args: &[&str], words: &[&str]) {
    let (code, out, errors) = mpirun(ranks, args);
    assert_eq!(code, Some(0), "{args:?}: {out}{errors}");
    for word in words {
        assert_eq!(out.matches(word).count(), 1, "{word:?} once: {out}");
    }
}

#[track_caller]
fn refused(args: &[&str], words: &[&str]) {
    let (code, out, errors) = mpirun(3, args);
    assert_eq!((code, &*out), (Some(2), ""), "{args:?}: {errors}");
    assert_eq!(errors.matches("error:").count(), 1, "{args:?}: {errors}");
    assert!(words.iter().all(|word| errors.contains(word)), "{args:?}: {errors}");
}

fn data(name: &str) -> String {
    format!("{}/../filch-search/data/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn all_ranks_search_and_rank_0_reports() {
    for ranks in [2, 5] {
        done(ranks, &["search", "queens", "10", "--count"], &["solutions     724\n", " ranks with 1 worker each"]);
        // The nodes of all ranks are counted.
        let nodes = "4,130,071 nodes";
        done(
            ranks,
            &["search", "uts", "T1"],
            &["solutions     3,305,118 leaves", "the same\n", &format!("{nodes} in")],
        );
        done(ranks, &["search", "queens", "16", "--any"], &["solutions     one, checked\n"]);
        done(ranks, &["search", "pentomino", "20x3", "--count"], &["solutions     2, symmetric ones counted once\n"]);
        done(ranks, &["search", "knapsack", &data("p07.txt")], &["solutions     the best, checked\n", "value 1,458,"]);
        done(ranks, &["search", "tsp", &data("gr17.tsp")], &["length 2,085\n"]);
        done(ranks, &["search", "colour", &data("myciel4.col")], &["5 colours\n"]);
        let (_, out, _) = mpirun(ranks, &["search", "sudoku", &data("sudoku9.txt"), "--count"]);
        assert_eq!(out.matches("solutions     1\n").count(), 7, "{out}");
    }
}

#[test]
fn programs_are_compared_on_all_ranks_and_on_one() {
    let args = ["bench", "uts", "queens-search", "--size", "small", "--runs", "3"];
    done(2, &args, &["uts 4 on 2 ranks with 1 worker each", "queens-search 8 on 2 ranks"]);
    let (_, json, _) = mpirun(2, &[&args[..], &["--format", "json"]].concat());
    let rows: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(rows.as_array().unwrap().len() == 2 && rows[0]["ranks"] == 2, "{rows}");
}

#[test]
fn what_needs_one_rank_is_refused_once() {
    refused(&["search", "queens", "8"], &["serial order", "--count or --any", "3 ranks"]);
    refused(&["search", "queens", "8", "--all"], &["serial order"]);
    refused(&["search", "queens", "8", "--count", "--timeout", "1s"], &["--timeout", "mpirun --timeout"]);
    refused(&["search", "queens", "8", "--count", "--workers", "1,2"], &["one number of --workers"]);
    refused(&["search", "queens", "--bogus"], &["--bogus"]);
    refused(&["bench", "fib"], &["fib", "queens-search, uts"]);
    refused(&["bench", "uts", "--busy", "2"], &["--busy"]);
    refused(&["components", "no-such-file"], &["expected filch search or filch bench"]);
    refused(&["search", "sudoku", "no-such-file", "--count"], &["no-such-file"]);
}
