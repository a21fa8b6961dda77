//! The runs of a model, as its first comment lists them; `crates/filch/models/README.md` says how.

use std::collections::{BTreeMap, BTreeSet};

/// One search of a model's states.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Run {
    pub(crate) name: String,
    /// Whether it must find something wrong.
    pub(crate) finds_bug: bool,
    /// For spin: `-DNAME`, `-DNAME=VALUE`.
    pub(crate) flags: Vec<String>,
    /// The temporal claim, if one is to be searched rather than assertions and deadlocks.
    pub(crate) claim: Option<String>,
    /// For the C compiler. What is found soon is compiled for longer than it runs, and so not optimised.
    pub(crate) optimisation: String,
}

/// The runs of a model of that name. The error says what is wrong with its header, or what no run covers.
pub(crate) fn runs(name: &str, text: &str) -> Result<Vec<Run>, String> {
    let (header, body) = text.split_once("*/").ok_or_else(|| format!("{name}.pml: begins with no comment"))?;
    let mut reader = Reader { model: name, ..Reader::default() };
    for line in header.lines() {
        reader.line(line).map_err(|expected| format!("{name}.pml: expected {expected}, found `{line}`"))?;
    }
    let known = conditions(body);
    let covered: BTreeSet<&str> = reader
        .runs
        .iter()
        .flat_map(|run| &run.flags)
        .filter_map(|flag| flag.strip_prefix("-D")?.split('=').next())
        .chain(reader.uncovered.iter().map(String::as_str))
        .collect();
    let missing: Vec<&str> = known.iter().copied().filter(|name| !covered.contains(name)).collect();
    let unknown: Vec<&str> = reader.mutants.iter().map(String::as_str).filter(|name| !known.contains(name)).collect();
    if !missing.is_empty() {
        return Err(format!("{name}.pml: no run has {}", missing.join(", ")));
    }
    if !unknown.is_empty() {
        return Err(format!("{name}.pml: its code does not ask for {}", unknown.join(", ")));
    }
    Ok(reader.runs)
}

#[derive(Default)]
struct Reader<'a> {
    model: &'a str,
    claim: Option<String>,
    /// What names in small letters stand for.
    sets: BTreeMap<String, Vec<String>>,
    /// What mutants run with that do not say it.
    usual: Vec<String>,
    is_in_mutants: bool,
    mutants: Vec<String>,
    uncovered: Vec<String>,
    runs: Vec<Run>,
}

impl Reader<'_> {
    fn line(&mut self, line: &str) -> Result<(), &'static str> {
        let text = line.trim_start_matches("/*").strip_prefix(" *").unwrap_or(line);
        if let Some((key, rest)) =
            text.trim_start().strip_prefix('@').map(|text| text.split_once(' ').unwrap_or((text, "")))
        {
            return self.setting(key, rest);
        }
        if text.starts_with(" Mutants") {
            self.is_in_mutants = true;
        } else if text.starts_with(" Experiments") || text.starts_with(" An experiment") {
            self.is_in_mutants = false;
        } else if self.is_in_mutants {
            self.mutant(text);
        }
        Ok(())
    }

    fn setting(&mut self, key: &str, rest: &str) -> Result<(), &'static str> {
        match key {
            "claim" => self.claim = Some(rest.trim().to_owned()),
            "set" => {
                let (name, items) = rest.split_once(':').ok_or("`@set NAME: ITEMS`")?;
                let items = self.expanded(&items_of(items));
                self.sets.insert(name.trim().to_owned(), items);
            }
            "mutants" => self.usual = items_of(rest),
            "without" => self.uncovered = items_of(rest),
            "ok" | "bug" => {
                for items in rest.split('|').map(items_of) {
                    self.run(&items, &items, key == "bug");
                }
            }
            _ => return Err("@claim, @set, @mutants, @without, @ok or @bug"),
        }
        Ok(())
    }

    /// `   NAME   (ITEMS) what it breaks`; other lines go on with what the one before says.
    fn mutant(&mut self, text: &str) {
        let Some(entry) = text.strip_prefix("   ") else { return };
        let (name, rest) = entry.split_once(' ').unwrap_or((entry, ""));
        if !is_symbol(name) {
            return;
        }
        let own = rest.trim_start().strip_prefix('(').and_then(|rest| rest.split_once(')'));
        let named = own.map_or_else(Vec::new, |(items, _)| items_of(items));
        let mut items = if own.is_some() { named.clone() } else { self.usual.clone() };
        items.push(name.to_owned());
        self.mutants.push(name.to_owned());
        self.run(&[named, vec![name.to_owned()]].concat(), &items, true);
    }

    fn run(&mut self, named: &[String], items: &[String], finds_bug: bool) {
        let mut name = self.model.to_owned();
        for item in named.iter().filter(|item| !item.starts_with('-')) {
            name = format!("{name}-{}", item.trim_start_matches("ltl="));
        }
        let mut run = Run {
            name,
            finds_bug,
            flags: Vec::new(),
            claim: self.claim.clone(),
            optimisation: if finds_bug { "-O0" } else { "-O1" }.to_owned(),
        };
        for item in self.expanded(items) {
            if let Some(claim) = item.strip_prefix("ltl=") {
                run.claim = Some(claim.to_owned());
            } else if item.starts_with("-O") {
                run.optimisation = item;
            } else {
                run.flags.push(format!("-D{item}"));
            }
        }
        self.runs.push(run);
    }

    /// With what sets stand for in their place.
    fn expanded(&self, items: &[String]) -> Vec<String> {
        items.iter().flat_map(|item| self.sets.get(item).cloned().unwrap_or_else(|| vec![item.clone()])).collect()
    }
}

