//! Output files, which are written completely or not at all. `filch_graph_io::write` does that; this module adds
//! Ctrl-C, checks for mistakes of the user, and `-`, which means standard output. What is meant for people then goes to
//! standard error.

use std::ffi::OsStr;
use std::fmt;
use std::io::{self, Write};
use std::ops::Deref;
use std::path::{Path, PathBuf};

use clap::builder::{PathBufValueParser, TypedValueParser, ValueParser, ValueParserFactory};
use clap::{ArgMatches, Args, Command, ValueEnum};
use filch_bench::failure::Failure;
use filch_bench::interrupt;
use filch_graph_io::write;
use serde::Serialize;

use crate::show::figures;

/// The value of an option that names an output: a file, or `-` for standard output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destination(PathBuf);

impl Deref for Destination {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl From<PathBuf> for Destination {
    fn from(path: PathBuf) -> Self {
        Self(path)
    }
}

impl ValueParserFactory for Destination {
    type Parser = ValueParser;

    fn value_parser() -> ValueParser {
        PathBufValueParser::new().map(Self).into()
    }
}

/// The name of standard output.
const STANDARD: &str = "-";

/// Whether an output with this name goes to standard output. A file of that name is `./-`.
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == OsStr::new(STANDARD)
}

/// The name of an output in messages.
pub fn shown(path: &Path) -> impl fmt::Display {
    if is_standard(path) { "standard output".to_owned() } else { path.display().to_string() }
}

/// The option of a command line that writes to standard output, if there is one.
///
/// # Errors
///
/// If there are several.
pub fn to_standard_output(command: &Command, matches: &ArgMatches) -> Result<Option<String>, Failure> {
    let writes = |argument: &&clap::Arg| {
        let values = matches.try_get_many::<Destination>(argument.get_id().as_str());
        let format = matches.try_get_one::<Format>(argument.get_id().as_str()).ok().flatten();
        values.ok().flatten().is_some_and(|mut values| values.any(|path| is_standard(path)))
            || format.is_some_and(|format| *format != Format::Text)
    };
    let options = command.get_arguments().filter(writes);
    let name =
        |option: &clap::Arg| option.get_long().map_or_else(|| option.get_id().to_string(), |it| format!("--{it}"));
    let mut options: Vec<String> = options.map(name).collect();
    if let Some((name, matches)) = matches.subcommand()
        && let Some(command) = command.find_subcommand(name)
    {
        options.extend(to_standard_output(command, matches)?);
    }
    match &options[..] {
        [first, second, ..] => Err(Failure::Usage(format!("{first} and {second} both name standard output"))),
        _ => Ok(options.pop()),
    }
}

/// The form in which standard output has the figures of a command. But for text, it has nothing else, and the text is
/// on standard error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    #[default]
    Text,
    /// All figures
    Json,
    /// All figures, with a header
    Csv,
    /// All figures, as a table
    Markdown,
}

/// The option of commands that show figures.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct FormatArgs {
    /// Form of the figures
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub format: Format,
}

impl FormatArgs {
    /// Writes the figures to standard output, unless they are shown as text.
    pub fn write(self, of: &impl Serialize) -> Result<(), Failure> {
        let written = match self.format {
            Format::Text => return Ok(()),
            Format::Json => figures::json(of),
            Format::Csv => figures::csv(of),
            Format::Markdown => figures::markdown(of),
        };
        write_whole(Path::new(STANDARD), &written)
    }
}

/// The options of commands that draw their figures.
#[derive(Args, Debug, Default)]
pub struct FileArgs {
    /// The form of the figures.
    #[command(flatten)]
    pub figures: FormatArgs,

    /// Draw the figures to this file
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub svg: Option<Destination>,
}

impl FileArgs {
    /// Fails if a file cannot be written, or is the same as another one or as one that is read.
    pub fn check<'r>(&self, read: impl IntoIterator<Item = (&'static str, &'r Path)>) -> Result<(), Failure> {
        let Some(path) = &self.svg else { return Ok(()) };
        check_writable(path)?;
        check_distinct(read, &[("--svg", path)])
    }

    /// Writes the figures and the picture.
    pub fn write(&self, figures: &impl Serialize, svg: impl FnOnce() -> String) -> Result<(), Failure> {
        self.figures.write(figures)?;
        self.svg.as_ref().map_or(Ok(()), |path| write_whole(path, svg().as_bytes()))
    }
}

/// The number of bytes between two checks whether Ctrl-C came: some milliseconds on any disk.
const PIECE: usize = 4 << 20;

/// Checks that `path` can be written, so that this does not fail after minutes of measuring.
pub fn check_writable(path: &Path) -> Result<(), Failure> {
    if is_standard(path) {
        return Ok(());
    }
    // A temporary file is created and removed.
    interrupt::deferred(|| write::check_writable(path)).map_err(Failure::usage)
}

/// Fails if two options name the same file: two files to be written, or one to be written and one to be read. Standard
/// input and output, both called `-`, are no files; see [`to_standard_output`].
pub fn check_distinct<'r>(
    read: impl IntoIterator<Item = (&'static str, &'r Path)>,
    written: &[(&str, &Path)],
) -> Result<(), Failure> {
    let read: Vec<_> = read.into_iter().collect();
    for (place, (option, path)) in written.iter().enumerate().filter(|(_, (_, path))| !is_standard(path)) {
        let same = |(_, other): &&(&str, &Path)| write::target(other) == write::target(path);
        if let Some((earlier, _)) = read.iter().chain(&written[..place]).find(same) {
            return Err(Failure::Usage(format!("{earlier} and {option} name the same file, {}", path.display())));
        }
    }
    Ok(())
}

/// Writes `content` to a file, completely or not at all, or to standard output. Ctrl-C ends the command soon, after the
/// partial file has been removed.
pub fn write_whole(path: &Path, content: &[u8]) -> Result<(), Failure> {
    if is_standard(path) {
        let mut out = io::stdout();
        return Ok(out.write_all(content).and_then(|()| out.flush())?);
    }
    let write_pieces = |out: &mut (dyn Write + Send)| {
        content.chunks(PIECE).try_for_each(|piece| {
            if interrupt::came() {
                return Err(io::ErrorKind::Interrupted.into());
            }
            out.write_all(piece)
        })
    };
    interrupt::deferred(|| write::write_file(path, write_pieces)).map_err(Failure::usage)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_file_by_two_names_is_bad_usage_and_names_both_options() {
        let failure = check_distinct([], &[("--html", Path::new("rows")), ("--svg", Path::new("./rows"))]).unwrap_err();
        assert!(matches!(failure, Failure::Usage(_)));
        assert_eq!(failure.to_string(), "--html and --svg name the same file, ./rows");
        check_distinct([], &[("--html", Path::new("rows.json")), ("--svg", Path::new("rows.svg"))]).unwrap();
        let read = ("GRAPH", Path::new("rows"));
        assert!(check_distinct([read], &[("--html", Path::new("./rows"))]).is_err());
        check_distinct([read, ("--labels", Path::new("rows"))], &[]).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn what_cannot_be_written_is_bad_usage_that_names_it() {
        for (path, reason) in [
            ("/dev/null", "it is no regular file"),
            ("/", "it is a directory"),
            ("no-such-directory/rows.json", "no such directory"),
        ] {
            for failure in [check_writable(Path::new(path)), write_whole(Path::new(path), b"[]")] {
                let failure = failure.unwrap_err();
                assert!(matches!(failure, Failure::Usage(_)));
                assert_eq!(failure.to_string(), format!("cannot write {path}: {reason}"));
            }
        }
    }
}
