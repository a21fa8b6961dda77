//! Families of graphs.

/// A family of graphs and its parameters. All graphs are undirected, without self-loops and without duplicate edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Shape {
    /// `random(n,m)`: each of n vertices picks m neighbors uniformly at random, which gives about 2 m n arcs (Yasugi,
    /// Hiraishi, Umatani and Yuasa 2012, section 6). `random(n,m,b)`: it picks them among the first 2^b vertices. The
    /// tables there are those of b = 15: so many pairs are drawn twice, and there are so few stages.
    Random {
        /// The number of vertices.
        vertices: usize,
        /// The number of neighbors that each vertex picks.
        picks: usize,
        /// The number of bits of a pick, or 0 if any vertex can be picked.
        bits: usize,
    },
    /// `uniform(s)` or `uniform(s,d)`: 2^s vertices and d edges per vertex (16 by default), with ends drawn uniformly.
    /// The same family as option `-u` of the GAP Benchmark Suite.
    Uniform {
        /// The binary logarithm of the number of vertices.
        scale: usize,
        /// The number of edges that are drawn per vertex.
        degree: usize,
    },
    /// `kronecker(s)` or `kronecker(s,d)`: 2^s vertices and d edges per vertex (16 by default), most of them at few
    /// vertices. The same family as in Graph500 and option `-g` of the GAP Benchmark Suite, with A = 0.57 and B = C =
    /// 0.19. Labels are always shuffled, because otherwise the number of a vertex would reveal its degree.
    Kronecker {
        /// The binary logarithm of the number of vertices.
        scale: usize,
        /// The number of edges that are drawn per vertex.
        degree: usize,
    },
    /// `rmat(s,m)`: 2^s vertices and m edges, drawn as for `kronecker`, with A = 0.5 and B = C = 0.1, and labels as
    /// they come. The same family as of the generator `rMatGraph` of the Problem Based Benchmark Suite: its `rMat24`
    /// is `rmat(24,119000000)`.
    Rmat {
        /// The binary logarithm of the number of vertices.
        scale: usize,
        /// The number of edges that are drawn.
        edges: usize,
    },
    /// `gnm(n,m)`: n vertices and exactly m edges, drawn uniformly from all pairs: the random graphs of Erdős and Rényi
    /// (1959), and of Cong, Kodali, Krishnamoorthy, Lea, Saraswat and Wen (2008, section 1.4).
    Gnm {
        /// The number of vertices.
        vertices: usize,
        /// The number of edges.
        edges: usize,
    },
    /// `geometric(n,k)`: n points drawn in the unit square, each joined to the k nearest others, in either direction
    /// (Cong et al. 2008, section 1.4). So degrees are k and more. The points are numbered by cells of two points each,
    /// row by row.
    Geometric {
        /// The number of vertices.
        vertices: usize,
        /// The number of nearest others to which each is joined.
        neighbors: usize,
    },
    /// `torus(s)`: s times s vertices on a torus, each joined to the four next to it (Cong, Kodali, Krishnamoorthy,
    /// Lea, Saraswat and Wen 2008, section 1.4).
    Torus {
        /// The number of vertices along each side.
        side: usize,
    },
    /// `cube(s)`: s times s times s vertices on a torus of three dimensions, each joined to the six next to it (Acar,
    /// Charguéraud, Guatto, Rainey and Sieczkowski 2018, appendix A).
    Cube {
        /// The number of vertices along each side.
        side: usize,
    },
    /// `hypercube(d)`: 2^d vertices. Two vertices are neighbors if their numbers differ in one bit (Yasugi et al. 2012,
    /// section 6).
    Hypercube {
        /// The number of dimensions, which is also the degree of each vertex.
        dimensions: usize,
    },
    /// `meshes(a,b)`: a square mesh of a times a vertices and one of b times b vertices, joined by one edge between the
    /// last vertex of the first mesh and the first vertex of the second one. A traversal from vertex 0 covers the first
    /// mesh before the second one, and if only one worker has work when it crosses the link, a scheduler that limits
    /// the depth of parallelism stays serial (Yasugi et al. 2012, section 7.3, which shows the ends of the link in
    /// figure 13, and mentions a second part ten times as large).
    Meshes {
        /// The number of vertices along each side of the first mesh.
        first: usize,
        /// The number of vertices along each side of the second mesh.
        second: usize,
    },
    /// `path(n)`: n vertices in a line. A traversal has no parallelism, unless it starts in several places.
    Path {
        /// The number of vertices.
        vertices: usize,
    },
    /// `regular(n,k)`: n vertices in a ring, each joined to the k nearest ones: geometric graphs in one dimension, in
    /// which all degrees are k.
    Regular {
        /// The number of vertices.
        vertices: usize,
        /// The number of neighbors of each vertex. If it is odd, one of them is opposite in the ring, and the number of
        /// vertices must be even.
        degree: usize,
    },
    /// `bintree(l)`: a complete binary tree of 2^l - 1 vertices (Yasugi et al. 2012, section 6). The children of vertex
    /// v are 2 v + 1 and 2 v + 2.
    BinTree {
        /// The number of levels.
        levels: usize,
    },
    /// `islands(c,s)`: c separate paths of s vertices each. `islands(c,s,a)`: the same, preceded by a torus of a times
    /// a vertices. Many real graphs have one large component and very many tiny ones.
    Islands {
        /// The number of paths.
        count: usize,
        /// The number of vertices of each path.
        size: usize,
        /// The number of vertices along each side of the torus, 0 without a torus.
        side: usize,
    },
    /// `stars(c,l)`: c centers in a line, each joined to l leaves that have no other neighbor: a caterpillar.
    Stars {
        /// The number of centers.
        count: usize,
        /// The number of leaves of each center.
        leaves: usize,
    },
    /// `galaxy(c,l)`: c separate stars of l leaves each. The number of a center is followed by those of its leaves.
    Galaxy {
        /// The number of stars.
        count: usize,
        /// The number of leaves of each star.
        leaves: usize,
    },
    /// `cycles(c,s)`: c separate cycles of s vertices each.
    Cycles {
        /// The number of cycles.
        count: usize,
        /// The number of vertices of each cycle, at least 3.
        size: usize,
    },
    /// `cliques(c,s)`: c separate cliques of s vertices each.
    Cliques {
        /// The number of cliques.
        count: usize,
        /// The number of vertices of each clique.
        size: usize,
    },
    /// `lollipop(k,t)`: a clique of k vertices, and a path of t more vertices that begins at the last of the clique.
    Lollipop {
        /// The number of vertices of the clique.
        clique: usize,
        /// The number of vertices of the path.
        tail: usize,
    },
    /// `bipartite(a,b)`: the complete bipartite graph: each of a vertices is joined to each of b others. If a is small,
    /// a few rows are huge.
    Bipartite {
        /// The number of vertices on the first side.
        first: usize,
        /// The number of vertices on the second side.
        second: usize,
    },
    /// `grid(r,c)`: r rows of c vertices each, numbered row by row, each joined to the next in its row and in its
    /// column.
    Grid {
        /// The number of rows.
        rows: usize,
        /// The number of vertices of each row.
        columns: usize,
    },
    /// `roads(r,c,p)`: a grid from which p percent of the edges are missing, at random: like streets, with holes.
    Roads {
        /// The number of rows.
        rows: usize,
        /// The number of vertices of each row.
        columns: usize,
        /// The probability that an edge is missing, in percent.
        missing: usize,
    },
}

impl Shape {
    /// Whether its edges are drawn one by one, each from its position.
    pub(super) fn is_drawn(self) -> bool {
        matches!(
            self,
            Shape::Random { .. }
                | Shape::Uniform { .. }
                | Shape::Kronecker { .. }
                | Shape::Rmat { .. }
                | Shape::Gnm { .. }
        )
    }
}
