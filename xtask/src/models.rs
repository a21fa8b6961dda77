//! `cargo xtask models [NAME]`: searches the states of the models of protocols, and shows that the search can fail.
//!
//! Each `.pml` file in the folder `models` of a crate models one protocol, and its first comment lists its runs, as
//! `crates/filch/models/README.md` says. A model must come out `ok`: all states searched, no assertion violated, no
//! deadlock, the temporal claim kept. A mutant, the model with one deliberate mistake, must come out `bug`.

use crate::files::{clear, found, listed, read};
use crate::process::{command, limited, output};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::time::Duration;

const WORK: &str = "target/ci/models";

/// A search that takes longer has found nothing.
const LIMIT: Duration = Duration::from_secs(600);

/// Runs the models and mutants whose names begin so.
pub(crate) fn main(name: &str) -> Result<(), String> {
    let (mut count, mut unexpected) = (0, 0);
    for path in listed()? {
        let model = path.split_once("/models/").and_then(|(_, name)| name.strip_suffix(".pml"));
        let (Some(model), path) = (model, Path::new(&path)) else { continue };
        for run in runs(model, &read(path)?)?.iter().filter(|run| run.name.starts_with(name)) {
            let said = search(path, run)?;
            let states = found(r"(?m)^ *(\S+) states, stored", &said).first().copied().unwrap_or("?").to_owned();
            let is_expected = outcome(&said) == if run.finds_bug { "bug" } else { "ok" };
            let mark = if is_expected { "" } else { "UNEXPECTED " };
            println!("{mark}{}: {} ({states} states)", run.name, outcome(&said));
            count += 1;
            unexpected += usize::from(!is_expected);
        }
    }
    match (count, unexpected) {
        (0, _) => Err(format!("models: no model's name begins with {name}")),
        (_, 0) => Ok(()),
        _ => Err(format!("models: {unexpected} of {count} have come out otherwise than expected")),
    }
}

/// One search of a model's states.
struct Run {
    name: String,
    /// Whether it must find something wrong.
    finds_bug: bool,
    /// `NAME` and `NAME=VALUE` are for spin, `-O…` is for the C compiler, and `ltl=NAME` is the temporal claim to be
    /// searched rather than assertions and deadlocks. The last ones count.
    items: Vec<String>,
}

impl Run {
    fn last(&self, start: &str) -> Option<&str> {
        self.items.iter().rev().find_map(|item| item.strip_prefix(start))
    }

    fn flags(&self) -> impl Iterator<Item = &String> {
        self.items.iter().filter(|item| !item.starts_with("-O") && !item.starts_with("ltl="))
    }
}

/// The runs of a model of that name. The error says what is wrong with its header, or what no run covers.
fn runs(model: &str, text: &str) -> Result<Vec<Run>, String> {
    let (header, body) = text.split_once("*/").ok_or_else(|| format!("{model}.pml: begins with no comment"))?;
    // What names in small letters stand for, what mutants run with that do not say it, and what all runs have.
    let (mut sets, mut usual, mut claim) = (BTreeMap::new(), Vec::new(), None);
    // By what each run is named, with what it runs, and whether it must find something.
    let (mut listed, mut is_in_mutants) = (Vec::new(), false);
    let (mut mutants, mut covered) = (BTreeSet::new(), BTreeSet::new());
    for line in header.lines() {
        let text = line.trim_start_matches("/*").strip_prefix(" *").unwrap_or(line);
        if let Some(setting) = text.trim_start().strip_prefix('@') {
            match setting.split_once(' ').unwrap_or((setting, "")) {
                ("claim", rest) => claim = Some(format!("ltl={}", rest.trim())),
                ("set", rest) if rest.contains(':') => {
                    let (name, items) = rest.split_once(':').unwrap_or_default();
                    sets.insert(name.trim(), expanded(&sets, &items_of(items)));
                }
                ("mutants", rest) => usual = items_of(rest),
                ("without", rest) => covered.extend(items_of(rest)),
                (kind @ ("ok" | "bug"), rest) => {
                    listed.extend(rest.split('|').map(items_of).map(|items| (items.clone(), items, kind == "bug")));
                }
                _ => {
                    let known = "@claim, @set NAME: ITEMS, @mutants, @without, @ok or @bug";
                    return Err(format!("{model}.pml: expected {known}, found `{line}`"));
                }
            }
        } else if text.starts_with(" Mutants") {
            is_in_mutants = true;
        } else if text.starts_with(" Experiments") || text.starts_with(" An experiment") {
            is_in_mutants = false;
        } else if is_in_mutants && let Some(entry) = text.strip_prefix("   ") {
            // `NAME   (ITEMS) what it breaks`; other lines go on with what the one before says.
            let (name, rest) = entry.split_once(' ').unwrap_or((entry, ""));
            if is_symbol(name) {
                let own = rest.trim_start().strip_prefix('(').and_then(|rest| rest.split_once(')'));
                let own = own.map(|(items, _)| items_of(items));
                let items = own.clone().unwrap_or_else(|| usual.clone());
                mutants.insert(name);
                listed.push(([own.unwrap_or_default(), vec![name]].concat(), [items, vec![name]].concat(), true));
            }
        }
    }
    let run = |(named, items, finds_bug): (Vec<&str>, Vec<&str>, bool)| {
        let parts = named.iter().filter(|item| !item.starts_with('-')).map(|item| item.trim_start_matches("ltl="));
        let items = claim.iter().cloned().chain(expanded(&sets, &items).into_iter().map(str::to_owned));
        Run { name: [model].into_iter().chain(parts).collect::<Vec<_>>().join("-"), finds_bug, items: items.collect() }
    };
    let runs: Vec<Run> = listed.into_iter().map(run).collect();
    let known = conditions(body);
    covered.extend(runs.iter().flat_map(Run::flags).filter_map(|flag| flag.split('=').next()));
    let names = |of: &BTreeSet<&str>, others| of.difference(others).copied().collect::<Vec<_>>().join(", ");
    match (names(&known, &covered), names(&mutants, &known)) {
        (missing, _) if !missing.is_empty() => Err(format!("{model}.pml: no run has {missing}")),
        (_, unknown) if !unknown.is_empty() => Err(format!("{model}.pml: its code does not ask for {unknown}")),
        _ => Ok(runs),
    }
}

