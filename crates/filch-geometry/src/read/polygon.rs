//! Meshes that have been read, and polygons as triangles.

use super::error::{Fault, Place};

/// Vertices, and triangles all of whose corners are among them.
#[derive(Debug, Default)]
pub(super) struct Raw {
    pub(super) vertices: Vec<[f64; 3]>,
    pub(super) triangles: Vec<[u32; 3]>,
}

/// Divides polygons into triangles that have the first corner in common.
#[derive(Default)]
pub(super) struct Fans {
    pub(super) triangles: Vec<[u32; 3]>,
    /// The first corner and the last one of a polygon that is being read.
    first: Option<u32>,
    last: Option<u32>,
}

impl Fans {
    /// The next corner of a polygon.
    pub(super) fn corner(&mut self, corner: u32) {
        match (self.first, self.last) {
            (Some(first), Some(last)) => {
                self.triangles.push([first, last, corner]);
                self.last = Some(corner);
            }
            (Some(_), None) => self.last = Some(corner),
            (None, _) => self.first = Some(corner),
        }
    }

    /// The end of a polygon, which has so many corners.
    pub(super) fn end(&mut self, corners: u64, place: Place) -> Result<(), Fault> {
        (self.first, self.last) = (None, None);
        if corners < 3 {
            Err(Fault::new(place, "a polygon of at least 3 corners", corners.to_string()))
        } else {
            Ok(())
        }
    }
}
