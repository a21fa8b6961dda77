//! `cargo xtask rayon`: the drop-in for rayon-core against the original.
//!
//! - [`packages`]: packages from the registry, unpacked, with the drop-in or without it;
//! - [`tests`]: the tests of rayon-core and rayon on the drop-in;
//! - [`interface`]: the two interfaces, item by item;
//! - [`clients`]: what real programs say with either;
//! - [`mod@bench`]: how fast they are;
//! - [`summary`]: times that are taken in turns.
//!
//! Everything lies in `target/rayon`. Nothing of rayon's text is kept in the repository.

mod bench;
mod clients;
mod interface;
mod packages;
mod summary;
mod tests;

/// The versions that the drop-in stands for.
const CORE: (&str, &str) = ("rayon-core", "1.13.0");
const RAYON: (&str, &str) = ("rayon", "1.12.0");

pub(crate) fn main(words: &[&str]) -> Result<(), String> {
    match words {
        ["core"] => tests::core(),
        ["iterators"] => tests::iterators(&["--lib", "--tests"]),
        ["documentation"] => tests::iterators(&["--doc"]),
        ["interface"] => interface::main(),
        ["clients", names @ ..] => clients::main(names),
        ["bench", rest @ ..] => bench::main(rest),
        _ => Err(format!("rayon: unknown words\n\n{}", super::USAGE)),
    }
}
