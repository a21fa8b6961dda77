//! `filch profile`.

use std::fs;

use serde_json::Value;

use crate::helpers::{Directory, contains, done, filch, output, refused, stdout};

/// The command itself, which runs on Filch: a program with many forks that takes little time.
const SEARCH: [&str; 5] = [env!("CARGO_BIN_EXE_filch"), "search", "queens", "10", "--count"];

/// A report of a program, with these options.
fn profile(options: &[&str], program: &[&str]) -> String {
    done(&[&["profile"], options, &["--"], program].concat())
}

fn path(directory: &Directory, name: &str) -> String {
    directory.0.join(name).display().to_string()
}

#[test]
#[cfg(target_os = "linux")]
fn a_program_is_recorded_predicted_measured_and_shown_in_every_form() {
    let directory = Directory::new("profile");
    let [svg, html, saved] = ["r.svg", "r.html", "r.profile"].map(|name| path(&directory, name));
    let options = ["profile", "--as", "1,16", "--measure", "2,1", "--runs", "2", "--svg", &svg, "--html", &html];
    let options = [&options[..], &["--save", &saved, "--format", "json", "--"], &SEARCH].concat();
    let output = output(&options);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let (report, text) = (stdout(&output), String::from_utf8(output.stderr).unwrap());
    contains(&text, &["T1/T∞", "burdened T∞", "serial ", "outside ", "predicted/measured", "The way along the span"]);
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let text = profile(&["--as", "1,2"], &SEARCH);
    assert!(!text.contains("solutions"), "what the program says is not in the report: {text}");

    let report: Value = serde_json::from_str(&report).unwrap();
    let rows = report["rows"].as_array().unwrap();
    assert_eq!(rows.iter().map(|row| row["workers"].as_u64().unwrap()).collect::<Vec<_>>(), [1, 2, 16]);
    for row in rows {
        let [ideal, bound, work] = ["ideal_ns", "bound_ns", "work_ns"].map(|name| row[name].as_f64().unwrap());
        let time = &row["simulated"]["time_ns"];
        let [low, value, high] = ["low", "value", "high"].map(|name| time[name].as_f64().unwrap());
        assert!(0.0 < ideal && ideal <= low && low <= value && value <= high && high < 3.0 * bound + 1e6, "{row}");
        assert!(row["workers"] != 1 || (value - work).abs() < 0.05 * work, "one worker does the work: {row}");
        assert_eq!(row["measured_s"].is_null(), row["workers"] == 16, "{row}");
    }
    assert_eq!(report["measured"]["of_workers"][0]["runs_s"].as_array().unwrap().len(), 2);
    shares_are_those_of_a_whole(&report);

    let (picture, page) = (fs::read_to_string(&svg).unwrap(), fs::read_to_string(&html).unwrap());
    contains(&picture, &["<svg", "simulated", "burdened", "workers P", "</svg>"]);
    contains(&page, &["<!doctype html>", "<svg", "prefers-color-scheme", "The way along the span", "</html>"]);
    let links = page.replace("http://www.w3.org/2000/svg", "");
    for link in ["http:", "https:", "src=", "href=", "url(", "@import", "<script"] {
        assert!(!links.contains(link), "the page needs nothing else: {link}");
    }
    a_saved_profile_is_shown_and_simulated(&saved, &report);
}

/// Work and span are divided among the places of the tree, and a place has no more than the one around it.
fn shares_are_those_of_a_whole(report: &Value) {
    let way = report["way"].as_array().unwrap();
    for (own, whole) in [("own_share_of_span", "share_of_span"), ("own_share_of_work", "share_of_work")] {
        let sum: f64 = way.iter().map(|place| place[own].as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-6 && (way[0][whole].as_f64().unwrap() - 1.0).abs() < 1e-6, "{own}: {sum}");
        for places in way.windows(2) {
            let is_inside = places[1]["depth"].as_u64() > places[0]["depth"].as_u64();
            assert!(!is_inside || places[1][whole].as_f64() <= places[0][whole].as_f64(), "{places:?}");
        }
    }
    let sites = report["sites"].as_array().unwrap();
    assert!(!sites.is_empty() && sites.iter().all(|site| site["parallelism"].as_f64().unwrap() >= 1.0), "{sites:?}");
}

fn a_saved_profile_is_shown_and_simulated(saved: &str, report: &Value) {
    let read = |more: &[&str]| done(&[&["profile", "--read", saved, "--as", "1,4", "--format", "json"], more].concat());
    let shown: Value = serde_json::from_str(&read(&[])).unwrap();
    assert_eq!((&shown["profile"], &shown["way"]), (&report["profile"], &report["way"]));
    assert!(shown["outside_s"].is_null() && shown["rows"][1]["measured_s"].is_null(), "{shown}");
    assert_eq!(read(&[]), read(&[]), "the same each time");
    assert_ne!(read(&["--cost", "give=50us", "--cost", "wake=1ms"]), read(&[]));
    let stopped: Value = serde_json::from_str(&read(&["--most-events", "1"])).unwrap();
    assert!(stopped["rows"][1]["simulated"].is_null(), "{stopped}");
    assert!(stopped["notes"][0].as_str().unwrap().contains("--most-events"), "{stopped}");
    let text = done(&["simulate", saved, "--workers", "1,4", "--seeds", "2"]);
    contains(&text, &["profiled filch: a simulation with 2 seeds", "T1 = "]);
}

