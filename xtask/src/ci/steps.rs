//! The checks, as `xtask/steps.txt` lists them.

use crate::files::{found, read};
use crate::process::host;
use std::path::Path;

#[derive(Clone, Default)]
pub(super) struct Step {
    pub(super) name: String,
    /// What it takes, about. The report says what it took.
    pub(super) seconds: u32,
    /// Before all others, in the order of the list.
    pub(super) is_early: bool,
    /// Steps that build in one folder run one after the other.
    pub(super) folder: Option<String>,
    /// The name of a step that must have ended, well or not.
    pub(super) after: Option<String>,
    /// Steps that take turns: each commit makes one of those that have this name.
    pub(super) turn: Option<String>,
    /// What the machine must have, for `xtask/need`.
    pub(super) needs: Vec<String>,
    /// For a shell.
    pub(super) command: String,
}

impl Step {
    /// What its log is called.
    pub(super) fn file_name(&self) -> String {
        let parts = self.name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join("-")
    }
}

/// The list, for this machine.
pub(super) fn steps() -> Result<Vec<Step>, String> {
    let manifest = read(Path::new("Cargo.toml"))?;
    let msrv = found(r#"(?m)^rust-version = "(.*)""#, &manifest);
    list(&host()?, msrv.first().ok_or("Cargo.toml: no rust-version")?)
}

fn list(host: &str, msrv: &str) -> Result<Vec<Step>, String> {
    parse(&include_str!("../../steps.txt").replace("{host}", host).replace("{msrv}", msrv))
}

/// Reads the list. The error names the line.
pub(super) fn parse(text: &str) -> Result<Vec<Step>, String> {
    let mut steps: Vec<Step> = Vec::new();
    let mut group = Step::default();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
        if line.starts_with(' ') {
            let step = steps.last_mut().unwrap_or(&mut group);
            step.command = format!("{} {}", step.command, line.trim()).trim().to_owned();
            continue;
        }
        if steps.last().is_some_and(|step| step.name == "group") {
            group = steps.pop().expect("there is one");
        }
        let mut fields = line.split('|').map(str::trim);
        let name = fields.next().unwrap_or_default().to_owned();
        let mut step = Step { name, ..if line.starts_with("group") { Step::default() } else { group.clone() } };
        for field in fields {
            step.set(field, &steps).ok_or_else(|| format!("steps.txt:{number}: `{field}` is none of what it lists"))?;
        }
        if steps.iter().any(|other| other.file_name() == step.file_name()) {
            return Err(format!("steps.txt:{number}: a second step of this name"));
        }
        steps.push(step);
    }
    Ok(steps)
}

impl Step {
    /// Takes what stands behind its name. None: it is not known.
    fn set(&mut self, field: &str, earlier: &[Step]) -> Option<()> {
        match field.split(' ').collect::<Vec<_>>()[..] {
            [seconds, "s"] => self.seconds = seconds.parse().ok()?,
            ["early"] => self.is_early = true,
            ["after", ..] => self.after = Some(earlier.iter().find(|step| field[6..] == step.name)?.name.clone()),
            ["turn", name] => self.turn = Some(name.to_owned()),
            ["in", folder] => self.folder = Some(folder.to_owned()),
            ["apart", folder] => {
                self.folder = Some(folder.to_owned());
                self.command = format!("CARGO_TARGET_DIR={folder}");
            }
            ["command", _, "of", _] | ["target" | "toolchain" | "nightly" | "miri", _] => {
                self.needs.push(field.to_owned());
            }
            _ => return None,
        }
        Some(())
    }
}

#[test]
fn the_steps_of_a_commit_are_expected_to_take_at_most_45_minutes_on_two_cores() {
    let steps = list("host", "1.0").expect("the list is right");
    assert!(steps.iter().all(|step| step.seconds > 0 && !step.command.is_empty()));
    let takers = |name| steps.iter().filter(|step| step.turn.as_deref() == Some(name)).count() as u32;
    // All pairs of what takes turns.
    for number in 0..takers("variants") * takers("slow") {
        let (made, _) = super::schedule::in_turn(&steps, number);
        let expected = super::schedule::expected(&made, 2);
        assert!(expected <= 45 * 60, "{expected} s for commit {number}");
    }
}

#[test]
fn a_step_has_what_its_group_has_and_a_wrong_line_is_named() {
    let text = "group | apart x\n    A=1\na | 2 s\n    b\n    c\n\ngroup\nd | 1 s | after a\n    e\n";
    let told = |step: &Step| format!("{} {:?} {:?}", step.command, step.folder.as_deref(), step.after.as_deref());
    let steps: Vec<String> = parse(text).expect("it is right").iter().map(told).collect();
    assert_eq!(steps, [r#"CARGO_TARGET_DIR=x A=1 b c Some("x") None"#, r#"e None Some("a")"#]);
    for wrong in ["a\na", "a\nb | after c", "a\nb | early s", "a\nb | 1 h"] {
        assert!(parse(wrong).is_err_and(|error| error.starts_with("steps.txt:2: ")), "{wrong}");
    }
}
