//! Profiles in files.
//!
//! A file is lines of text, and behind them the bytes of the logs, one after the other:
//!
//! ```text
//! filch-profile 1
//! program NAME
//! workers 4
//! leaf 2000                        nanoseconds, as all times
//! burden 1400
//! lost 0
//! recording SITES BYTES            for each thread
//! site UNTIMED PLACE<tab>FUNCTION  for each of its sites
//! end
//! ```

use super::{Profile, Recording, SeenSite, Settings, analyse};
use crate::engine::profile::log::Log;
use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::io::{self, BufRead, Read, Write};
use std::path::Path;

/// The first line. The number is the format's.
const MAGIC: &str = "filch-profile 1";

/// The longest line, so that a wrong file does not fill the memory.
const LONGEST_LINE: u64 = 1 << 16;

/// Why a file is not read as a profile.
#[derive(Debug)]
#[non_exhaustive]
pub enum ProfileError {
    /// It cannot be read.
    Io(io::Error),
    /// A line is not what it should be.
    Line {
        /// Its number, from 1.
        line: usize,
        /// What would be right.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// What is recorded are not the events of a program.
    Events {
        /// Which one, from 1.
        recording: usize,
        /// The number of good events.
        event: usize,
    },
    /// There are more bytes.
    Longer,
}

impl Display for ProfileError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Line { line, expected, found } => write!(f, "line {line}: expected {expected}; found `{found}`"),
            Self::Events { recording, event } => {
                write!(f, "recording {recording}: expected events that nest; found something else after event {event}")
            }
            Self::Longer => f.write_str("expected the end of the file after the last recording; found more"),
        }
    }
}

impl Error for ProfileError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Io(error) => error.source(),
            _ => None,
        }
    }
}

impl From<io::Error> for ProfileError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl Profile {
    /// Writes a profile that [`read`](Self::read) reads.
    ///
    /// # Errors
    ///
    /// Those of `to`.
    pub fn write(&self, mut to: impl Write) -> io::Result<()> {
        let one_line = |text: &str| text.replace(|c: char| c.is_control(), " ");
        writeln!(to, "{MAGIC}\nprogram {}\nworkers {}", one_line(&self.program), self.workers)?;
        writeln!(to, "leaf {}\nburden {}\nlost {}", self.leaf_ns, self.burden_ns, self.lost_ns)?;
        for Recording { log, sites } in &self.recordings {
            writeln!(to, "recording {} {}", sites.len(), log.len())?;
            for SeenSite { function, place, untimed } in sites {
                writeln!(to, "site {untimed} {}\t{}", one_line(place), one_line(function))?;
            }
        }
        writeln!(to, "end")?;
        self.recordings.iter().try_for_each(|recording| to.write_all(recording.log.bytes()))
    }

    /// Reads a profile from a file, whatever is in it.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is not a profile.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, ProfileError> {
        Self::from_reader(io::BufReader::new(std::fs::File::open(path)?))
    }

    /// Reads a profile.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is not a profile.
    pub fn from_reader(from: impl BufRead) -> Result<Self, ProfileError> {
        let mut lines = Lines { from, number: 0, text: String::new() };
        lines.next()?;
        if lines.text != MAGIC {
            return Err(lines.wrong("`filch-profile 1`, the first line of a profile"));
        }
        lines.next()?;
        let program = lines.text.strip_prefix("program ").map(str::to_owned);
        let program = program.ok_or_else(|| lines.wrong("`program` and a name"))?;
        let workers = lines.number_after("workers ", "`workers` and a number")?;
        let leaf_ns = lines.number_after("leaf ", "`leaf` and nanoseconds")?;
        let burden_ns = lines.number_after("burden ", "`burden` and nanoseconds")?;
        let lost_ns = lines.number_after("lost ", "`lost` and nanoseconds")?;
        let (mut sites, mut lengths) = (Vec::new(), Vec::new());
        loop {
            lines.next()?;
            if lines.text == "end" {
                break;
            }
            let counts = lines.text.strip_prefix("recording ").and_then(|counts| counts.split_once(' '));
            let parsed = counts.and_then(|(sites, bytes)| Some((sites.parse::<usize>().ok()?, bytes.parse().ok()?)));
            let (count, bytes): (usize, u64) =
                parsed.ok_or_else(|| lines.wrong("`recording` and two numbers, or `end`"))?;
            sites.push((0..count).map(|_| lines.site()).collect::<Result<Vec<_>, _>>()?);
            lengths.push(bytes);
        }
        let mut recordings = Vec::new();
        for (number, (sites, length)) in sites.into_iter().zip(lengths).enumerate() {
            let mut bytes = Vec::new();
            lines.from.by_ref().take(length).read_to_end(&mut bytes)?;
            if bytes.len() as u64 != length {
                let event = Log::from_bytes(bytes).iter().count();
                return Err(ProfileError::Events { recording: number + 1, event });
            }
            recordings.push(Recording { log: Log::from_bytes(bytes), sites });
        }
        if !lines.from.fill_buf()?.is_empty() {
            return Err(ProfileError::Longer);
        }
        let settings = Settings { program, workers: workers as usize, leaf_ns, burden_ns };
        match analyse(&recordings, settings.burden_ns) {
            Ok((sites, total)) => Ok(Profile::with(recordings, lost_ns, settings, sites, total)),
            Err((recording, event)) => Err(ProfileError::Events { recording: recording + 1, event }),
        }
    }
}

/// The lines of a file, one after the other.
struct Lines<R> {
    from: R,
    number: usize,
    text: String,
}

impl<R: BufRead> Lines<R> {
    fn next(&mut self) -> Result<(), ProfileError> {
        let mut bytes = Vec::new();
        self.from.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
        self.number += 1;
        let is_whole = bytes.pop_if(|last| *last == b'\n').is_some();
        self.text = String::from_utf8_lossy(&bytes).into_owned();
        if is_whole { Ok(()) } else { Err(self.wrong("a whole line")) }
    }

    fn wrong(&self, expected: &'static str) -> ProfileError {
        let found = self.text.chars().take(80).flat_map(char::escape_debug).collect();
        ProfileError::Line { line: self.number, expected, found }
    }

    fn number_after(&mut self, name: &str, expected: &'static str) -> Result<u64, ProfileError> {
        self.next()?;
        let number = self.text.strip_prefix(name).and_then(|number| number.parse().ok());
        number.ok_or_else(|| self.wrong(expected))
    }

    fn site(&mut self) -> Result<SeenSite, ProfileError> {
        self.next()?;
        let parts = self.text.strip_prefix("site ").and_then(|site| {
            let (untimed, name) = site.split_once(' ')?;
            let (place, function) = name.split_once('\t')?;
            Some(SeenSite { function: function.to_owned(), place: place.to_owned(), untimed: untimed.parse().ok()? })
        });
        parts.ok_or_else(|| self.wrong("`site`, a number, a place, a tab and a function"))
    }
}
