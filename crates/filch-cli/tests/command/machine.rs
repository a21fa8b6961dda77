//! `filch machine`.

use crate::helpers::{figures, output, refused, stdout};

#[test]
fn machine_says_what_the_pool_has_measured() {
    let output = output(&["machine"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = stdout(&output);
    for line in [
        "processor",
        "cores",
        "system",
        "taking",
        "cost of a take ",
        "period N",
        "that is Strand::join",
        "the parts, each measured alone, sum to",
        "a lock in every pop",
    ] {
        assert!(text.contains(line), "{text}");
    }
}

#[test]
fn machine_draws_squads_and_writes_them() {
    // Of this machine, whatever it is.
    let (json, text) = figures(&["machine"]);
    let m = json["topology"]["m"].as_u64().unwrap();
    assert!(text.contains(&format!("M = {m}: ")) && text.contains("S_c = ") && text.contains("\nmachine"), "{text}");
    let squads = json["topology"]["squads"].as_array().unwrap();
    let workers: usize = squads.iter().map(|squad| squad["workers"].as_array().unwrap().len()).sum();
    assert_eq!((squads.len() as u64, workers as u64), (m, json["topology"]["workers"].as_u64().unwrap()));
    // Of the paper's machine.
    let (json, text) = figures(&["machine", "--topology", "4x4,cache=6MiB"]);
    assert!(
        text.contains("M = 4: ") && text.contains("S_c = 6.00 MiB") && text.contains("squad 3: workers 12-15"),
        "{text}"
    );
    let topology = &json["topology"];
    assert_eq!((&topology["m"], &topology["s_c_bytes"]), (&4.into(), &(6 << 20).into()));
    assert_eq!(topology["squads"][1]["workers"], serde_json::json!([4, 5, 6, 7]));
}

#[test]
fn machine_refuses_what_is_no_topology() {
    refused(&["machine", "--topology", "2x2x2"], &["2x2x2", "expected the number of squads"]);
}

#[test]
fn machine_measures_how_soon_work_is_shared() {
    let output = output(&["machine"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = stdout(&output);
    for line in ["cost of a gift", "patience", "How soon work is shared", "ask to reply, ", "take"] {
        assert!(text.lines().any(|shown| shown.starts_with(line)), "{line}: {text}");
    }
    let asks = text.lines().find(|line| line.contains(" asks ")).unwrap();
    let numbers: Vec<u64> = asks.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect();
    let [all, granted, refused, withdrawn] = numbers[..] else { panic!("{asks}") };
    assert_eq!(all, granted + refused + withdrawn, "{asks}");
}

#[cfg(unix)]
#[test]
fn machine_measures_what_idleness_costs() {
    let output = output(&[
        "machine",
        "--idle",
        "--seconds",
        "0.02",
        "--samples",
        "6",
        "--calls",
        "7",
        "--forks",
        "7",
        "--pause",
        "0.002",
    ]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = stdout(&output);
    for line in ["idle pool, never used", "one serial run, forked once", "run(|_| ()), pool asleep", "first fork"] {
        let line = text.lines().find(|shown| shown.starts_with(line)).unwrap_or_else(|| panic!("{line}: {text}"));
        assert!(line.contains('[') && line.chars().count() <= 80, "{line}");
    }
}

#[test]
fn the_doctor_says_what_was_found_and_what_a_report_needs() {
    let output = output(&["doctor"]);
    for what in ["processors", "taking", "costs", "version", "lines have something", "A report of a fault"] {
        assert!(stdout(&output).contains(what), "{what}: {output:?}");
    }
}
