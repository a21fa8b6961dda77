//! `cargo xtask tour`: that the first command of a newcomer compares, and with whom. It fails by itself if a result is
//! wrong.

use crate::process::{command, output};

/// What stands in its tables.
const WORDS: [&str; 4] = ["fib", "serial", "rayon", "chili"];

pub(crate) fn main() -> Result<(), String> {
    let said = output(command("cargo").args(["run", "--release", "--quiet"]))?;
    println!("{said}");
    let has = |word: &str| said.split(|letter: char| !letter.is_alphanumeric()).any(|other| other == word);
    match WORDS.into_iter().find(|word| !has(word)) {
        Some(missing) => Err(format!("tour: no {missing} in the output of cargo run --release")),
        None => Ok(()),
    }
}
