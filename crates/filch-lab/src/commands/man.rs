//! `filch man`: writes a page for man(1) about each command.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Command};
use filch_bench::failure::Failure;

/// The end of `--help`.
pub const HELP: &str = "\
Examples:
  filch man ~/.local/share/man/man1
  filch man pages && man -l pages/filch-bfs.1
  filch man .

The folder is made if it is not there. Pages of the same name are replaced.";

/// The arguments of `filch man`.
#[derive(Args, Debug)]
pub struct ManArgs {
    /// The folder of the pages
    #[arg(value_name = "FOLDER", value_hint = clap::ValueHint::DirPath)]
    pub folder: PathBuf,
}

/// Runs `filch man`. `whole` is the command line of `filch`.
pub fn run(args: &ManArgs, whole: Command, out: &mut dyn Write) -> Result<(), Failure> {
    let folder = args.folder.display();
    let refuse = |error| Failure::Usage(format!("{folder}: expected a folder that can be written to: {error}"));
    if !args.folder.is_dir() {
        fs::create_dir_all(&args.folder).map_err(refuse)?;
    }
    clap_mangen::generate_to(whole, &args.folder).map_err(refuse)?;
    writeln!(out, "pages         {folder}{}filch.1 and others", std::path::MAIN_SEPARATOR)?;
    Ok(())
}
