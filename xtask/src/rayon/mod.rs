//! `cargo xtask rayon`: the drop-in for rayon-core against the original.
//!
//! - [`packages`]: packages from the registry, unpacked, with the drop-in or without it;
//! - [`tests`]: the tests of rayon-core and rayon on the drop-in, and the two interfaces, item by item;
//! - [`compare`]: what real programs say with either, and how fast they are.
//! - [`lock`]: a program that hangs with the original.
//!
//! Everything lies in `target/rayon`. Nothing of rayon's text is kept in the repository.

mod compare;
mod lock;
mod packages;
mod tests;

/// The versions that the drop-in stands for.
const CORE: (&str, &str) = ("rayon-core", "1.13.0");
const RAYON: (&str, &str) = ("rayon", "1.12.0");

pub(crate) fn main(words: &[&str]) -> Result<(), String> {
    match words {
        ["core"] => tests::core(),
        ["iterators"] => tests::iterators(&["--lib", "--tests"]),
        ["documentation"] => tests::iterators(&["--doc"]),
        ["interface"] => tests::interface(),
        ["clients", names @ ..] => compare::clients(names),
        ["lock"] => lock::main(),
        ["bench", names @ ..] => compare::bench(names),
        _ => Err(format!("rayon: unknown words\n\n{}", super::USAGE)),
    }
}
