//! The head of a page: text that says where everything is. `crates/filch/src/engine/meters/page/layout.rs` writes it.
//!
//! A page may come from any version of Filch, or from a program that pretends to have one. So nothing in it is believed
//! before it has been checked: that all of it is within the page, and that its sizes are sensible.

use std::collections::HashMap;

/// The version that this reader knows. A program of another one means other things by the same words.
const FIRST_LINE: &str = "filch-pool 1";

/// A page that claims to have more than this is none.
const MOST_BYTES: u64 = 64 << 20;

/// Why a page cannot be read.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum HeadError {
    /// It is of another version, or no page.
    #[error(
        "its page begins with {0:?}, but this filch reads pages that begin with {FIRST_LINE:?}: use the filch of the \
         version that the program is built with"
    )]
    Version(String),
    /// Its text has no end.
    #[error("its page is not complete: try again, or the program is not on Filch")]
    Incomplete,
    /// A line is not as expected.
    #[error("its page has the line {0:?}, which is not what Filch writes there")]
    Line(String),
    /// Something is missing.
    #[error("its page does not say where `{0}` is")]
    Missing(&'static str),
}

/// An integer or a text within a record, or within the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    at: usize,
    bytes: usize,
}

/// Where records are: the first one, how far apart they are, and how many there are at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table {
    /// Where the first one is.
    pub at: u64,
    /// From one to the next.
    pub stride: usize,
    /// How many there are at most.
    pub count: usize,
}

/// Where everything is on a page.
#[derive(Debug)]
pub struct Head {
    /// The process, as it knows itself.
    pub process: u32,
    /// The records of pools.
    pub pools: Table,
    /// The records of workers.
    pub workers: Table,
    /// How many of them have been in use, within the page.
    pub used: [Field; 2],
    /// Within a record of a pool: its number, workers, seats, waiting runs and scheduler.
    pub pool: [Field; 5],
    /// Within a record of a worker: its pool, index, seat and activity, and whether its thread sleeps.
    pub worker: [Field; 5],
    /// Within a record of a worker.
    pub counters: Vec<(String, Field)>,
    /// Names of activities.
    pub activities: HashMap<u64, String>,
}

impl Field {
    /// The integer in this record, or 0 if it is not there.
    pub fn integer(self, record: &[u8]) -> u64 {
        match record.get(self.at..self.at + self.bytes) {
            Some(&[byte]) => byte.into(),
            Some(&[a, b]) => u16::from_ne_bytes([a, b]).into(),
            Some(&[a, b, c, d]) => u32::from_ne_bytes([a, b, c, d]).into(),
            Some(&[a, b, c, d, e, f, g, h]) => u64::from_ne_bytes([a, b, c, d, e, f, g, h]),
            _ => 0,
        }
    }

    /// The text in this record, without anything that a terminal would obey.
    pub fn text(self, record: &[u8]) -> String {
        let bytes = record.get(self.at..self.at + self.bytes).unwrap_or_default();
        let bytes = bytes.split(|&byte| byte == 0).next().unwrap_or_default();
        String::from_utf8_lossy(bytes).chars().map(|c| if c.is_control() { '?' } else { c }).collect()
    }
}

impl Head {
    /// How far a head may reach.
    pub const BYTES: usize = 4096;

    /// Reads the head of a page with so many bytes.
    ///
    /// # Errors
    ///
    /// If this is not a head that Filch writes, or one of another version.
    pub fn parse(head: &[u8], page_bytes: u64) -> Result<Head, HeadError> {
        let text = head.split(|&byte| byte == 0).next().unwrap_or_default();
        let text: String =
            text.iter().map(|&byte| if matches!(byte, b'\n' | b' '..=b'~') { byte.into() } else { '?' }).collect();
        let mut lines = text.lines();
        let first = lines.next().unwrap_or_default();
        if first != FIRST_LINE {
            return Err(if first.is_empty() {
                HeadError::Incomplete
            } else {
                HeadError::Version(first.chars().take(FIRST_LINE.len() + 8).collect())
            });
        }
        let lines: Vec<&str> = lines.take_while(|line| *line != "end").collect();
        if !text.ends_with("\nend\n") {
            return Err(HeadError::Incomplete);
        }
        let numbers = |name: &'static str| -> Result<Vec<u64>, HeadError> {
            let found = lines.iter().find_map(|line| Some((line, line.strip_prefix(name)?.strip_prefix(' ')?)));
            let (line, numbers) = found.ok_or(HeadError::Missing(name))?;
            let wrong = |_| HeadError::Line((*line).to_owned());
            numbers.split(' ').map(|number| number.parse().map_err(wrong)).collect()
        };
        let table = |name| -> Result<Table, HeadError> {
            let numbers = numbers(name)?;
            let wrong = || HeadError::Line(format!("{name} {numbers:?}"));
            let &[at, stride, count] = &numbers[..] else { return Err(wrong()) };
            let bytes = stride.checked_mul(count).filter(|bytes| *bytes <= MOST_BYTES && stride > 0);
            let end = bytes.and_then(|bytes| bytes.checked_add(at)).filter(|end| *end <= page_bytes);
            end.map(|_| Table { at, stride: stride as usize, count: count as usize }).ok_or_else(wrong)
        };
        let (pools, workers) = (table("pools")?, table("workers")?);
        let field = |name: &'static str, size: usize, most: usize| -> Result<Field, HeadError> {
            let numbers = numbers(name)?;
            field_of(&numbers, size, most).ok_or_else(|| HeadError::Line(format!("{name} {numbers:?}")))
        };
        let used = |name| field(name, Head::BYTES, 8);
        let of_pool = |name| field(name, pools.stride, 8);
        let of_worker = |name| field(name, workers.stride, 8);
        let mut counters = Vec::new();
        let mut activities = HashMap::new();
        for line in &lines {
            let wrong = || HeadError::Line((*line).to_owned());
            let words: Vec<&str> = line.split(' ').collect();
            match words[..] {
                ["counter", name, at, bytes] => {
                    let numbers = [at, bytes].map(|number| number.parse().unwrap_or(u64::MAX));
                    let field = field_of(&numbers, workers.stride, 8).ok_or_else(wrong)?;
                    counters.push((name.to_owned(), field));
                }
                ["activity", value, name] => {
                    _ = activities.insert(value.parse().map_err(|_| wrong())?, name.to_owned());
                }
                // Lines of later versions.
                _ => {}
            }
        }
        let process = numbers("process")?.first().and_then(|&process| process.try_into().ok());
        Ok(Head {
            process: process.ok_or(HeadError::Missing("process"))?,
            pools,
            workers,
            used: [used("used pools")?, used("used workers")?],
            pool: [
                of_pool("pool number")?,
                of_pool("pool workers")?,
                of_pool("pool seats")?,
                of_pool("pool waiting")?,
                field("pool scheduler", pools.stride, pools.stride)?,
            ],
            worker: [
                of_worker("worker pool")?,
                of_worker("worker index")?,
                of_worker("worker seat")?,
                of_worker("worker activity")?,
                of_worker("worker sleeps")?,
            ],
            counters,
            activities,
        })
    }
}

