//! The tasks of CI and of developers of Filch: `cargo xtask TASK`.
//!
//! - [`ci`]: all checks, and what schedules and reports them. The list of them is `xtask/steps.txt`.
//! - [`docs`]: what the pages name exists.
//! - [`fuzz`]: the readers of graphs on any bytes.
//! - [`layers`]: which module may use which. The order of layers is `xtask/layers.txt`.
//! - [`lines`]: how long files and lines may be.
//! - [`loom`] and [`models`]: the protocols under the two model checkers, as they are and with mistakes.
//! - [`page`]: what `filch report` writes, in a browser.
//! - [`publish`]: whether crates can be published.
//! - [`rayon`]: the drop-in for rayon-core against the original.
//! - [`release`]: what the tour prints, and the code of a fork in the release build.
//! - [`systems`]: tests that run on other systems.

mod ci;
mod docs;
mod files;
mod fuzz;
mod layers;
mod lines;
mod loom;
mod models;
mod page;
mod process;
mod publish;
mod rayon;
mod release;
mod systems;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask TASK

  ci [--all] [--jobs N]             the checks of this commit, some of which take turns; or all
  ci --only NAME... [--jobs N]      those whose names contain NAME, and what these wait for
  ci [--all] --list                 lists the checks
  docs                              the files, tests and commands that the pages name exist; the pages are one book
  fuzz [--seconds N | --files N] [TARGET]...   the readers of graphs on any bytes, for N seconds or on N files each
  layers [--uses]                   no module uses one above it, and there are no circles; --uses lists all uses
  lines                             no file and no line is too long
  loom [NAME]                       the sources under loom, and their mutants, or those whose names contain NAME
  models [NAME]                     the models of protocols under spin, or those whose names begin with NAME
  page FILE                         a page of `filch report` can be read in Chromium, narrow and wide, light and dark
  publish [--check]                 the crates can be published, and build from their packages; --check builds none
  rayon core|iterators|documentation   rayon-core's tests on the drop-in; rayon's; those in rayon's documentation
  rayon interface                      the drop-in has rayon-core's interface, item by item
  rayon clients [--rounds N] [NAME]...   programs that use rayon say the same with the drop-in; how long they take
  rayon bench [--rounds N] [KERNEL]...   how long what rayon's users do takes, against the original
  rayon lock                        a lock that is held across a join: with rayon it hangs, with Filch it ends
  systems [NAME]...                 tests run on aarch64, riscv64, s390x and with musl, or on those named
  tour                              `cargo tour` prints the tables that it should
  disassembly                       a fork executes no fence, no locked instruction and no clock read
  instructions                      how many instructions a fork takes
";

fn main() -> ExitCode {
    // The root of the workspace: paths below are relative to it, also in what is printed.
    // `cargo run` says where this crate is; else it is where it was built.
    let own = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_else(|_| env!("CARGO_MANIFEST_DIR").to_owned());
    if let Err(error) = std::env::set_current_dir(format!("{own}/..")) {
        eprintln!("xtask: cannot go to the folder above {own}: {error}");
        return ExitCode::FAILURE;
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words[..] {
        ["ci", ref options @ ..] => ci::main(options),
        ["docs"] => docs::main(),
        ["fuzz", ref words @ ..] => fuzz::main(words),
        ["layers", ref options @ ..] => layers::main(options),
        ["lines"] => lines::main(),
        ["loom"] => loom::main(""),
        ["loom", name] => loom::main(name),
        ["models"] => models::main(""),
        ["models", name] => models::main(name),
        ["rayon", ref words @ ..] => rayon::main(words),
        ["page", file] => page::main(file),
        ["publish"] => publish::main(true),
        ["publish", "--check"] => publish::main(false),
        ["systems", ref names @ ..] => systems::main(names),
        ["tour"] => release::tour(),
        ["disassembly"] => release::disassembly(),
        ["instructions"] => release::instructions(),
        _ => Err(USAGE.to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
