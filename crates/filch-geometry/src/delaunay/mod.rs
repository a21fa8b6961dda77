//! Delaunay triangulations in the plane.

mod divide;
mod edges;
mod in_circle;
mod merge;
mod order;
#[cfg(test)]
mod tests;
mod triangles;

use crate::points::Points;
use divide::{Sites, divide};
use edges::{Half, PER_POINT};
use filch_algorithms::{find_first, map, pack_indices, tabulate};
use in_circle::MAGNITUDES;
use order::in_order;

/// A Delaunay triangulation: [`delaunay`] makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Triangulation {
    /// The triangles, counterclockwise, as indices of points.
    pub triangles: Vec<[u32; 3]>,
    /// The points that are in the same place as an earlier one, which are corners of no triangle: their indices, and
    /// those of the first points there.
    pub duplicates: Vec<[u32; 2]>,
}

/// Why points have not been triangulated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DelaunayError {
    /// Predicates on this point might not be exact.
    #[error(
        "point {index}: expected coordinates that are zero or from {:e} to {:e} in magnitude, found {found:?}; \
         multiply all of them with the same number",
        MAGNITUDES.start,
        MAGNITUDES.end
    )]
    Magnitude {
        /// The index of the first such point.
        index: usize,
        /// Its coordinates.
        found: [f64; 2],
    },
    /// Indices of edges are numbers of 32 bits.
    #[error("expected at most {} points, found {found}", MOST_POINTS)]
    TooMany {
        /// How many there are.
        found: usize,
    },
}

/// The half-edges of so many points have indices of 32 bits.
const MOST_POINTS: usize = u32::MAX as usize / PER_POINT;

/// Connects points to triangles, so that no point lies inside the circle through the corners of any of them.
///
/// The triangles cover the convex hull. There are none if all points lie on a line. If more than three points lie on an
/// empty circle, their triangulation is one of several, which depends on the points alone, not on the number of
/// workers. Of points in the same place, the first is a corner.
///
/// Points are sorted along a curve, divided by lines, and merged (Guibas and Stolfi 1985; Dwyer 1987).
///
/// Work: O(n) expected, and a sort by keys, if points are evenly distributed in a square. It is more if there are dense
/// places: each factor of 65,536 between distances means another sort of the points concerned, and up to 32 more merges
/// for each of them. Span: that of the sorts and the largest merges, O(√n) expected for points as above, O(n) if all
/// are on the hull. Memory: 120 bytes a point, and the result.
///
/// ```
/// use filch_geometry::{Points, delaunay};
///
/// let corners = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0], [1.0, 1.5], [2.0, 2.0]];
/// let found = delaunay(Points::new(&corners).unwrap()).unwrap();
/// assert_eq!(found.triangles.len(), 4);
/// assert_eq!(found.duplicates, [[5, 2]]);
/// ```
///
/// # Errors
///
/// If a coordinate is so small or so large that predicates might not be exact, or if there are too many points.
pub fn delaunay(points: Points<'_, 2>) -> Result<Triangulation, DelaunayError> {
    if points.len() > MOST_POINTS {
        return Err(DelaunayError::TooMany { found: points.len() });
    }
    let is_safe = |x: &f64| *x == 0.0 || MAGNITUDES.contains(&x.abs());
    if let Some(index) = find_first(&points, |point| !point.iter().all(is_safe)) {
        return Err(DelaunayError::Magnitude { index, found: points[index] });
    }
    let Some(order) = in_order(&points) else {
        let duplicates = (1..points.len() as u32).map(|index| [index, 0]).collect();
        return Ok(Triangulation { triangles: Vec::new(), duplicates });
    };
    let mut sorted = map(&order, |keyed| points[keyed.index()]);
    let mut ids = map(&order, |keyed| keyed.index() as u32);
    let mut keys = map(&order, |keyed| keyed.key());
    drop(order);
    let mut halves = tabulate(points.len() * PER_POINT, Half::room);
    let sites = Sites { first: 0, points: &mut sorted, ids: &mut ids, keys: &mut keys, halves: &mut halves };
    let whole = filch::scope(|s, _| divide(s, sites));
    let triangles = triangles::triangles(&mut halves, whole.hull, &ids);
    Ok(Triangulation { triangles, duplicates: duplicates(&sorted, &ids) })
}

/// The points that are equal to the one before them.
fn duplicates(sorted: &[[f64; 2]], ids: &[u32]) -> Vec<[u32; 2]> {
    let found = pack_indices(sorted.len(), |place| place > 0 && sorted[place] == sorted[place - 1]);
    let mut first = 0;
    let mut last = None;
    found
        .into_iter()
        .map(|place| {
            if last != Some(place - 1) {
                first = ids[place - 1];
            }
            last = Some(place);
            [ids[place], first]
        })
        .collect()
}
