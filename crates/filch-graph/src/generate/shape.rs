//! The families of graphs.

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
