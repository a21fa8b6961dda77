//! Graphs to try algorithms on: the families of the papers and of the usual benchmarks.
//!
//! A graph depends on its specification and its seed, not on the number of workers: random numbers are had by position
//! ([`draws`]), and so are shuffled labels ([`permutation`]). Families with a formula for their neighbours are written
//! down as they are ([`lattices`]); the others come from lists of edges ([`random`]).

mod draws;
mod lattices;
mod parse;
mod permutation;
mod random;

pub use parse::ParseSpecError;

use crate::build::{self, Rules};
use crate::{BuildError, Csr, Vertex, Watch};
use draws::Draws;
use permutation::Permutation;

/// What graph to generate: its shape, and how its vertices are numbered. From text, and to text:
///
/// ```
/// use filch_graph::{Csr, Graph, GraphSpec};
///
/// let spec: GraphSpec = "torus(100),shuffled".parse()?;
/// let graph: Csr = spec.generate(42)?;
/// assert_eq!((graph.num_vertices(), graph.num_edges()), (10_000, 20_000));
/// assert_eq!(spec.to_string(), "torus(100),shuffled");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GraphSpec {
    /// The shape.
    pub shape: Shape,
    /// The numbering.
    pub labels: Labels,
}

/// How vertices are numbered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Labels {
    /// In the order that the shape suggests, by rows or levels: close vertices have close numbers, and are close in
    /// memory. Of random graphs, whose vertices are all alike, as they come.
    #[default]
    RowOrder,
    /// In a random order, which depends on the seed.
    Shuffled,
}

/// A family of graphs, with its size. All are undirected, without self-loops and without duplicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Shape {
    /// `random(n,m)`: each of n vertices picks m neighbours, evenly among all; so some 2 m n arcs (papers:
    /// tascell-graphs.txt section 6).
    Random {
        /// How many vertices.
        vertices: usize,
        /// How many neighbours each of them picks.
        picks: usize,
    },
    /// `uniform(s)` or `uniform(s,d)`: 2^s vertices and d times as many edges, 16 if not said, between ends drawn
    /// evenly; those of the GAP benchmark suite (`-u`).
    Uniform {
        /// The logarithm of the number of vertices.
        scale: usize,
        /// How many edges are drawn for each vertex.
        degree: usize,
    },
    /// `kronecker(s)` or `kronecker(s,d)`: 2^s vertices and d times as many edges, 16 if not said, most of them at few
    /// vertices; those of Graph500 and of the GAP benchmark suite (`-g`), with A = 0.57, B = C = 0.19. Labels are
    /// always shuffled: as they come, they would give the degrees away.
    Kronecker {
        /// The logarithm of the number of vertices.
        scale: usize,
        /// How many edges are drawn for each vertex.
        degree: usize,
    },
    /// `torus(s)`: s times s vertices, each with the four next to it, around the edges (xws.txt section 3).
    Torus {
        /// The length of each side.
        side: usize,
    },
    /// `hypercube(d)`: 2^d vertices, neighbours if their numbers differ in one bit (tascell-graphs.txt section 6).
    Hypercube {
        /// The number of dimensions, and of neighbours.
        dimensions: usize,
    },
    /// `meshes(a,b)`: a square mesh of a times a vertices and one of b times b after it, joined by one edge from the
    /// last vertex of the first one to the first of the second one: who starts at vertex 0 crosses the one mesh,
    /// then the other one. What has become serial by the time that it is through the link stays so
    /// (tascell-graphs.txt section 7.3; it says that the second mesh is larger, maybe ten times, and leaves the
    /// ends of the link to a picture).
    Meshes {
        /// The length of each side of the first mesh.
        first: usize,
        /// The length of each side of the second mesh.
        second: usize,
    },
    /// `path(n)`: n vertices in a line. Nothing can be done in parallel, unless it starts in several places.
    Path {
        /// How many vertices.
        vertices: usize,
    },
    /// `regular(n,k)`: n vertices in a ring, each joined to the k that are next to it. The papers have k-regular
    /// geometric graphs (xws.txt section 3); this is the one in which all vertices have k neighbours.
    Regular {
        /// How many vertices.
        vertices: usize,
        /// How many neighbours each of them has. If odd, one of them is opposite, and the number of vertices is even.
        degree: usize,
    },
    /// `bintree(l)`: a complete binary tree of 2^l - 1 vertices, the children of vertex v being 2 v + 1 and 2 v + 2
    /// (tascell-graphs.txt section 6).
    BinTree {
        /// How many levels.
        levels: usize,
    },
    /// `islands(c,s)`: c paths of s vertices each, and nothing between them; `islands(c,s,a)`: after a torus of a times
    /// a vertices. Many real graphs are one large component and a great many tiny ones.
    Islands {
        /// How many paths.
        count: usize,
        /// How many vertices each of them has.
        size: usize,
        /// The length of each side of the torus; 0 without one.
        side: usize,
    },
    /// `stars(c,l)`: c centres in a line, each joined to l leaves of its own, which have no other neighbour.
    Stars {
        /// How many centres.
        count: usize,
        /// How many leaves each of them has.
        leaves: usize,
    },
}

