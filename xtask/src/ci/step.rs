//! What a check is: a command, where it builds, what it needs of the machine and what it waits for.

use super::needs::Need;

/// One check. [`step`] makes it, the other functions add to it; `steps.rs` is the list.
pub(crate) struct Step {
    pub(crate) name: String,
    pub(crate) command: Vec<String>,
    /// How long it takes on one core or two, about: long ones begin first. The report says what it took.
    pub(crate) seconds: u32,
    /// Cheap and likely to fail: before all others, in the order of the list.
    pub(crate) is_early: bool,
    /// Where it builds. Steps that build in one folder run one after the other, since Cargo lets them wait anyway.
    pub(crate) folder: Option<&'static str>,
    /// The name of a step that must have ended, well or not.
    pub(crate) after: Option<&'static str>,
    pub(crate) needs: Vec<Need>,
    pub(crate) variables: Vec<(&'static str, String)>,
}

/// A step that runs `command`, whose words are separated by blanks. `xtask` as the first word is this program.
pub(crate) fn step(name: impl Into<String>, seconds: u32, command: &str) -> Step {
    Step {
        name: name.into(),
        command: command.split_whitespace().map(str::to_owned).collect(),
        seconds,
        is_early: false,
        folder: None,
        after: None,
        needs: Vec::new(),
        variables: Vec::new(),
    }
}

impl Step {
    pub(crate) fn early(self) -> Self {
        Step { is_early: true, ..self }
    }

    /// It builds in a part of Cargo's usual folder.
    pub(crate) fn builds_in(self, folder: &'static str) -> Self {
        Step { folder: Some(folder), ..self }
    }

    /// It builds in a folder of its own, or one that it shares with others that build likewise.
    pub(crate) fn builds_apart_in(self, folder: &'static str) -> Self {
        self.builds_in(folder).variable("CARGO_TARGET_DIR", folder)
    }

    pub(crate) fn after(self, name: &'static str) -> Self {
        Step { after: Some(name), ..self }
    }

    pub(crate) fn needs(mut self, need: Need) -> Self {
        self.needs.push(need);
        self
    }

    pub(crate) fn variable(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.variables.push((name, value.into()));
        self
    }

    /// What its log is called.
    pub(crate) fn file_name(&self) -> String {
        let mut name = String::new();
        for letter in self.name.chars() {
            if letter.is_ascii_alphanumeric() {
                name.push(letter);
            } else if !name.ends_with('-') {
                name.push('-');
            }
        }
        name.trim_matches('-').to_owned()
    }

    /// Its variables and its command, as one would type them.
    pub(crate) fn typed(&self) -> String {
        let mut words: Vec<String> =
            self.variables.iter().map(|(name, value)| format!("{name}={}", quoted(value))).collect();
        if self.command.first().is_some_and(|program| program == "xtask") {
            words.push("cargo".to_owned());
        }
        words.extend(self.command.iter().map(|word| quoted(word)));
        words.join(" ")
    }
}

fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=+,:".contains(letter);
    if word.is_empty() || !word.chars().all(plain) { format!("'{word}'") } else { word.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_told_as_one_would_type_it() {
        let step = step("ThreadSanitizer, stress", 1, "cargo  test -p filch").variable("RUSTFLAGS", "-D warnings");
        assert_eq!(step.typed(), "RUSTFLAGS='-D warnings' cargo test -p filch");
        assert_eq!(step.file_name(), "ThreadSanitizer-stress");
    }
}
