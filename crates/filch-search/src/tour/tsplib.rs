//! The reader of TSPLIB files (Reinelt 1991; the format is that of "TSPLIB 95").
//!
//! What could change the problem is honoured or refused by its name. What is left out is for the eye: names, comments,
//! coordinates for a picture, and known tours.

use super::Tour;
use super::distances::{Columns, FORMATS, KINDS, Kind, matrix, number_of_city};
use crate::read::{Fault, Line, Place, ReadError, TextError, Word, lines, quoted, read};
use std::path::Path;

/// How a file lists edges.
#[derive(Clone, Copy)]
enum EdgeFormat {
    /// Pairs of cities.
    Edges,
    /// A city and those beside it.
    Adjacent,
}

const EDGE_FORMATS: [(&str, EdgeFormat); 2] = [("EDGE_LIST", EdgeFormat::Edges), ("ADJ_LIST", EdgeFormat::Adjacent)];

/// The keywords whose values do not matter.
const IGNORED: [&str; 4] = ["NAME", "COMMENT", "NODE_COORD_TYPE", "DISPLAY_DATA_TYPE"];

const EDGES: &str = "EDGE_DATA_SECTION";
const FIXED: &str = "FIXED_EDGES_SECTION";
const POINTS: &str = "NODE_COORD_SECTION";
const WEIGHTS: &str = "EDGE_WEIGHT_SECTION";

/// The sections that are read, and those that are for the eye.
const SECTIONS: [&str; 6] = [EDGES, FIXED, POINTS, WEIGHTS, "DISPLAY_DATA_SECTION", "TOUR_SECTION"];

/// What ends a list.
const END: &str = "-1";

/// What the file has said so far.
#[derive(Default)]
struct Said<'t> {
    /// The keywords and where they are.
    keywords: Vec<(String, Place)>,
    cities: Option<usize>,
    kind: Option<Kind>,
    columns: Option<Columns>,
    edges: Option<EdgeFormat>,
    sections: Vec<Section<'t>>,
}

struct Section<'t> {
    name: &'static str,
    place: Place,
    words: Vec<Word<'t>>,
}

impl Tour {
    /// Reads a problem of TSPLIB, of the type TSP with up to 64 cities: with explicit distances in any form of matrix,
    /// or coordinates with `EUC`, `MAN` or `MAX` in two or three dimensions, `CEIL_2D`, `GEO` or `ATT`. Trips have the
    /// edges of a `FIXED_EDGES_SECTION`, and none but those of an `EDGE_DATA_SECTION`.
    ///
    /// # Errors
    ///
    /// If the text is of another type, has a keyword or a section that TSP problems do not have, or is malformed,
    /// incomplete or contradicts itself.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let mut said = Said::default();
        for line in lines(text)? {
            if line.content.starts_with(|first: char| first.is_ascii_alphabetic()) {
                let is_key = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
                let end = line.content.find(|letter| !is_key(letter)).unwrap_or(line.content.len());
                let key = line.content[..end].to_ascii_uppercase();
                if key == "EOF" {
                    break;
                }
                let value = line.skip(end);
                let value = if value.content.starts_with(':') { value.skip(1) } else { value };
                said.keyword(&key, line.place, value)?;
            } else if let Some(section) = said.sections.last_mut() {
                section.words.extend(line.words());
            } else {
                return Err(line.place.expected("a keyword of TSPLIB", quoted(line.content)));
            }
        }
        said.tour()
    }

    /// Reads a file; see [`parse`](Self::parse).
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or `parse` fails.
    pub fn read(path: &Path) -> Result<Self, ReadError> {
        read(path, Self::parse)
    }
}