/// Why a graph cannot be generated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// A number that the shape has no meaning for.
    #[error("{shape}: {expected}")]
    OutOfRange {
        /// The shape.
        shape: Shape,
        /// What was expected.
        expected: &'static str,
    },
    /// More vertices or edges than can be counted.
    #[error("{shape} is too large: its vertices or edges cannot be counted in 64 bits")]
    TooLarge {
        /// The shape.
        shape: Shape,
    },
    /// A graph of this size cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
}

impl Shape {
    /// How many vertices there are.
    ///
    /// # Errors
    ///
    /// [`GenerateError`]: a number out of range, or too large a graph for 64 bits.
    pub fn num_vertices(self) -> Result<usize, GenerateError> {
        let expected = match self {
            Shape::Random { vertices: 0, .. } | Shape::Path { vertices: 0 } => "at least 1 vertex was expected",
            Shape::Torus { side: 0 } => "a side of at least 1 was expected",
            Shape::Meshes { first, second } if first.min(second) == 0 => "sides of at least 1 were expected",
            Shape::BinTree { levels: 0 } => "at least 1 level was expected",
            Shape::Islands { count, size, .. } if count.min(size) == 0 => "at least 1 island of 1 vertex was expected",
            Shape::Stars { count: 0, .. } => "at least 1 star was expected",
            Shape::Regular { vertices, degree } if degree >= vertices => "fewer neighbours than vertices were expected",
            Shape::Regular { vertices, degree } if degree % 2 == 1 && vertices % 2 == 1 => {
                "an even number of vertices was expected if each has an odd number of neighbours"
            }
            _ => "",
        };
        if !expected.is_empty() {
            return Err(GenerateError::OutOfRange { shape: self, expected });
        }
        let power = |bits: usize| u32::try_from(bits).ok().and_then(|bits| 1_usize.checked_shl(bits));
        let square = |side: usize| side.checked_mul(side);
        let num_vertices = match self {
            Shape::Random { vertices, .. } | Shape::Path { vertices } | Shape::Regular { vertices, .. } => {
                Some(vertices)
            }
            Shape::Uniform { scale: bits, .. } | Shape::Kronecker { scale: bits, .. } => power(bits),
            Shape::Hypercube { dimensions } => power(dimensions),
            Shape::Torus { side } => square(side),
            Shape::Meshes { first, second } => {
                square(first).and_then(|first| square(second).and_then(|second| first.checked_add(second)))
            }
            Shape::BinTree { levels } => power(levels).map(|more| more - 1),
            Shape::Islands { count, size, side } => {
                square(side).and_then(|first| count.checked_mul(size).and_then(|second| first.checked_add(second)))
            }
            Shape::Stars { count, leaves } => leaves.checked_add(1).and_then(|each| count.checked_mul(each)),
        };
        num_vertices.ok_or(GenerateError::TooLarge { shape: self })
    }

    /// How many edges are drawn, in a random shape.
    fn num_draws(self, num_vertices: usize) -> Result<usize, GenerateError> {
        let (Shape::Random { picks: each, .. }
        | Shape::Uniform { degree: each, .. }
        | Shape::Kronecker { degree: each, .. }) = self
        else {
            return Ok(0);
        };
        // Twice as many arcs must be countable.
        let draws = num_vertices.checked_mul(each).filter(|draws| *draws <= usize::MAX / 2);
        draws.ok_or(GenerateError::TooLarge { shape: self })
    }
}

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