#[test]
#[cfg(target_os = "linux")]
fn one_recording_serves_for_all_numbers_of_workers_if_they_fork_alike_or_if_it_is_asked() {
    let sums = [env!("CARGO_BIN_EXE_filch"), "bench", "sums", "--size", "small", "--runs", "1", "--against", "serial"];
    let bench = |more: &[&'static str]| [&sums[..], more].concat();
    let text = profile(&["--as", "4"], &bench(&["--workers", "2"]));
    contains(&text, &["recorded once, for 4 workers", "sets its number of workers to 2 itself"]);
    let text = profile(&["--as", "1,4", "--same-recording", "--leaf", "50us"], &bench(&["--workers", "2"]));
    contains(&text, &["recorded once, for 4 workers, as asked"]);
    // The command measures as many runners as it is told that there are workers: one, or one and four.
    let text = profile(&["--as", "1,4"], &SEARCH);
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains("so one serves for all") || words.contains("recorded for each number of workers, because"),
        "{text}"
    );
}

#[test]
#[cfg(target_os = "linux")]
fn a_program_that_fails_or_is_not_on_filch_or_is_not_there_is_named() {
    let failing = ["sh", "-c", "echo before; exit 7"];
    let output = output(&[&["profile", "--"][..], &failing].concat());
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!((output.status.code(), &*stdout(&output)), (Some(1), ""), "{message}");
    contains(&message, &["before", "sh ended with exit code 7 while it was profiled"]);
    let killed = filch(&["profile", "--", "sh", "-c", "kill -9 $$"]).output().unwrap();
    assert_eq!(killed.status.code(), Some(1), "{killed:?}");
    contains(&String::from_utf8_lossy(&killed.stderr), &["sh was ended by a signal", "9"]);
    refused(&["profile", "--", "true"], &["true has written no profile", "runs on Filch"]);
    refused(&["profile", "--", "/no/such/program"], &["cannot run /no/such/program: there is no such program"]);
}

#[test]
fn bad_usage_of_profile_is_refused() {
    refused(&["profile"], &["PROGRAM"]);
    refused(&["profile", "--read", "a", "--", "true"], &["--read", "PROGRAM"]);
    refused(&["profile", "--read", "a", "--measure", "1"], &["--read", "--measure"]);
    refused(&["profile", "--as", "0", "--", "true"], &["--as", "from 1 to 4096"]);
    refused(&["profile", "--measure", "0", "--", "true"], &["--measure", "from 1 to 4096"]);
    refused(&["profile", "--leaf", "long", "--", "true"], &["--leaf", "long"]);
    refused(&["profile", "--cost", "steal=1us", "--", "true"], &["--cost", "`steal`", "fork, poll"]);
    refused(&["profile", "--svg", "a", "--html", "./a", "--", "true"], &["--svg", "--html"]);
    refused(&["profile", "--html", "no/such/directory/a.html", "--", "true"], &["no/such/directory/a.html"]);
    refused(&["profile", "--read", "no/such.profile"], &["no/such.profile"]);
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_that_is_no_whole_profile_is_refused_with_what_is_wrong() {
    let directory = Directory::new("profile-broken");
    let [saved, broken] = ["whole.profile", "broken.profile"].map(|name| path(&directory, name));
    profile(&["--as", "2", "--save", &saved], &SEARCH);
    let whole = fs::read(&saved).unwrap();
    let check = |content: &[u8], words: &[&str]| {
        fs::write(&broken, content).unwrap();
        refused(&["profile", "--read", &broken], &[words, &["broken.profile"]].concat());
        // To which other files are recordings.
        refused(&["simulate", &broken], &["broken.profile", "expected"]);
    };
    check(b"", &["line 1"]);
    check(b"#!/bin/sh\n", &["line 1", "filch-profile 1", "#!/bin/sh"]);
    check(b"filch-profile 2\nprogram x\n", &["line 1", "filch-profile 2"]);
    check(&[0xFF; 5000], &["line 1"]);
    check(&whole[..60], &["line"]);
    check(&whole[..whole.len() - 1], &["expected events that nest"]);
    check(&[&whole[..], b"x"].concat(), &["expected the end of the file"]);
    // Any other byte is either something else or an error, and never a panic.
    for place in (0..whole.len()).step_by(whole.len() / 40 + 1) {
        let mut changed = whole.clone();
        changed[place] ^= 0x41;
        fs::write(&broken, changed).unwrap();
        let output = output(&["profile", "--read", &broken, "--as", "2", "--most-events", "100000"]);
        assert!(matches!(output.status.code(), Some(0 | 2)), "{place}: {output:?}");
    }
}
