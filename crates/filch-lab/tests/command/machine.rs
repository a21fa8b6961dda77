//! `filch machine`.

use crate::helpers::{output, stdout};

#[test]
fn machine_says_what_the_pool_has_measured() {
    let output = output(&["machine"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = stdout(&output);
    for line in ["processor", "cores", "system", "taking", "cost of a take ", "period N", "that is Strand::join"] {
        assert!(text.contains(line), "{text}");
    }
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