/// Items, with what sets stand for in their place.
fn expanded<'a>(sets: &BTreeMap<&str, Vec<&'a str>>, items: &[&'a str]) -> Vec<&'a str> {
    items.iter().flat_map(|item| sets.get(item).cloned().unwrap_or_else(|| vec![item])).collect()
}

fn items_of(text: &str) -> Vec<&str> {
    text.split([' ', ',']).filter(|item| !item.is_empty()).collect()
}

fn is_symbol(word: &str) -> bool {
    word.len() > 1 && word.chars().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_')
}

/// The symbols that the code asks for, other than to give them a value where they have none.
fn conditions(body: &str) -> BTreeSet<&str> {
    let lines: Vec<&str> = body.lines().map(str::trim).collect();
    let conditions = lines.iter().enumerate().flat_map(|(place, line)| {
        let next = lines.get(place + 1).and_then(|next| next.strip_prefix("#define ")).unwrap_or_default();
        let is_default = move |word: &&str| line.starts_with("#ifndef") && next.split(' ').next() == Some(word);
        let is_condition = line.starts_with("#if") || line.starts_with("#elif");
        let words = line.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'));
        words.filter(move |word| is_condition && is_symbol(word) && !is_default(word))
    });
    conditions.collect()
}

/// Has spin write the search as a C program, compiles it and runs it: what it says.
fn search(model: &Path, run: &Run) -> Result<String, String> {
    let failed = |error| format!("{}: cannot be run: {error}", run.name);
    let model = model.canonicalize().map_err(failed)?;
    let work = Path::new(WORK).join(&run.name);
    clear(&work)?;
    let work = fs::create_dir(&work).and_then(|()| work.canonicalize()).map_err(failed)?;
    output(command("spin").args(run.flags().map(|flag| format!("-D{flag}"))).arg("-a").arg(&model).current_dir(&work))?;
    // What is found soon would be compiled for longer than it runs.
    let optimisation = run.last("-O").unwrap_or(if run.finds_bug { "0" } else { "1" });
    let property = if run.last("ltl=").is_some() { "-DNFAIR=3" } else { "-DSAFETY" };
    let mut compiler = command(if optimisation == "0" { "tcc" } else { "gcc" });
    compiler.arg(format!("-O{optimisation}"));
    compiler.args([property, "-DCOLLAPSE", "-DMEMLIM=9000", "-DVECTORSZ=2048", "-w", "-o", "pan", "pan.c"]);
    output(compiler.current_dir(&work))?;
    let mut search = command(work.join("pan"));
    match run.last("ltl=") {
        Some(claim) => search.args(["-a", "-f", "-N", claim, "-m8000000"]),
        None => search.arg("-m100000"),
    };
    let (_, said) = limited(search.current_dir(&work), LIMIT, &work.join("pan.out"))?;
    // Hundreds of these take gigabytes.
    clear(&work)?;
    Ok(said)
}

/// A search that is killed by the limit of time says nothing of errors.
fn outcome(said: &str) -> &'static str {
    let is_cut = said.contains("max search depth too small") || said.contains("Search not completed");
    match found(r"errors: (\S+)", said).last() {
        Some(&"0") if !is_cut => "ok",
        None | Some(&"0") => "unfinished",
        Some(_) => "bug",
    }
}

#[test]
fn what_no_run_covers_what_no_code_asks_for_and_unknown_settings_are_refused() {
    let model = "/* A model.\n *   @ok K=2\n * Mutants:\n *   NO_FENCE   the fence */\n\
                 #ifndef MOST\n#define MOST 1\n#if defined(NO_FENCE) || K\n";
    let told = |text: &str| match runs("m", text) {
        Ok(runs) => runs.iter().map(|run| format!("{} {};", run.name, run.items.join(" "))).collect(),
        Err(error) => error,
    };
    assert_eq!(told(model), "m-K=2 K=2;m-NO_FENCE NO_FENCE;");
    assert_eq!(told(&format!("{model}#elif NO_STORE")), "m.pml: no run has NO_STORE");
    assert_eq!(told(&model.replace("NO_FENCE)", "NO)")), "m.pml: no run has NO");
    assert_eq!(told(&model.replace("NO_FENCE)", "K)")), "m.pml: its code does not ask for NO_FENCE");
    assert!(told(&model.replace("@ok", "@okay")).ends_with("found ` *   @okay K=2`"));
}
