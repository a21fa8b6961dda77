//! Parallel geometry, on Filch.
//!
//! Points are arrays of `f64`. [`Points`] are some of them, all finite, which is checked once; results name them by
//! their indices. Predicates are exact, so points may lie on a line or in the same place.
//!
//! There is no grain to choose, and results are the same on any number of workers. The algorithms run on the pool of
//! the surrounding [`run`](filch::Pool::run), or else on the global pool.

// Which items need a feature is shown at docs.rs.
#![cfg_attr(docsrs, feature(doc_cfg))]

// xtask/layers.txt has the layers.

mod bounds;
mod delaunay;
mod hull;
mod mesh;
mod morton;
mod neighbours;
mod points;
mod predicates;
mod rays;
#[cfg(feature = "read")]
mod read;
mod scale;

pub use bounds::Bounds;
pub use delaunay::{DelaunayError, Triangulation, delaunay};
pub use hull::convex_hull;
pub use mesh::{Mesh, MeshError};
pub use neighbours::{PointTree, nearest_neighbors};
pub use points::{Points, PointsError};
pub use rays::{Bvh, Hit, Ray, RayError, cast_rays};
#[cfg(feature = "read")]
pub use read::{Place, ReadError, read_mesh, read_points};
