//! Meshes of triangles that have been checked.

use crate::bounds::Bounds;

/// Triangles in space, as indices of vertices, whose coordinates are all finite numbers; at most 2^32 - 1 triangles.
///
/// Triangles may be degenerate (a line or a point), and may share vertices or not.
///
/// ```
/// use filch_geometry::Mesh;
///
/// let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// let mesh = Mesh::new(corners.clone(), vec![[0, 1, 2]]).unwrap();
/// assert_eq!(mesh.bounds().high, [1.0, 1.0, 0.0]);
/// let error = Mesh::new(corners, vec![[0, 1, 2], [0, 1, 3]]).unwrap_err();
/// assert_eq!(error.to_string(), "triangle 1: expected indices below 3, the number of vertices, found [0, 1, 3]");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    vertices: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
}

/// Why this is not a [`Mesh`].
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MeshError {
    /// A coordinate is infinite or not a number.
    #[error("vertex {vertex}: expected finite coordinates, found {found:?}")]
    NotFinite {
        /// The index of the first such vertex.
        vertex: usize,
        /// Its coordinates.
        found: [f64; 3],
    },
    /// A corner of a triangle is not a vertex.
    #[error("triangle {triangle}: expected indices below {vertices}, the number of vertices, found {found:?}")]
    NoSuchVertex {
        /// The index of the first such triangle.
        triangle: usize,
        /// Its corners.
        found: [u32; 3],
        /// How many vertices there are.
        vertices: usize,
    },
    /// There are too many triangles.
    #[error("expected at most {} triangles, found {found}", u32::MAX)]
    TooMany {
        /// How many there are.
        found: usize,
    },
}

impl Mesh {
    /// Checks vertices, and triangles that name their corners.
    ///
    /// Work: O(n). Span: as [`find_first`](filch_algorithms::find_first).
    ///
    /// # Errors
    ///
    /// The first vertex that has a coordinate that is not finite, or the first triangle with a corner that is not among
    /// the vertices, or the number of triangles if it is too large.
    pub fn new(vertices: Vec<[f64; 3]>, triangles: Vec<[u32; 3]>) -> Result<Self, MeshError> {
        if u32::try_from(triangles.len()).is_err() {
            return Err(MeshError::TooMany { found: triangles.len() });
        }
        if let Some(vertex) = filch_algorithms::find_first(&vertices, |vertex| !vertex.iter().all(|x| x.is_finite())) {
            return Err(MeshError::NotFinite { vertex, found: vertices[vertex] });
        }
        let count = vertices.len();
        let is_outside = |triangle: &[u32; 3]| triangle.iter().any(|&corner| corner as usize >= count);
        match filch_algorithms::find_first(&triangles, is_outside) {
            Some(triangle) => {
                Err(MeshError::NoSuchVertex { triangle, found: triangles[triangle], vertices: vertices.len() })
            }
            None => Ok(Mesh { vertices, triangles }),
        }
    }

    /// The vertices.
    #[must_use]
    pub fn vertices(&self) -> &[[f64; 3]] {
        &self.vertices
    }

    /// The triangles, as indices of vertices.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The corners of a triangle.
    ///
    /// # Panics
    ///
    /// If there is no such triangle.
    #[inline]
    #[must_use]
    pub fn corners(&self, triangle: u32) -> [[f64; 3]; 3] {
        self.triangles[triangle as usize].map(|corner| self.vertices[corner as usize])
    }

    /// The smallest box around all vertices, also those of no triangle; empty if there are none.
    ///
    /// Work: O(n). Span: as [`reduce`](filch_algorithms::reduce).
    #[must_use]
    pub fn bounds(&self) -> Bounds<3> {
        filch_algorithms::reduce(&self.vertices, || Bounds::EMPTY, |&vertex| Bounds::of(vertex), Bounds::union)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_vertex_that_is_not_finite_is_named() {
        let mut vertices = vec![[0.0; 3]; 1000];
        vertices[700][1] = f64::NEG_INFINITY;
        vertices[900][2] = f64::NAN;
        let error = Mesh::new(vertices, vec![[0, 1, 1000]]).unwrap_err();
        assert_eq!(error, MeshError::NotFinite { vertex: 700, found: [0.0, f64::NEG_INFINITY, 0.0] });
    }

    #[test]
    fn the_first_triangle_with_a_corner_that_does_not_exist_is_named() {
        let mut triangles = vec![[0, 1, 2]; 1000];
        triangles[800] = [3, 0, 0];
        triangles[900] = [0, 7, 1];
        let error = Mesh::new(vec![[0.0; 3]; 3], triangles).unwrap_err();
        assert_eq!(error, MeshError::NoSuchVertex { triangle: 800, found: [3, 0, 0], vertices: 3 });
        assert!(Mesh::new(Vec::new(), vec![[0, 0, 0]]).is_err());
    }

    #[test]
    fn a_mesh_without_triangles_and_one_without_area_are_meshes() {
        assert_eq!(Mesh::new(Vec::new(), Vec::new()).unwrap().bounds(), Bounds::EMPTY);
        let point = Mesh::new(vec![[1.0, 2.0, 3.0]], vec![[0, 0, 0]]).unwrap();
        assert_eq!(point.corners(0), [[1.0, 2.0, 3.0]; 3]);
    }
}
