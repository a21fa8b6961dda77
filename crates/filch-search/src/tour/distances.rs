//! The distances of TSPLIB (Reinelt 1991, "TSPLIB 95", sections 1.1.7 to 1.1.8 and 2).

use crate::read::{TextError, Word};
use std::ops::Range;

/// Where the distances of a file come from.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// The file has them.
    Explicit,
    /// They are those of points.
    Points(Metric),
}

/// How far two points are apart.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Metric {
    /// Straight lines, rounded, in this many dimensions.
    Euclidean(usize),
    /// Straight lines in a plane, rounded up.
    EuclideanUp,
    /// Along the axes, in this many dimensions.
    Manhattan(usize),
    /// The larger one of the ways along the axes, in this many dimensions.
    Maximum(usize),
    /// Degrees and minutes of latitude and longitude.
    Geographical,
    /// The pseudo-Euclidean distances of the problems `att48` and `att532`.
    PseudoEuclidean,
}

pub(super) const KINDS: [(&str, Kind); 10] = [
    ("EXPLICIT", Kind::Explicit),
    ("EUC_2D", Kind::Points(Metric::Euclidean(2))),
    ("EUC_3D", Kind::Points(Metric::Euclidean(3))),
    ("CEIL_2D", Kind::Points(Metric::EuclideanUp)),
    ("MAN_2D", Kind::Points(Metric::Manhattan(2))),
    ("MAN_3D", Kind::Points(Metric::Manhattan(3))),
    ("MAX_2D", Kind::Points(Metric::Maximum(2))),
    ("MAX_3D", Kind::Points(Metric::Maximum(3))),
    ("GEO", Kind::Points(Metric::Geographical)),
    ("ATT", Kind::Points(Metric::PseudoEuclidean)),
];

/// Which columns a row of a matrix has, by its number and the number of cities.
pub(super) type Columns = fn(usize, usize) -> Range<usize>;

const FULL: Columns = |_, cities| 0..cities;
const LOWER: Columns = |row, _| 0..row;
const LOWER_DIAG: Columns = |row, _| 0..row + 1;
const UPPER: Columns = |row, cities| row + 1..cities;
const UPPER_DIAG: Columns = |row, cities| row..cities;

/// The columns of one half of a symmetric matrix are the rows of the other half.
pub(super) const FORMATS: [(&str, Columns); 9] = [
    ("FULL_MATRIX", FULL),
    ("LOWER_ROW", LOWER),
    ("LOWER_DIAG_ROW", LOWER_DIAG),
    ("UPPER_ROW", UPPER),
    ("UPPER_DIAG_ROW", UPPER_DIAG),
    ("LOWER_COL", UPPER),
    ("LOWER_DIAG_COL", UPPER_DIAG),
    ("UPPER_COL", LOWER),
    ("UPPER_DIAG_COL", LOWER_DIAG),
];

