//! Files are opened in the same way, whatever the command and the format.

use std::fs;
use std::process::Stdio;

use crate::helpers::{Directory, contains, done, fed, filch, gzip, refused, stdout};

#[test]
fn standard_input_is_read_in_every_format_compressed_or_not() {
    for input in [
        &b"\xef\xbb\xbf0 1\n1 2\n"[..],
        &gzip(b"0 1\n1 2\n"),
        b"%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n",
    ] {
        contains(&fed(&["graph", "info", "-"], input), &["standard input", "3", "vertices"]);
    }
    let directory = Directory::new("standard-serialized");
    let path = directory.0.join("path.sg");
    done(&["generate", "path(3)", "--out", path.to_str().unwrap()]);
    let serialized = fs::read(&path).unwrap();
    for input in [&serialized, &gzip(&serialized)] {
        contains(&fed(&["graph", "info", "-"], input), &["standard input", "3", "vertices"]);
    }
    let tour = b"TYPE: TSP (a)\nDIMENSION 2\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 3 4\n";
    contains(&fed(&["search", "tsp", "-"], tour), &["length 10"]);
    contains(&fed(&["search", "exact-cover", "-", "--count"], b"\xef\xbb\xbf# two\r\na b\r\na\r\nb\r\n"), &["2"]);
    contains(&fed(&["search", "exact-cover", "-", "--count", "--dlx"], b"a b\na\nb\n"), &["1"]);
    let directory = Directory::new("standard-recording");
    let recording = directory.0.join("fib.filch");
    done(&["bench", "fib", "--n", "10", "--record", recording.to_str().unwrap()]);
    let simulated = fed(&["simulate", "-", "--workers", "2", "--seeds", "1"], &fs::read(&recording).unwrap());
    contains(&simulated, &["recorded fib(10)"]);
    // A recording that was compressed once more.
    let again = gzip(&fs::read(&recording).unwrap());
    contains(&fed(&["simulate", "-", "--workers", "2", "--seeds", "1"], &again), &["recorded fib(10)"]);
    refused(&["graph", "info", "-", "--labels", "-"], &["GRAPH and --labels both name standard input"]);
}

#[test]
fn faults_of_standard_input_name_it() {
    let output = filch(&["graph", "info", "-"]).stdin(Stdio::null()).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{message}");
    contains(&message, &["standard input: no edges found"]);
    // An endless one is read as far as its header says.
    let zeros = fs::File::open("/dev/zero").unwrap();
    let output = filch(&["graph", "info", "-"]).stdin(zeros).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{message}");
    contains(&message, &[": 26 bytes, expected 25 for 0 vertices"]);
}

#[test]
fn archives_are_refused_by_name_whatever_the_command() {
    let directory = Directory::new("archives");
    let path = directory.0.join("a.zip");
    fs::write(&path, b"PK\x03\x04\x14\0\0\0").unwrap();
    let path = path.to_str().unwrap();
    for args in [
        &["graph", "info", path][..],
        &["components", "path(3)", "--labels", path],
        &["search", "tsp", path],
        &["search", "sudoku", path],
        &["search", "colour", path],
        &["search", "knapsack", path],
        &["search", "exact-cover", path],
        &["simulate", path],
        &["simulate", "fib:5", "--machine", path],
    ] {
        refused(args, &["a zip archive: unpack it with unzip"]);
    }
}

/// Names of files are bytes on Unix.
#[cfg(target_os = "linux")]
#[test]
fn names_of_files_need_not_be_in_utf_8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let directory = Directory::new("names-when-opening");
    let at = |name: &[u8]| directory.0.join(OsStr::from_bytes(name));
    let (graph, labels, cover, written) = (at(b"caf\xe9.el"), at(b"\xff.txt"), at(b"\xe9.cover"), at(b"\xfe.txt"));
    let recording = at(b"\xfe.filch");
    fs::write(&graph, "0 1\n1 2\n").unwrap();
    fs::write(&labels, "a\nb\nc\n").unwrap();
    fs::write(&cover, "a b\na\nb\n").unwrap();
    let run = |args: &[&OsStr]| {
        let output = filch(&[]).args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}: {output:?}");
        stdout(&output)
    };
    let of = OsStr::new;
    let shown =
        run(&[of("components"), graph.as_ref(), of("--labels"), labels.as_ref(), of("--out"), written.as_ref()]);
    contains(&shown, &["caf\u{fffd}.el"]);
    assert!(written.exists());
    contains(&run(&[of("search"), of("exact-cover"), cover.as_ref(), of("--count")]), &["2"]);
    run(&[of("bench"), of("fib"), of("--n"), of("10"), of("--record"), recording.as_ref()]);
    contains(&run(&[of("simulate"), recording.as_ref(), of("--workers"), of("2")]), &["recorded fib(10)"]);
}