impl<'t> Said<'t> {
    /// A line with a keyword at `place`, and what follows it.
    fn keyword(&mut self, key: &str, place: Place, value: Line<'t>) -> Result<(), TextError> {
        let earlier = self.keywords.iter().find(|(earlier, _)| earlier == key && !IGNORED.contains(&key));
        if let Some((_, earlier)) = earlier {
            let found = format!("another one than line {}", earlier.line);
            return Err(place.expected(format!("one line with {key}"), found));
        }
        self.keywords.push((key.to_owned(), place));
        if key.ends_with("_SECTION") {
            let name = SECTIONS.into_iter().find(|&name| name == key);
            let name = name.ok_or_else(|| place.expected("a section of a problem of type TSP", quoted(key)))?;
            self.sections.push(Section { name, place, words: value.words().collect() });
            return Ok(());
        }
        match key {
            "TYPE" => {
                let word = only_word(key, value)?;
                if word.text != "TSP" {
                    return Err(word.not("the type TSP"));
                }
            }
            "DIMENSION" => {
                let word = only_word(key, value)?;
                let cities = word.number("the number of cities")?;
                Tour::check_size(cities).map_err(|fault| word.place.error(fault))?;
                self.cities = Some(cities);
            }
            "EDGE_WEIGHT_TYPE" => self.kind = Some(named(&KINDS, only_word(key, value)?)?),
            "EDGE_WEIGHT_FORMAT" => {
                let word = only_word(key, value)?;
                // A function of points, which the type says.
                if word.text != "FUNCTION" {
                    self.columns = Some(named(&FORMATS, word)?);
                }
            }
            "EDGE_DATA_FORMAT" => self.edges = Some(named(&EDGE_FORMATS, only_word(key, value)?)?),
            _ if IGNORED.contains(&key) => {}
            _ => return Err(place.expected("a keyword of a TSPLIB problem of type TSP", quoted(key))),
        }
        Ok(())
    }

    fn section(&self, name: &str) -> Option<&Section<'t>> {
        self.sections.iter().find(|section| section.name == name)
    }

    fn words(&self, name: &str) -> &[Word<'t>] {
        self.section(name).map_or(&[], |section| &section.words)
    }

    /// The problem.
    fn tour(&self) -> Result<Tour, TextError> {
        let missing = |what| TextError::whole(Fault::new(what, "none"));
        let cities = self.cities.ok_or_else(|| missing("a line with DIMENSION"))?;
        let kind = self.kind.ok_or_else(|| missing("a line with EDGE_WEIGHT_TYPE"))?;
        let distances = match kind {
            Kind::Explicit => {
                let columns = self.columns.ok_or_else(|| missing("a line with EDGE_WEIGHT_FORMAT"))?;
                matrix(self.words(WEIGHTS), cities, columns)?
            }
            Kind::Points(metric) => {
                if let Some(Section { place, .. }) = self.section(WEIGHTS) {
                    return Err(place.expected("distances or coordinates, as EDGE_WEIGHT_TYPE says", "both"));
                }
                metric.matrix(self.words(POINTS), cities)?
            }
        };
        let mut tour = Tour::new(&distances).map_err(TextError::whole)?;
        if let Some(section) = self.section(EDGES) {
            let format = self.edges.ok_or_else(|| missing("a line with EDGE_DATA_FORMAT"))?;
            let edges = section.edges(format, cities)?;
            tour = tour.with_only(&edges).map_err(|fault| section.place.error(fault))?;
        }
        if let Some(section) = self.section(FIXED) {
            let edges = section.edges(EdgeFormat::Edges, cities)?;
            tour = tour.with_fixed(&edges).map_err(|fault| section.place.error(fault))?;
        }
        Ok(tour)
    }
}

impl Section<'_> {
    /// The edges that the section lists, with the cities counted from 0.
    fn edges(&self, format: EdgeFormat, cities: usize) -> Result<Vec<(usize, usize)>, TextError> {
        let mut words = self.words.iter().copied();
        let end = self.words.last().map_or(self.place, |word| word.place);
        let mut next = |expected| words.next().ok_or_else(|| end.expected(expected, "the end of the section"));
        let more = "a city, or -1 at the end of the list";
        let mut edges = Vec::new();
        loop {
            let first = next(more)?;
            if first.text == END {
                break;
            }
            let from = number_of_city(first, cities)?;
            match format {
                EdgeFormat::Edges => edges.push((from, number_of_city(next("a second city")?, cities)?)),
                EdgeFormat::Adjacent => loop {
                    let word = next(more)?;
                    if word.text == END {
                        break;
                    }
                    edges.push((from, number_of_city(word, cities)?));
                },
            }
        }
        words.next().map_or(Ok(edges), |word| Err(word.not("the end of the section")))
    }
}

/// The value of a keyword, which may have a comment in brackets behind it.
fn only_word<'t>(key: &str, value: Line<'t>) -> Result<Word<'t>, TextError> {
    let mut words = value.words();
    let word = words.word(format!("the value of {key}"))?;
    match words.next() {
        Some(more) if !more.text.starts_with('(') => Err(more.not("the end of the line")),
        _ => Ok(word),
    }
}

/// What this name stands for.
fn named<T: Copy>(names: &[(&str, T)], word: Word<'_>) -> Result<T, TextError> {
    let found = names.iter().find(|(name, _)| *name == word.text).map(|(_, of)| *of);
    let all = || names.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    found.ok_or_else(|| word.not(format!("one of {}", all())))
}
