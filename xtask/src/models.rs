//! `cargo xtask models [NAME]`: searches the states of the models of protocols, and shows that the search can fail.
//!
//! Each `.pml` file in `crates/filch/models` models one protocol, and its first comment lists its runs, as `README.md`
//! there says. A model must come out `ok`: all states searched, no assertion violated, no deadlock, the temporal claim
//! kept. A mutant, the model with one deliberate mistake, must come out `bug`.

use crate::files::{clear, found, read};
use crate::process::{command, limited, output};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

const MODELS: &str = "crates/filch/models";
const WORK: &str = "target/ci/models";

/// A search that takes longer has found nothing.
const LIMIT: Duration = Duration::from_secs(600);

/// Runs the models and mutants whose names begin so.
pub(crate) fn main(name: &str) -> Result<(), String> {
    let entries = fs::read_dir(MODELS).map_err(|error| format!("{MODELS}: cannot be read: {error}"))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let (mut count, mut unexpected) = (0, 0);
    for path in paths.iter().filter(|path| path.extension().is_some_and(|extension| extension == "pml")) {
        let model = path.file_stem().unwrap_or_default().to_string_lossy();
        for run in runs(&model, &read(path)?)?.iter().filter(|run| run.name.starts_with(name)) {
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
    /// For spin: `-DNAME`, `-DNAME=VALUE`.
    flags: Vec<String>,
    /// The temporal claim, if one is to be searched rather than assertions and deadlocks.
    claim: Option<String>,
    /// For the C compiler. What is found soon is compiled for longer than it runs, and so not optimised.
    optimisation: String,
}

impl Run {
    fn new(model: &str, named: &[&str], items: &[&str], claim: Option<&str>, finds_bug: bool) -> Self {
        let parts = named.iter().filter(|item| !item.starts_with('-')).map(|item| item.trim_start_matches("ltl="));
        let name = [model].into_iter().chain(parts).collect::<Vec<_>>().join("-");
        let optimisation = if finds_bug { "-O0" } else { "-O1" }.to_owned();
        let mut run = Run { name, finds_bug, flags: Vec::new(), claim: claim.map(str::to_owned), optimisation };
        for item in items {
            if let Some(claim) = item.strip_prefix("ltl=") {
                run.claim = Some(claim.to_owned());
            } else if item.starts_with("-O") {
                run.optimisation = (*item).to_owned();
            } else {
                run.flags.push(format!("-D{item}"));
            }
        }
        run
    }
}

/// The runs of a model of that name. The error says what is wrong with its header, or what no run covers.
fn runs(model: &str, text: &str) -> Result<Vec<Run>, String> {
    let (header, body) = text.split_once("*/").ok_or_else(|| format!("{model}.pml: begins with no comment"))?;
    // What names in small letters stand for, and what mutants run with that do not say it.
    let (mut sets, mut usual) = (BTreeMap::new(), Vec::new());
    let (mut claim, mut is_in_mutants, mut runs) = (None, false, Vec::new());
    let (mut mutants, mut covered) = (BTreeSet::new(), BTreeSet::new());
    for line in header.lines() {
        let wrong = |expected: &str| format!("{model}.pml: expected {expected}, found `{line}`");
        let expanded = |sets: &BTreeMap<&str, Vec<_>>, items: Vec<_>| -> Vec<_> {
            items.into_iter().flat_map(|item| sets.get(item).cloned().unwrap_or_else(|| vec![item])).collect()
        };
        let text = line.trim_start_matches("/*").strip_prefix(" *").unwrap_or(line);
        if let Some(setting) = text.trim_start().strip_prefix('@') {
            match setting.split_once(' ').unwrap_or((setting, "")) {
                ("claim", rest) => claim = Some(rest.trim()),
                ("set", rest) => {
                    let (name, items) = rest.split_once(':').ok_or_else(|| wrong("`@set NAME: ITEMS`"))?;
                    sets.insert(name.trim(), expanded(&sets, items_of(items)));
                }
                ("mutants", rest) => usual = items_of(rest),
                ("without", rest) => covered.extend(items_of(rest)),
                (kind @ ("ok" | "bug"), rest) => {
                    for items in rest.split('|').map(items_of) {
                        runs.push(Run::new(model, &items, &expanded(&sets, items.clone()), claim, kind == "bug"));
                    }
                }
                _ => return Err(wrong("@claim, @set, @mutants, @without, @ok or @bug")),
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
                let own = own.map(|(items, _)| [items_of(items), vec![name]].concat());
                let items = own.clone().unwrap_or_else(|| [&usual[..], &[name]].concat());
                mutants.insert(name);
                let named = own.unwrap_or_else(|| vec![name]);
                runs.push(Run::new(model, &named, &expanded(&sets, items), claim, true));
            }
        }
    }
    let known = conditions(body);
    let flags = runs.iter().flat_map(|run| &run.flags);
    covered.extend(flags.filter_map(|flag| flag.strip_prefix("-D")?.split('=').next()));
    let names = |of: &BTreeSet<&str>, others| of.difference(others).copied().collect::<Vec<_>>().join(", ");
    match (names(&known, &covered), names(&mutants, &known)) {
        (missing, _) if !missing.is_empty() => Err(format!("{model}.pml: no run has {missing}")),
        (_, unknown) if !unknown.is_empty() => Err(format!("{model}.pml: its code does not ask for {unknown}")),
        _ => Ok(runs),
    }
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
    let property = if run.claim.is_some() { "-DNFAIR=3" } else { "-DSAFETY" };
    output(command("spin").args(&run.flags).arg("-a").arg(&model).current_dir(&work))?;
    output(
        command("gcc")
            .args([&run.optimisation, property, "-DCOLLAPSE", "-DMEMLIM=9000", "-DVECTORSZ=2048", "-w"])
            .args(["-o", "pan", "pan.c"])
            .current_dir(&work),
    )?;
    let mut search = command(work.join("pan"));
    match &run.claim {
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

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: &str = "\
/* A model.
 *   @claim p
 *   @set weak: K=2 PSO
 *   @mutants K=3 -O1
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
        let told = |run: &Run| {
            let claim = run.claim.as_deref().unwrap_or("-");
            format!("{} {} {claim} {} {}", run.name, run.finds_bug, run.optimisation, run.flags.join(" "))
        };
        let runs: Vec<String> = runs("m", MODEL).expect("all is covered").iter().map(told).collect();
        assert_eq!(
            runs,
            [
                "m-weak-INVARIANT false p -O1 -DK=2 -DPSO -DINVARIANT",
                "m-q false q -O1 ",
                "m-NO_FENCE true p -O1 -DK=3 -DNO_FENCE",
                "m-weak-LATE_STORE true p -O0 -DK=2 -DPSO -DLATE_STORE",
            ]
        );
    }

    #[test]
    fn what_no_run_covers_what_no_code_asks_for_and_unknown_settings_are_refused() {
        for (text, reason) in [
            (format!("{MODEL}#ifdef FORGOTTEN\n#endif\n"), "no run has FORGOTTEN"),
            (MODEL.replace("   NO_FENCE ", "   NO_FANCE ").replace("ltl=q", "NO_FENCE"), "ask for NO_FANCE"),
            (MODEL.replace("@claim", "@clam"), "found ` *   @clam p`"),
        ] {
            assert!(runs("m", &text).is_err_and(|error| error.ends_with(reason)), "{reason}");
        }
    }

    #[test]
    fn only_a_complete_search_without_errors_is_ok() {
        let ok = "State-vector 60 byte, depth reached 9, errors: 0\n     1234 states, stored\n";
        for (said, is) in [
            (ok, "ok"),
            (&ok.replace("errors: 0", "errors: 1"), "bug"),
            (&format!("error: max search depth too small\n{ok}"), "unfinished"),
            ("Depth= 9 States= 1e+06", "unfinished"),
        ] {
            assert_eq!(outcome(said), is);
        }
    }
}