/// A field within so many bytes, with at most so many of its own.
fn field_of(numbers: &[u64], within: usize, most: usize) -> Option<Field> {
    let &[at, bytes] = numbers else { return None };
    let (at, bytes) = (usize::try_from(at).ok()?, usize::try_from(bytes).ok()?);
    (bytes <= most && at.checked_add(bytes)? <= within).then_some(Field { at, bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "filch-pool 1
process 7
pools 4096 64 2
workers 4224 64 2
used pools 4088 4
used workers 4092 4
pool number 0 8
pool workers 8 4
pool seats 12 4
pool waiting 16 4
pool scheduler 20 8
worker pool 0 8
worker index 8 4
worker seat 12 4
worker activity 16 1
worker sleeps 17 1
counter parks 24 8
activity 0 away
news of a later version
end
";

    const PAGE_BYTES: u64 = 4352;

    fn parse(text: &str) -> Result<Head, HeadError> {
        Head::parse(text.as_bytes(), PAGE_BYTES)
    }

    #[test]
    fn a_head_says_where_everything_is_and_what_a_later_version_adds_is_passed_over() {
        let head = parse(&format!("{HEAD}\0\0\0")).unwrap();
        assert_eq!((head.process, head.pools.count, head.workers.at), (7, 2, 4224));
        let (name, parks) = &head.counters[0];
        let mut record = [0; 64];
        record[24..32].copy_from_slice(&77_u64.to_ne_bytes());
        record[16] = 3;
        record[20..24].copy_from_slice(b"a\x1b[\0");
        assert_eq!((&**name, parks.integer(&record)), ("parks", 77));
        assert_eq!((head.worker[3].integer(&record), &*head.pool[4].text(&record)), (3, "a?["));
    }

    #[test]
    fn no_line_can_be_left_out_and_none_can_lead_out_of_the_page() {
        for line in HEAD.lines() {
            let without = HEAD.replacen(&format!("{line}\n"), "", 1);
            let may_be_missing = ["counter", "activity", "news"].iter().any(|word| line.starts_with(word));
            assert_eq!(parse(&without).is_ok(), may_be_missing, "{line}");
            let words: Vec<&str> = line.split(' ').collect();
            for (place, _) in words.iter().enumerate().filter(|(_, word)| word.parse::<u64>().is_ok()) {
                for wrong in ["18446744073709551615", "-1", "x", "", "5000000000"] {
                    if words[0] == "activity" && wrong.starts_with(['1', '5']) {
                        continue;
                    }
                    let mut words = words.clone();
                    words[place] = wrong;
                    let text = HEAD.replacen(&format!("{line}\n"), &format!("{}\n", words.join(" ")), 1);
                    assert!(parse(&text).is_err(), "{text}");
                }
            }
        }
        assert!(Head::parse(HEAD.as_bytes(), PAGE_BYTES - 1).is_err(), "the page is shorter");
    }

    #[test]
    fn what_is_no_page_and_what_is_one_of_another_version_is_told_apart() {
        assert_eq!(parse("").err(), Some(HeadError::Incomplete));
        assert_eq!(parse(&HEAD[..200]).err(), Some(HeadError::Incomplete));
        let error = parse(&HEAD.replacen('1', "2", 1)).unwrap_err();
        assert!(matches!(&error, HeadError::Version(found) if found == "filch-pool 2"), "{error}");
        let error = parse("\x1b[31mhello").unwrap_err().to_string();
        assert!(error.contains("?[31mhello") && error.contains("filch-pool 1"), "{error}");
    }
}
