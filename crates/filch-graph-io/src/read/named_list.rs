//! Edge lists whose vertices are names: words, or numbers of any size with any gaps between them.

use super::arcs::{Arcs, Meaning};
use super::error::ReadError;
use super::fault::LineFault;
use super::ligra::Arc;
use super::line::skip_extra;
use super::names::Names;
use super::numbers::{Fault, Kind, end, next_weight, next_word, unexpected, whole};
use super::options::ExtraColumns;
use super::records::{Dialect, Records};
use crate::weight::FileWeight;
use filch_graph::Vertex;
use filch_text::{TextFault, Words, shown};
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::marker::PhantomData;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// What follows the two vertices of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    /// A weight.
    Weight,
    /// What the options say.
    Extra(ExtraColumns),
}

/// Workers that meet names at the same time seldom wait for each other with so many dictionaries.
const NUM_DICTIONARIES: usize = 64;

/// An edge list of names. Each name gets a number when it is met first, under the lock of its dictionary. So the
/// numbers depend on the schedule, until [`renumbered`] replaces them.
#[derive(Debug)]
pub(super) struct NamedList<V, W> {
    rest: Rest,
    choose: RandomState,
    dictionaries: Vec<Mutex<HashMap<Box<str>, usize>>>,
    count: AtomicUsize,
    edge: PhantomData<fn() -> (V, W)>,
}

impl<V: Vertex, W> NamedList<V, W> {
    pub(super) fn new(rest: Rest) -> Self {
        NamedList {
            rest,
            choose: RandomState::new(),
            dictionaries: (0..NUM_DICTIONARIES).map(|_| Mutex::default()).collect(),
            count: AtomicUsize::new(0),
            edge: PhantomData,
        }
    }

    /// The number of a name.
    fn vertex(&self, word: &[u8]) -> Result<V, LineFault> {
        let name = str::from_utf8(word).map_err(|error| TextFault::NotText { byte: word[error.valid_up_to()] })?;
        let place = self.choose.hash_one(name) as usize % NUM_DICTIONARIES;
        let mut dictionary = self.dictionaries[place].lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&number) = dictionary.get(name) {
            return Ok(V::new(number));
        }
        // Relaxed: it only has to differ from other numbers, and all of them are read when all workers have finished.
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        if number >= V::MAX_COUNT {
            return Err(unexpected(format!("at most {} different vertices", V::MAX_COUNT), Some(word)));
        }
        dictionary.insert(name.into(), number);
        Ok(V::new(number))
    }
}

impl<V: Vertex, W: FileWeight> Dialect for NamedList<V, W> {
    type Item = Arc<V, W>;
    const RECORDS: &'static str = "edges";
    const HAS_HEAD: bool = false;

    fn record(&self, line: &[u8], _: usize, items: &mut Vec<Arc<V, W>>) -> Result<bool, Fault> {
        let mut words = Words::of(line);
        if !words.peek() || matches!(line[words.place()], b'#' | b'%') {
            return Ok(false);
        }
        let vertex = |(place, word)| self.vertex(word).map_err(|fault| (place, fault));
        let first = next_word(&mut words, line.len(), || "the name of a vertex".to_owned())?;
        let second = words.next();
        // A name may have commas. But if the first one ends with a comma, or has one and is alone in its line, then
        // commas separate the columns.
        if first.1.ends_with(b",") || second.is_none() && first.1.contains(&b',') {
            return Err((first.0, LineFault::Comma { found: shown(first.1) }));
        }
        let u = vertex(first)?;
        let v = vertex(second.ok_or((line.len(), LineFault::OneVertex))?)?;
        let weight = match self.rest {
            Rest::Weight => {
                let weight = next_weight(&mut words, line.len(), Kind::Real)?;
                end(&mut words)?;
                weight
            }
            Rest::Extra(extra) => {
                skip_extra(words, extra)?;
                W::of(1.0)
            }
        };
        items.push((u, v, weight));
        Ok(true)
    }
}

/// The arcs with the vertices numbered in the order of their names: numbers by their values, and then words by their
/// bytes. Returns also the names.
///
/// Work: O(n log n) comparisons of names, serial, and O(m) in parallel.
pub(super) fn renumbered<V: Vertex, W: FileWeight>(
    records: Records<NamedList<V, W>>,
    path: &Path,
) -> Result<(Arcs<Arc<V, W>>, Names), ReadError> {
    /// The number of arcs that a worker renumbers at a time.
    const BLOCK: usize = 1 << 14;
    let Records { dialect, mut parts, num_lines, num_bytes, num_records, .. } = records;
    if num_records == 0 {
        return Err(ReadError::NoEdges { path: path.to_owned() });
    }
    let dictionaries = dialect.dictionaries.into_iter();
    let all = dictionaries.flat_map(|dictionary| dictionary.into_inner().unwrap_or_else(PoisonError::into_inner));
    let mut names: Vec<(Box<str>, usize)> = all.collect();
    names.sort_unstable_by(|(a, _), (b, _)| {
        let value = |name: &str| whole(name.as_bytes()).unwrap_or(u64::MAX);
        value(a).cmp(&value(b)).then_with(|| a.cmp(b))
    });
    let mut numbers = vec![V::NONE; names.len()];
    for (number, &(_, met)) in names.iter().enumerate() {
        numbers[met] = V::new(number);
    }
    for part in &mut parts {
        filch::for_each(filch::chunks_mut(part, BLOCK), |_, arcs| {
            for (u, v, _) in arcs {
                (*u, *v) = (numbers[u.index()], numbers[v.index()]);
            }
        });
    }
    let names = Names::of_different(names.iter().map(|(name, _)| &**name));
    let arcs = Arcs { num_vertices: names.len(), parts, meaning: Meaning::Arcs, num_lines, num_bytes };
    Ok((arcs, names))
}