/// The distances that these words are. Those from a city to itself are ignored: in many files they are very large.
pub(super) fn matrix(words: &[Word<'_>], cities: usize, columns: Columns) -> Result<Vec<Vec<u32>>, TextError> {
    let places: Vec<_> = (0..cities).flat_map(|row| columns(row, cities).map(move |column| (row, column))).collect();
    check_count(words, places.len(), "distances")?;
    let mut matrix = vec![vec![0; cities]; cities];
    let is_full = cities > 1 && places.len() == cities * cities;
    for (word, (row, column)) in words.iter().zip(places) {
        let distance = word.number(format!("a distance from 0 to {}", u32::MAX))?;
        if row == column {
            continue;
        }
        matrix[row][column] = distance;
        if !is_full {
            matrix[column][row] = distance;
        }
    }
    Ok(matrix)
}

impl Metric {
    fn dimensions(self) -> usize {
        match self {
            Metric::Euclidean(dimensions) | Metric::Manhattan(dimensions) | Metric::Maximum(dimensions) => dimensions,
            Metric::EuclideanUp | Metric::Geographical | Metric::PseudoEuclidean => 2,
        }
    }

    /// The distances of the points that these words are: the number of a city and its coordinates.
    pub(super) fn matrix(self, words: &[Word<'_>], cities: usize) -> Result<Vec<Vec<u32>>, TextError> {
        let points = points(words, cities, self.dimensions())?;
        let distance = |a: &Point<'_>, b: &Point<'_>| {
            let distance = self.distance(&a.at, &b.at);
            // A whole number, as all metrics round.
            if (0.0..=f64::from(u32::MAX)).contains(&distance) {
                return Ok(distance as u32);
            }
            let expected = format!("cities at most {} apart", u32::MAX);
            let [a, b] = [a, b].map(|point| point.city.text);
            Err(points[0].city.place.expected(expected, format!("{distance} between {a} and {b}")))
        };
        points.iter().map(|a| points.iter().map(|b| distance(a, b)).collect()).collect()
    }

    /// The distance of two points, which TSPLIB rounds to a whole number.
    fn distance(self, a: &[f64], b: &[f64]) -> f64 {
        let rounded = |x: f64| (x + 0.5).floor();
        let along = || a.iter().zip(b).map(|(a, b)| (a - b).abs());
        // Not `hypot`: the published lengths are by this formula, and the difference may be that of a half.
        let squares = || along().map(|length| length * length).sum::<f64>();
        match self {
            Metric::Euclidean(_) => rounded(squares().sqrt()),
            Metric::EuclideanUp => squares().sqrt().ceil(),
            Metric::Manhattan(_) => rounded(along().sum()),
            Metric::Maximum(_) => along().map(rounded).fold(0.0, f64::max),
            Metric::PseudoEuclidean => {
                let exact = (squares() / 10.0).sqrt();
                let rounded = rounded(exact);
                if rounded < exact { rounded + 1.0 } else { rounded }
            }
            Metric::Geographical => {
                // The constants of TSPLIB, not more exact ones: the published lengths are by these.
                #[allow(clippy::approx_constant)]
                const PI: f64 = 3.141592;
                const RADIUS_KM: f64 = 6378.388;
                let radians = |x: f64| PI * (x.trunc() + 5.0 * (x - x.trunc()) / 3.0) / 180.0;
                let [latitudes, longitudes] = [[a[0], b[0]], [a[1], b[1]]].map(|pair| pair.map(radians));
                let q1 = (longitudes[0] - longitudes[1]).cos();
                let q2 = (latitudes[0] - latitudes[1]).cos();
                let q3 = (latitudes[0] + latitudes[1]).cos();
                // Rounding may bring the cosine of nearly no angle above 1.
                let cosine = 0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3);
                (RADIUS_KM * cosine.clamp(-1.0, 1.0).acos() + 1.0).floor()
            }
        }
    }
}

/// A city and where it is.
struct Point<'t> {
    city: Word<'t>,
    at: Vec<f64>,
}

/// The cities in the order of their numbers.
fn points<'t>(words: &[Word<'t>], cities: usize, dimensions: usize) -> Result<Vec<Point<'t>>, TextError> {
    let each = 1 + dimensions;
    check_count(words, each * cities, &format!("numbers, {each} for each city"))?;
    let mut points: Vec<Option<Point<'t>>> = (0..cities).map(|_| None).collect();
    for words in words.chunks_exact(each) {
        let (city, coordinates) = (words[0], &words[1..]);
        let number = number_of_city(city, cities)?;
        let coordinate = |word: &Word<'_>| {
            let number: f64 = word.number("a coordinate")?;
            if number.is_finite() { Ok(number) } else { Err(word.not("a coordinate")) }
        };
        let at = coordinates.iter().map(coordinate).collect::<Result<_, _>>()?;
        if points[number].replace(Point { city, at }).is_some() {
            return Err(city.place.expected("each city once", format!("{} twice", number + 1)));
        }
    }
    // As many as there are cities, each once.
    Ok(points.into_iter().flatten().collect())
}

/// The city that a word is, counted from 0.
pub(super) fn number_of_city(word: Word<'_>, cities: usize) -> Result<usize, TextError> {
    let expected = || format!("the number of a city from 1 to {cities}");
    let number: usize = word.number(expected())?;
    if (1..=cities).contains(&number) { Ok(number - 1) } else { Err(word.not(expected())) }
}

/// Too few or too many words for what is expected.
fn check_count(words: &[Word<'_>], expected: usize, what: &str) -> Result<(), TextError> {
    let said = format!("{expected} {what}");
    match words.get(expected).or(words.last()) {
        _ if words.len() == expected => Ok(()),
        Some(word) => Err(word.place.expected(said, words.len())),
        None => Err(TextError::whole(crate::read::Fault::new(said, words.len()))),
    }
}
