//! Graphs to try algorithms on: the families of the papers and of the usual benchmarks.
//!
//! A graph depends on its specification and its seed, not on the number of workers: random numbers are had by position
//! ([`draws`]), and so are shuffled labels ([`permutation`]). Families with a formula for their neighbours are written
//! down as they are ([`lattices`]); the others come from lists of edges ([`random`]).

mod draws;
mod error;
mod lattices;
mod parse;
mod permutation;
mod random;
mod shape;
mod size;
mod spec;

pub use error::GenerateError;
pub use parse::ParseSpecError;
pub use shape::Shape;
pub use spec::{GraphSpec, Labels};

use crate::build::BuildError;
use crate::build::{self, Rules};
use crate::csr::Csr;
use crate::vertex::Vertex;
use crate::watch::Watch;
use draws::Draws;
use permutation::Permutation;

/// What random numbers are for.
const FOR_EDGES: u64 = 1;
const FOR_LABELS: u64 = 2;

impl GraphSpec {
    /// The graph, generated in parallel: always the same for a seed, on however many workers.
    ///
    /// Work: O(n + m) and the sorting of rows. Memory: that of the graph if it has a formula; for random shapes, up to
    /// three times as much.
    ///
    /// # Errors
    ///
    /// [`GenerateError`]: a number out of range, more vertices than `V` counts, or not enough memory.
    pub fn generate<V: Vertex>(&self, seed: u64) -> Result<Csr<V>, GenerateError> {
        self.generate_watched(seed, &())
    }

    /// [`generate`](Self::generate), and `watch` is told how far it has come.
    ///
    /// # Errors
    ///
    /// As there.
    ///
    /// # Panics
    ///
    /// If `watch` does.
    pub fn generate_watched<V: Vertex>(&self, seed: u64, watch: &dyn Watch) -> Result<Csr<V>, GenerateError> {
        let n = self.shape.num_vertices()?;
        let num_draws = self.shape.num_draws(n)?;
        if n > V::MAX_COUNT {
            return Err(BuildError::TooManyVertices { num_vertices: n, max: V::MAX_COUNT }.into());
        }
        // Refused now, not when all edges have been drawn and counted.
        build::with_room::<(V, V)>(2 * num_draws)?;
        let labels = Permutation::new(n, Draws::new(seed, FOR_LABELS));
        let draws = Draws::new(seed, FOR_EDGES);
        let rows = match self.shape {
            Shape::Random { vertices, picks } => {
                let edges = random::picked(vertices, picks, num_draws, draws);
                build::rows_of(n, &edges, true, Rules::SIMPLE, watch)?
            }
            Shape::Uniform { .. } => {
                let edges = random::uniform(n, num_draws, draws);
                build::rows_of(n, &edges, true, Rules::SIMPLE, watch)?
            }
            Shape::Kronecker { scale, .. } => {
                let edges = random::kronecker(scale, num_draws, draws, labels, watch)?;
                build::rows_of(n, &edges, true, Rules::SIMPLE, watch)?
            }
            shape => lattices::rows(n, shape, (self.labels == Labels::Shuffled).then_some(labels), watch)?,
        };
        Ok(Csr::from_rows(rows, None))
    }
}
