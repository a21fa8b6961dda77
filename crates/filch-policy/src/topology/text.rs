//! Topologies as text: `SQUADS[,cache=SIZE]`.

use super::Topology;
use crate::quantity::{Size, parse_size};
use std::error::Error;
use std::fmt::{self, Display};
use std::str::FromStr;

/// As many workers as a pool can have.
const MAX_WORKERS: usize = 4096;

/// Why a text is not a [`Topology`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseTopologyError {
    /// The part before the first comma does not name squads.
    BadSquads(String),
    /// There are more workers than a pool can have.
    TooManyWorkers(String),
    /// A part after a comma is not a setting.
    UnknownSetting(String),
    /// The size of the cache is not one.
    BadCache(String),
    /// A setting is given twice.
    Repeated,
}

impl Display for ParseTopologyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadSquads(text) => write!(
                f,
                "`{text}` names no squads; expected the number of squads and of the workers of each, as in `2x2`, or \
                 the sizes of the squads, as in `2+3`"
            ),
            Self::TooManyWorkers(text) => {
                write!(f, "the squads `{text}` have too many workers; expected at most {MAX_WORKERS}")
            }
            Self::UnknownSetting(text) => {
                write!(f, "unknown setting `{text}` of a topology; expected `cache=SIZE`, as in `cache=6MiB`")
            }
            Self::BadCache(text) => write!(
                f,
                "`{text}` is no size of a cache; expected a number, more than 0, with a unit: B, KiB, MiB or GiB"
            ),
            Self::Repeated => f.write_str("the setting `cache` of a topology is there twice; expected it once"),
        }
    }
}

impl Error for ParseTopologyError {}

impl FromStr for Topology {
    type Err = ParseTopologyError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut parts = text.split(',').map(str::trim);
        let squads = parts.next().unwrap_or_default();
        let topology = Topology::of_squads(&parse_squads(squads)?);
        let mut cache_bytes = None;
        for part in parts {
            let size =
                part.strip_prefix("cache=").ok_or_else(|| ParseTopologyError::UnknownSetting(part.to_owned()))?;
            let bytes = parse_size(size)
                .filter(|&bytes| bytes > 0)
                .ok_or_else(|| ParseTopologyError::BadCache(size.to_owned()))?;
            if cache_bytes.replace(bytes).is_some() {
                return Err(ParseTopologyError::Repeated);
            }
        }
        Ok(match cache_bytes {
            Some(bytes) => topology.with_cache_bytes(bytes),
            None => topology,
        })
    }
}

/// The sizes of the squads.
fn parse_squads(text: &str) -> Result<Vec<usize>, ParseTopologyError> {
    let bad = || ParseTopologyError::BadSquads(text.to_owned());
    let number = |digits: &str| parse_number(digits).filter(|&number| number > 0).ok_or_else(bad);
    let mut sizes = Vec::new();
    let mut workers: u64 = 0;
    for term in text.split('+') {
        let (squads, size) = term.split_once('x').unwrap_or(("1", term));
        let (squads, size) = (number(squads)?, number(size)?);
        workers = workers.saturating_add(squads.saturating_mul(size));
        if workers > MAX_WORKERS as u64 {
            return Err(ParseTopologyError::TooManyWorkers(text.to_owned()));
        }
        // Both are at most the number of workers, which fits.
        sizes.extend(std::iter::repeat_n(size as usize, squads as usize));
    }
    Ok(sizes)
}

/// A number in digits, without a sign. Numbers that are too large are as large as can be.
fn parse_number(digits: &str) -> Option<u64> {
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(u64::MAX))
}

impl Display for Topology {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let squads = self.squads();
        let sizes: Vec<usize> = (0..squads.count()).map(|squad| squads.workers(squad).len()).collect();
        for (place, equal) in sizes.chunk_by(|a, b| a == b).enumerate() {
            let plus = if place > 0 { "+" } else { "" };
            match equal.len() {
                1 if sizes.len() > 1 => write!(f, "{plus}{}", equal[0])?,
                squads => write!(f, "{plus}{squads}x{}", equal[0])?,
            }
        }
        match squads.smallest_cache_bytes() {
            Some(bytes) => write!(f, ",cache={}", Size(bytes)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(text: &str) -> Vec<usize> {
        let topology: Topology = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        (0..topology.squads().count()).map(|squad| topology.squads().workers(squad).len()).collect()
    }

    #[test]
    fn a_text_names_squads_and_their_sizes() {
        assert_eq!(sizes("2x2"), [2, 2]);
        assert_eq!(sizes("4x4"), [4; 4]);
        assert_eq!(sizes("2+3"), [2, 3]);
        assert_eq!(sizes("2x4+1+2x3"), [4, 4, 1, 3, 3]);
        assert_eq!(sizes("8"), [8]);
        assert_eq!(sizes(" 1x1 , cache=1B"), [1]);
        assert_eq!(sizes("64x64"), [64; 64]);
    }

    #[test]
    fn all_short_lists_of_squads_are_read_back_as_they_were() {
        let mut lists = vec![vec![]];
        for _ in 0..5 {
            lists =
                lists.iter().flat_map(|list: &Vec<usize>| (1..=3).map(|size| [&list[..], &[size]].concat())).collect();
            for list in &lists {
                for bytes in [0, 1, 1023, 1024, 6 << 20, 3 << 30, u64::MAX] {
                    let topology = Topology::of_squads(list).with_cache_bytes(bytes);
                    assert_eq!(topology.to_string().parse(), Ok(topology), "{list:?}, {bytes}");
                }
            }
        }
    }

    #[test]
    fn what_is_printed_is_short() {
        let shown = |text: &str| text.parse::<Topology>().expect(text).to_string();
        assert_eq!(shown("2+2"), "2x2");
        assert_eq!(shown("4"), "1x4");
        assert_eq!(shown("1x2+3+3+1x4"), "2+2x3+4");
        assert_eq!(shown("4x4,cache=6144KiB"), "4x4,cache=6MiB");
        assert_eq!(shown("2x2,cache=480B"), "2x2,cache=480B");
        assert_eq!(shown("2x2,cache=1.5 MiB"), "2x2,cache=1536KiB");
    }

    #[test]
    fn what_is_no_topology_is_refused_with_what_was_expected() {
        let refuse = |text: &str| text.parse::<Topology>().expect_err(text).to_string();
        for text in ["", "x", "2x", "x2", "0x2", "2x0", "2x2x2", "-1x2", "+2", "2++2", "2+", "two", "2 x 2", "2*2"] {
            let said = refuse(text);
            assert!(said.contains(&format!("`{text}` names no squads; expected the number of squads")), "{said}");
        }
        for text in ["4097", "64x65", "4096+1", "99999999999999999999x99999999999999999999"] {
            assert!(refuse(text).contains("have too many workers; expected at most 4096"), "{text}");
        }
        assert!(refuse("2x2,6MiB").contains("unknown setting `6MiB` of a topology; expected `cache=SIZE`"));
        for size in
            ["", "6", "MiB", "6MB", "0KiB", "0", "-1B", "1.5B", "99999999999999999999B", "18446744073709551615KiB"]
        {
            assert!(
                refuse(&format!("2x2,cache={size}")).contains(&format!("`{size}` is no size of a cache")),
                "{size}"
            );
        }
        assert!(refuse("2x2,cache=6MiB,cache=6MiB").contains("is there twice"));
    }
}
