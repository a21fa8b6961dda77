//! The numbers of vertices and edges of a shape.

use super::error::GenerateError;
use super::shape::Shape;

impl Shape {
    /// The number of vertices.
    ///
    /// # Errors
    ///
    /// [`GenerateError`]: a number out of range, or too large a graph for 64 bits.
    pub fn num_vertices(self) -> Result<usize, GenerateError> {
        let expected = match self {
            Shape::Random { vertices: 0, .. } | Shape::Path { vertices: 0 } | Shape::Gnm { vertices: 0, .. } => {
                "at least 1 vertex was expected"
            }
            Shape::Torus { side: 0 } | Shape::Cube { side: 0 } => "a side of at least 1 was expected",
            Shape::Meshes { first, second } if first.min(second) == 0 => "sides of at least 1 were expected",
            Shape::BinTree { levels: 0 } => "at least 1 level was expected",
            Shape::Islands { count, size, .. } if count.min(size) == 0 => "at least 1 island of 1 vertex was expected",
            Shape::Stars { count: 0, .. } | Shape::Galaxy { count: 0, .. } => "at least 1 star was expected",
            Shape::Cycles { count, size } if count == 0 || size < 3 => "at least 1 cycle of 3 vertices was expected",
            Shape::Cliques { count, size } if count.min(size) == 0 => "at least 1 clique of 1 vertex was expected",
            Shape::Lollipop { clique: 0, .. } => "a clique of at least 1 vertex was expected",
            Shape::Bipartite { first, second } if first.min(second) == 0 => "sides of at least 1 were expected",
            Shape::Grid { rows, columns } | Shape::Roads { rows, columns, .. } if rows.min(columns) == 0 => {
                "at least 1 row of 1 vertex was expected"
            }
            Shape::Roads { missing, .. } if missing > 100 => "at most 100 percent were expected",
            Shape::Gnm { vertices, edges } if edges as u128 > pairs(vertices) => {
                "at most one edge for each pair was expected"
            }
            Shape::Geometric { vertices, neighbors } if neighbors >= vertices => {
                "fewer neighbors than vertices were expected"
            }
            Shape::Regular { vertices, degree } if degree >= vertices => "fewer neighbors than vertices were expected",
            Shape::Regular { vertices, degree } if degree % 2 == 1 && vertices % 2 == 1 => {
                "an even number of vertices was expected if each has an odd number of neighbors"
            }
            _ => "",
        };
        if !expected.is_empty() {
            return Err(GenerateError::OutOfRange { shape: self, expected });
        }
        let power = |bits: usize| u32::try_from(bits).ok().and_then(|bits| 1_usize.checked_shl(bits));
        let square = |side: usize| side.checked_mul(side);
        let num_vertices = match self {
            // Its pairs are counted.
            Shape::Gnm { vertices, .. } => vertices.checked_mul(vertices - 1).map(|_| vertices),
            Shape::Random { vertices, .. }
            | Shape::Geometric { vertices, .. }
            | Shape::Path { vertices }
            | Shape::Regular { vertices, .. } => Some(vertices),
            Shape::Uniform { scale: bits, .. }
            | Shape::Kronecker { scale: bits, .. }
            | Shape::Rmat { scale: bits, .. } => power(bits),
            Shape::Hypercube { dimensions } => power(dimensions),
            Shape::Torus { side } => square(side),
            Shape::Cube { side } => square(side).and_then(|face| face.checked_mul(side)),
            Shape::Meshes { first, second } => {
                square(first).and_then(|first| square(second).and_then(|second| first.checked_add(second)))
            }
            Shape::BinTree { levels } => power(levels).map(|more| more - 1),
            Shape::Islands { count, size, side } => {
                square(side).and_then(|first| count.checked_mul(size).and_then(|second| first.checked_add(second)))
            }
            Shape::Stars { count, leaves } | Shape::Galaxy { count, leaves } => {
                leaves.checked_add(1).and_then(|each| count.checked_mul(each))
            }
            Shape::Cycles { count, size } | Shape::Cliques { count, size } => count.checked_mul(size),
            Shape::Lollipop { clique: first, tail: second } | Shape::Bipartite { first, second } => {
                first.checked_add(second)
            }
            Shape::Grid { rows, columns } | Shape::Roads { rows, columns, .. } => rows.checked_mul(columns),
        };
        num_vertices.ok_or(GenerateError::TooLarge { shape: self })
    }

    /// The number of edges that are drawn for a random shape, 0 for others.
    pub(super) fn num_draws(self, num_vertices: usize) -> Result<usize, GenerateError> {
        if let Shape::Gnm { edges, .. } = self {
            // Twice as many arcs fit in a `usize`, since those of all pairs do.
            return Ok(edges);
        }
        if let Shape::Rmat { edges, .. } = self {
            return if edges <= usize::MAX / 2 { Ok(edges) } else { Err(GenerateError::TooLarge { shape: self }) };
        }
        let (Shape::Random { picks: each, .. }
        | Shape::Geometric { neighbors: each, .. }
        | Shape::Uniform { degree: each, .. }
        | Shape::Kronecker { degree: each, .. }) = self
        else {
            return Ok(0);
        };
        // Twice as many arcs must fit in a `usize`.
        let draws = num_vertices.checked_mul(each).filter(|draws| *draws <= usize::MAX / 2);
        draws.ok_or(GenerateError::TooLarge { shape: self })
    }
}

/// The number of pairs of vertices, which are at least 1.
fn pairs(vertices: usize) -> u128 {
    vertices as u128 * (vertices as u128 - 1) / 2
}
