//! `filch stress`.

use crate::helpers::{output, stdout};

#[test]
fn stress_says_what_it_did_and_the_same_seed_does_the_same_again() {
    let summary = |seed: &str| {
        let output = output(&["stress", "--seed", seed, "--cases", "4", "--plans"]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let text = stdout(&output);
        // Without what depends on the speed of the machine.
        let depends_on_seed = [
            "from seed ",
            "case ",
            "cases ",
            "programs ",
            "forks ",
            "spawn loops ",
            "stopped loops ",
            "scopes ",
            "spawns ",
            "reductions ",
            "nested runs ",
            "panics ",
            "digest ",
        ];
        let lines = text.lines().filter(|line| depends_on_seed.iter().any(|start| line.starts_with(start)));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let once = summary("11");
    assert_eq!(once.len(), 4 + 12, "{once:?}");
    assert!(once.contains(&"from seed 11".to_owned()) && once[4].starts_with("case 14: "), "{once:?}");
    assert_eq!(summary("11"), once);
    assert_ne!(summary("12").last(), once.last());
}

#[test]
fn stress_ends_when_its_time_is_up_and_shows_plain_lines_in_a_pipe() {
    let output = output(&["stress", "--seconds", "1", "--scheduler", "serial"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(stdout(&output).contains("\nforks_taken "), "{output:?}");
    let progress = String::from_utf8(output.stderr).unwrap();
    assert!(progress.lines().all(|line| line.starts_with("running, ")), "{progress}");
}
