//! Parallel geometry, on Filch.
//!
//! ```
//! use filch_geometry::{Points, convex_hull, nearest_neighbors};
//!
//! let towns = [[0.0, 0.0], [4.0, 0.0], [4.0, 3.0], [2.5, 1.0]];
//! let towns = Points::new(&towns)?;
//! assert_eq!(convex_hull(towns), [0, 1, 2]);
//! assert_eq!(nearest_neighbors(towns, 1), [3, 3, 3, 1]);
//! # Ok::<(), filch_geometry::PointsError>(())
//! ```
//!
//! | to find | call |
//! |---|---|
//! | the smallest convex polygon around points | [`convex_hull`] |
//! | the points nearest to each point | [`nearest_neighbors`]; [`PointTree`] for points that are not among them |
//! | a triangulation without thin triangles | [`delaunay()`] |
//! | what rays hit first on a [`Mesh`] | [`cast_rays`]; [`Bvh`] for several sets of rays |
//! | the box around points | [`Points::bounds`] |
//! | points and meshes in files, with the feature `read` | `read_points`, `read_mesh` |
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
