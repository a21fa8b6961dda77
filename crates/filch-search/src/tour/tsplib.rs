//! The reader of TSPLIB files (Reinelt 1991).

use super::Tour;
use crate::read::{Fault, ReadError, TextError, lines, number, quoted, read};
use std::path::Path;

/// How a file gives distances.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Explicit,
    /// Coordinates in a plane, distances rounded.
    Euclidean,
    /// Coordinates in a plane, distances rounded up.
    EuclideanUp,
    /// Degrees and minutes of latitude and longitude.
    Geographical,
}

const KINDS: [(&str, Kind); 4] = [
    ("EXPLICIT", Kind::Explicit),
    ("EUC_2D", Kind::Euclidean),
    ("CEIL_2D", Kind::EuclideanUp),
    ("GEO", Kind::Geographical),
];

/// For each format of a matrix, which columns a row has, by its number and the number of cities.
type Columns = fn(usize, usize) -> std::ops::Range<usize>;

const FORMATS: [(&str, Columns); 5] = [
    ("FULL_MATRIX", |_, cities| 0..cities),
    ("LOWER_DIAG_ROW", |row, _| 0..row + 1),
    ("UPPER_DIAG_ROW", |row, cities| row..cities),
    ("LOWER_ROW", |row, _| 0..row),
    ("UPPER_ROW", |row, cities| row + 1..cities),
];

/// What the file has said so far.
#[derive(Default)]
struct Said<'t> {
    cities: Option<usize>,
    kind: Option<Kind>,
    columns: Option<Columns>,
    /// The words of the section of distances or coordinates, with their lines.
    words: Vec<(usize, &'t str)>,
}

impl Tour {
    /// Reads a problem of TSPLIB, of the type TSP with up to 64 cities: explicit distances in a full matrix or by the
    /// rows of a triangle, or coordinates with `EUC_2D`, `CEIL_2D` or `GEO`.
    ///
    /// # Errors
    ///
    /// If the text is of another type, or is malformed, incomplete or contradicts itself.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let mut said = Said::default();
        let mut section = None;
        for (line, content) in lines(text) {
            let (key, value) = content.split_once(':').unwrap_or((content, ""));
            let (key, value) = (key.trim(), value.trim());
            if key.starts_with(|first: char| first.is_ascii_alphabetic()) {
                section = key.strip_suffix("_SECTION");
                if key == "EOF" {
                    break;
                }
                said.header(key, value).map_err(|fault| TextError::at(line, fault))?;
            } else if matches!(section, Some("EDGE_WEIGHT" | "NODE_COORD")) {
                said.words.extend(content.split_whitespace().map(|word| (line, word)));
            } else if section.is_none() {
                return Err(TextError::at(line, Fault::new("a keyword of TSPLIB", quoted(content))));
            }
        }
        let missing = |what| TextError::whole(Fault::new(what, "none"));
        let cities = said.cities.ok_or_else(|| missing("a line with DIMENSION"))?;
        let kind = said.kind.ok_or_else(|| missing("a line with EDGE_WEIGHT_TYPE"))?;
        let distances = match kind {
            Kind::Explicit => {
                let columns = said.columns.ok_or_else(|| missing("a line with EDGE_WEIGHT_FORMAT"))?;
                matrix(&said.words, cities, columns)?
            }
            _ => {
                let points = points(&said.words, cities)?;
                let from = |a: &(f64, f64)| points.iter().map(|b| distance(kind, *a, *b)).collect();
                points.iter().map(from).collect::<Vec<_>>()
            }
        };
        Tour::new(&distances).map_err(TextError::whole)
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

impl Said<'_> {
    fn header(&mut self, key: &str, value: &str) -> Result<(), Fault> {
        match key {
            "TYPE" if value != "TSP" => Err(Fault::new("the type TSP", quoted(value))),
            "DIMENSION" => {
                let cities = number(Some(value), "the number of cities")?;
                Tour::check_size(cities)?;
                self.cities = Some(cities);
                Ok(())
            }
            "EDGE_WEIGHT_TYPE" => named(&KINDS, value).map(|kind| self.kind = Some(kind)),
            "EDGE_WEIGHT_FORMAT" if value != "FUNCTION" => {
                named(&FORMATS, value).map(|columns| self.columns = Some(columns))
            }
            _ => Ok(()),
        }
    }
}