fn items_of(text: &str) -> Vec<String> {
    text.split([' ', ',']).filter(|item| !item.is_empty()).map(str::to_owned).collect()
}

fn is_symbol(word: &str) -> bool {
    word.len() > 1 && word.chars().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_')
}

/// The symbols that the code asks for, other than to give them a value where they have none.
fn conditions(body: &str) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    let lines: Vec<&str> = body.lines().map(str::trim).collect();
    for (place, line) in lines.iter().enumerate() {
        let Some(condition) = line.strip_prefix("#if").or_else(|| line.strip_prefix("#elif")) else { continue };
        let words = condition.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'));
        let next = lines.get(place + 1).copied().unwrap_or_default();
        let has_value =
            |word: &str| next.strip_prefix("#define").is_some_and(|rest| rest.split(' ').nth(1) == Some(word));
        found.extend(words.filter(|word| is_symbol(word) && !(condition.starts_with("ndef") && has_value(word))));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: &str = "\
/* A model.
 *   @claim p
 *   @set weak: K=2 PSO
 *   @mutants K=3 -O1
 *   @ok
 *   @ok weak INVARIANT | ltl=q
 * Mutants, each with what it breaks:
 *   NO_FENCE   the fence
 *              is gone
 *   LATE_STORE (weak) the store
 * Experiments:
 *   HARMLESS   nothing */
#ifndef K
#define K 1
#endif
#if defined(NO_FENCE) || defined(LATE_STORE)
#elif defined(INVARIANT)
#endif
";

    #[test]
    fn mutants_and_other_runs_are_read() {
        let runs = runs("m", MODEL).expect("all is covered");
        let told: Vec<String> = runs
            .iter()
            .map(|run| {
                let claim = run.claim.as_deref().unwrap_or("-");
                format!("{} {} {claim} {} {}", run.name, run.finds_bug, run.optimisation, run.flags.join(" "))
            })
            .collect();
        assert_eq!(
            told,
            [
                "m false p -O1 ",
                "m-weak-INVARIANT false p -O1 -DK=2 -DPSO -DINVARIANT",
                "m-q false q -O1 ",
                "m-NO_FENCE true p -O1 -DK=3 -DNO_FENCE",
                "m-weak-LATE_STORE true p -O0 -DK=2 -DPSO -DLATE_STORE",
            ]
        );
    }

    #[test]
    fn a_condition_that_no_run_covers_is_refused() {
        let more = format!("{MODEL}#ifdef FORGOTTEN\n#endif\n");
        assert_eq!(runs("m", &more), Err("m.pml: no run has FORGOTTEN".to_owned()));
        assert!(runs("m", &more.replace("@claim p", "@without FORGOTTEN")).is_ok());
    }

    #[test]
    fn a_mutant_that_the_code_does_not_know_is_refused() {
        let other = MODEL.replace("   NO_FENCE ", "   NO_FANCE ").replace("INVARIANT | ltl=q", "INVARIANT NO_FENCE");
        assert_eq!(runs("m", &other), Err("m.pml: its code does not ask for NO_FANCE".to_owned()));
    }

    #[test]
    fn an_unknown_setting_is_refused() {
        assert!(runs("m", &MODEL.replace("@claim", "@clam")).is_err());
    }
}
