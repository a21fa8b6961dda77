//! `filch report`: one page with the figures of the other commands, which it runs.
//!
//! - `contents`: the figures, and the command that makes each
//! - `made`: the commands, run
//! - `markdown`: the page as Markdown; `html`: the same with its pictures inside

mod contents;
mod html;
mod made;
mod markdown;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use filch_bench::failure::Failure;
use filch_bench::show::numbers::number_of;
use filch_bench::values::not_empty;

use crate::output::{self, Destination};
use contents::SECTIONS;
use made::{Made, make, typed};

/// The end of `--help`.
pub const HELP: &str = "\
Examples:
  filch report --quick             a first look, in minutes
  filch report --out report.html   the sizes that are quoted, in hours
  filch report --markdown docs/benchmarks.md
  filch report --list              the commands that it runs

Other programs disturb the figures. The page needs no network and no script.

Exit code: 0 success, 1 a command failed, which the page says, 2 bad usage.";

/// The arguments of `filch report`.
#[derive(Args, Debug)]
pub struct ReportArgs {
    /// Write the page to this file [default: report.html, without --markdown]
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub out: Option<Destination>,

    /// Write the page as Markdown to this file, and its pictures to the folder pictures beside it
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub markdown: Option<Destination>,

    /// Small sizes and few runs
    #[arg(long)]
    pub quick: bool,

    /// Only the sections whose titles contain this
    #[arg(long, value_name = "WORDS", value_parser = not_empty("words of a title"))]
    pub only: Option<String>,

    /// Show the commands, and run nothing
    #[arg(long, conflicts_with_all = ["out", "markdown"])]
    pub list: bool,
}

/// Runs `filch report`.
pub fn run(args: &ReportArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let page = match (&args.out, &args.markdown) {
        (None, None) if !args.list => Some(PathBuf::from("report.html")),
        (page, _) => page.as_ref().map(|page| page.to_path_buf()),
    };
    let written = [("--out", page.as_deref()), ("--markdown", args.markdown.as_deref())];
    let written: Vec<(&str, &Path)> = written.into_iter().filter_map(|(name, path)| Some((name, path?))).collect();
    output::check_distinct([], &written)?;
    written.iter().try_for_each(|(_, path)| output::check_writable(path))?;

    let sections: Vec<_> = SECTIONS.iter().filter(|section| section.is_called(args.only.as_deref())).collect();
    if sections.is_empty() {
        let titles: Vec<&str> = SECTIONS.iter().map(|section| section.title).collect();
        let word = args.only.as_deref().unwrap_or_default();
        return Err(Failure::Usage(format!("--only {word}: expected words of one of: {}", titles.join(", "))));
    }
    if args.list {
        let figures = sections.iter().flat_map(|section| section.figures);
        return Ok(figures
            .map(|figure| typed(&figure.words(args.quick)))
            .try_for_each(|line| writeln!(out, "{line}"))?);
    }
    let made = make(&sections, args.quick)?;
    let text = markdown::page(&made, args.quick);
    if let Some(path) = &page {
        output::write_whole(path, html::page(&text, &made).as_bytes())?;
    }
    if let Some(path) = &args.markdown {
        if !output::is_standard(path) {
            write_pictures(path, &made)?;
        }
        output::write_whole(path, text.as_bytes())?;
    }
    let figures = || made.iter().flat_map(|(_, figures)| figures);
    writeln!(out, "{} in the report", number_of(figures().count(), "figure", "figures"))?;
    let failed: Vec<String> = figures().filter_map(Made::failure).collect();
    if failed.is_empty() { Ok(()) } else { Err(Failure::Failed(failed.join("\nerror: "))) }
}

/// Writes the pictures beside the page.
fn write_pictures(page: &Path, made: &[(&contents::Section, Vec<Made>)]) -> Result<(), Failure> {
    let folder = page.with_file_name(markdown::PICTURES);
    let refuse = |error| Failure::Usage(format!("cannot make the folder {}: {error}", folder.display()));
    std::fs::create_dir_all(&folder).map_err(refuse)?;
    let pictures = made.iter().flat_map(|(_, figures)| figures).filter_map(Made::picture);
    pictures.into_iter().try_for_each(|(name, svg)| output::write_whole(&folder.join(name), svg.as_bytes()))
}