/// What this name stands for.
fn named<T: Copy>(names: &[(&str, T)], value: &str) -> Result<T, Fault> {
    let found = names.iter().find(|(name, _)| *name == value).map(|(_, of)| *of);
    let all = || names.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    found.ok_or_else(|| Fault::new(format!("one of {}", all()), quoted(value)))
}

/// Too few or too many words for what is expected.
fn check_count(words: &[(usize, &str)], expected: usize, what: &str) -> Result<(), TextError> {
    let fault = Fault::new(format!("{expected} {what}"), words.len());
    match words.get(expected) {
        Some(&(line, _)) => Err(TextError::at(line, fault)),
        None if words.len() < expected => Err(TextError::whole(fault)),
        None => Ok(()),
    }
}

fn matrix(words: &[(usize, &str)], cities: usize, columns: Columns) -> Result<Vec<Vec<u32>>, TextError> {
    let places: Vec<_> = (0..cities).flat_map(|row| columns(row, cities).map(move |column| (row, column))).collect();
    check_count(words, places.len(), "distances")?;
    let mut matrix = vec![vec![0; cities]; cities];
    let is_full = places.len() == cities * cities;
    for (&(line, word), (row, column)) in words.iter().zip(places) {
        let expected = format!("a distance from 0 to {}", u32::MAX);
        let distance = number(Some(word), expected).map_err(|fault| TextError::at(line, fault))?;
        matrix[row][column] = distance;
        if !is_full {
            matrix[column][row] = distance;
        }
    }
    Ok(matrix)
}

fn points(words: &[(usize, &str)], cities: usize) -> Result<Vec<(f64, f64)>, TextError> {
    check_count(words, 3 * cities, "numbers, three for each city")?;
    let mut points = vec![None; cities];
    for city in words.chunks_exact(3) {
        let (line, word) = city[0];
        let read = || {
            let expected = format!("the number of a city from 1 to {cities}");
            let place: usize = number(Some(word), &expected)?;
            let point = place.checked_sub(1).and_then(|place| points.get_mut(place));
            let point = point.ok_or_else(|| Fault::new(expected, place))?;
            let coordinate = |word: &str| {
                let number: f64 = number(Some(word), "a coordinate")?;
                Some(number).filter(|number| number.is_finite()).ok_or_else(|| Fault::new("a coordinate", quoted(word)))
            };
            match point.replace((coordinate(city[1].1)?, coordinate(city[2].1)?)) {
                None => Ok(()),
                Some(_) => Err(Fault::new("each city once", format!("{place} twice"))),
            }
        };
        let mut read = read;
        read().map_err(|fault| TextError::at(line, fault))?;
    }
    // As many as there are cities, each once.
    Ok(points.into_iter().flatten().collect())
}

/// The distance of two points, as TSPLIB defines it (Reinelt 1991, appendix).
fn distance(kind: Kind, a: (f64, f64), b: (f64, f64)) -> u32 {
    let straight = (a.0 - b.0).hypot(a.1 - b.1);
    match kind {
        Kind::Explicit | Kind::Euclidean => (straight + 0.5) as u32,
        Kind::EuclideanUp => straight.ceil() as u32,
        Kind::Geographical => {
            // The constants of TSPLIB, not more exact ones: the published lengths are by these.
            #[allow(clippy::approx_constant)]
            const PI: f64 = 3.141592;
            const RADIUS_KM: f64 = 6378.388;
            let radians = |x: f64| PI * (x.trunc() + 5.0 * (x - x.trunc()) / 3.0) / 180.0;
            let [latitudes, longitudes] = [[a.0, b.0], [a.1, b.1]].map(|pair| pair.map(radians));
            let q1 = (longitudes[0] - longitudes[1]).cos();
            let q2 = (latitudes[0] - latitudes[1]).cos();
            let q3 = (latitudes[0] + latitudes[1]).cos();
            (RADIUS_KM * (0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3)).acos() + 1.0) as u32
        }
    }
}
