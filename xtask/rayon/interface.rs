//! A program that `cargo xtask rayon interface` builds: `interface THEIRS OURS` compares the interfaces of two crates,
//! given as rustdoc's JSON, and prints each item that only one of them has.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;

/// The items of a crate. Modules that users cannot name are left out of paths.
fn items(json: &str) -> BTreeSet<String> {
    let api = public_api::Builder::from_rustdoc_json(Path::new(json))
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .build()
        .unwrap_or_else(|error| panic!("{json}: {error}"));
    api.items().map(|item| nameless(&shortened(&item.to_string()))).collect()
}

/// The names of lifetimes that belong to an `impl` say nothing: `impl<'a> Name<'a>` becomes `impl Name<'_>`.
fn nameless(item: &str) -> String {
    let item = match item.strip_prefix("impl<'").and_then(|rest| rest.split_once("> ")) {
        Some((name, rest)) if name.chars().all(char::is_alphanumeric) => {
            return format!("impl {}", rest.replace(&format!("<'{name}>"), "<'_>"));
        }
        _ => item,
    };
    ["a", "scope"].iter().fold(item.to_owned(), |item, name| item.replace(&format!("<'{name}>::"), "<'_>::"))
}

/// `rayon_core::a::b::Name` becomes `rayon_core::Name`.
fn shortened(item: &str) -> String {
    let mut parts = item.split("rayon_core::");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_module = |name: &str| name.starts_with(|letter: char| letter.is_ascii_lowercase());
        let mut rest = part;
        while let Some((first, after)) = rest.split_once("::")
            && is_module(first)
            && first.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
        {
            rest = after;
        }
        text.push_str("rayon_core::");
        text.push_str(rest);
    }
    text
}

fn main() -> ExitCode {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let [theirs, ours] = &paths[..] else {
        eprintln!("usage: interface THEIRS OURS");
        return ExitCode::from(2);
    };
    let (theirs, ours) = (items(theirs), items(ours));
    theirs.difference(&ours).for_each(|item| println!("missing: {item}"));
    ours.difference(&theirs).for_each(|item| println!("of ours only: {item}"));
    println!("{} items, {} in both", theirs.len(), theirs.intersection(&ours).count());
    if theirs == ours { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
