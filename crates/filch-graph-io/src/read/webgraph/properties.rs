//! What the properties of a BvGraph say.

use std::path::Path;

use filch_text::shown;

use super::bits::Code;
use crate::read::error::{BadLine, ReadError};
use crate::read::fault::LineFault;
use crate::read::numbers::whole;

/// The class of graphs that can be read, without its package.
const CLASS: &str = "BVGraph";

/// The numbers and codes of a BvGraph.
#[derive(Clone, Debug)]
pub(super) struct Properties {
    pub(super) num_vertices: u64,
    /// The line that says so.
    pub(super) vertices_line: u64,
    pub(super) num_arcs: u64,
    /// The largest distance between a vertex and the one whose row it copies.
    pub(super) window: u64,
    /// The length of the shortest interval, or 0 if there are no intervals.
    pub(super) least_interval: u64,
    pub(super) degrees: Code,
    pub(super) references: Code,
    pub(super) residuals: Code,
}

/// The value of a key, and its line.
struct Entry<'a> {
    key: &'a str,
    value: &'a str,
    line: u64,
}

struct Entries<'a> {
    all: Vec<Entry<'a>>,
    num_lines: u64,
    path: &'a Path,
}

impl<'a> Entries<'a> {
    fn of(text: &'a str, path: &'a Path) -> Self {
        let entries = (1..).zip(text.lines()).filter_map(|(line, text)| {
            let text = text.trim();
            let (key, value) = text.split_once(['=', ':']).filter(|_| !text.starts_with(['#', '!']))?;
            Some(Entry { key: key.trim_end(), value: value.trim_start(), line })
        });
        Entries { all: entries.collect(), num_lines: text.lines().count() as u64, path }
    }

    /// The last one with this key, as in Java.
    fn get(&self, key: &str) -> Option<&Entry<'a>> {
        self.all.iter().rev().find(|entry| entry.key == key)
    }

    fn fault(&self, line: u64, expected: String, found: String) -> ReadError {
        BadLine { line, column: 1, fault: LineFault::Expected { expected, found } }.of(self.path)
    }

    fn unexpected(&self, entry: &Entry<'_>, expected: &str) -> ReadError {
        let found = format!("{}={}", entry.key, shown(entry.value.as_bytes()));
        self.fault(entry.line, expected.to_owned(), found)
    }

    /// A number, with its line. Sums and products of two such numbers do not overflow.
    fn number(&self, key: &str, default: Option<u64>) -> Result<(u64, u64), ReadError> {
        match (self.get(key), default) {
            (None, Some(default)) => Ok((default, self.num_lines)),
            (None, None) => {
                Err(self.fault(self.num_lines + 1, format!("{key}=NUMBER"), "the end of the file".to_owned()))
            }
            (Some(entry), _) => {
                let number = whole(entry.value.as_bytes()).filter(|&number| number <= u64::MAX >> 4);
                let number = number.ok_or_else(|| self.unexpected(entry, &format!("{key}=NUMBER")))?;
                Ok((number, entry.line))
            }
        }
    }
}

impl Properties {
    pub(super) fn of(text: &str, path: &Path) -> Result<Self, ReadError> {
        let entries = Entries::of(text, path);
        if let Some(entry) = entries.get("graphclass").filter(|entry| !entry.value.ends_with(CLASS)) {
            return Err(entries.unexpected(entry, "a graph of the class BVGraph"));
        }
        if let Some(entry) = entries.get("endianness").filter(|entry| entry.value != "big") {
            return Err(entries.unexpected(entry, "endianness=big"));
        }
        let (num_vertices, vertices_line) = entries.number("nodes", None)?;
        let (num_arcs, _) = entries.number("arcs", None)?;
        // The defaults are those of the framework.
        let (window, _) = entries.number("windowsize", Some(7))?;
        let (least_interval, _) = entries.number("minintervallength", Some(4))?;
        let (zeta, zeta_line) = entries.number("zetak", Some(3))?;
        if !(1..=7).contains(&zeta) {
            return Err(entries.fault(zeta_line, "zetak from 1 to 7".to_owned(), zeta.to_string()));
        }
        let mut properties = Properties {
            num_vertices,
            vertices_line,
            num_arcs,
            window,
            least_interval,
            degrees: Code::Gamma,
            references: Code::Unary,
            residuals: Code::Zeta(zeta as u32),
        };
        if let Some(entry) = entries.get("compressionflags") {
            for flag in entry.value.split('|').map(str::trim).filter(|flag| !flag.is_empty()) {
                let known = properties.flag(flag, zeta as u32);
                let expected = "codes of OUTDEGREES, REFERENCES and RESIDUALS that are UNARY, GAMMA, DELTA or ZETA, \
                                and GAMMA for all else";
                known.ok_or_else(|| entries.unexpected(entry, expected))?;
            }
        }
        Ok(properties)
    }

    /// Sets the code that a flag says, such as `RESIDUALS_DELTA`. `None` if it is not known. Implementations do not
    /// agree on the meaning of other codes of blocks, so these are refused.
    fn flag(&mut self, flag: &str, zeta: u32) -> Option<()> {
        let (what, code) = flag.rsplit_once('_')?;
        let code = match code {
            "UNARY" => Code::Unary,
            "GAMMA" => Code::Gamma,
            "DELTA" => Code::Delta,
            "ZETA" => Code::Zeta(zeta),
            _ => Code::Zeta(code.strip_prefix("ZETA")?.parse().ok().filter(|k| (1..=7).contains(k))?),
        };
        match what {
            "OUTDEGREES" => self.degrees = code,
            "REFERENCES" => self.references = code,
            "RESIDUALS" => self.residuals = code,
            "BLOCKS" | "BLOCK_COUNT" | "INTERVALS" if code == Code::Gamma => {}
            // The offsets are not read.
            "OFFSETS" => {}
            _ => return None,
        }
        Some(())
    }
}

/// Whether a text is that of the properties of a graph of the framework.
pub(super) fn is_of_graph(text: &str) -> bool {
    Entries::of(text, Path::new("")).get("graphclass").is_some()
}
