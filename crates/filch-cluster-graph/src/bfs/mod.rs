//! Breadth-first search.
//!
//! Level by level, in the direction that seems cheaper ([`choose`]). Top-down, ranks follow the arcs of the frontier,
//! and tell the owners of the vertices that they reach, each rank each vertex once in the whole search. Bottom-up, all
//! ranks get the frontier as a bitmap, and look for it from their vertices that have not been reached (Beamer, Asanović
//! and Patterson 2012; on several machines Beamer, Buluç, Asanović and Patterson 2013).

mod choose;

pub use choose::Direction;

use crate::error::GraphError;
use crate::graph::ClusterGraph;
use crate::wire::{Wire, bytes_of, numbers_of, pairs_of};
use choose::{Facts, direction};
use filch_algorithms::tabulate;
use filch_cluster::Cluster;
use filch_graph::bfs::UNREACHED;
use filch_graph::{AtomicVertex, Vertex};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// A breadth-first search, as a rank knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BfsHere<V = u32> {
    /// The number of arcs on a shortest path from the root to each vertex of this rank, or
    /// [`UNREACHED`].
    pub depths: Vec<u32>,
    /// The parent of each vertex of this rank: its predecessor on a shortest path, the root itself for the root, and
    /// [`Vertex::NONE`] for an unreached vertex. If there are several, the choice is nondeterministic.
    pub parents: Vec<V>,
    /// The number of vertices on each level of the whole graph, and how the next level was found.
    pub levels: Vec<(u64, Direction)>,
}

impl<V> BfsHere<V> {
    /// The number of vertices of the whole graph that have been reached.
    pub fn num_reached(&self) -> u64 {
        self.levels.iter().map(|level| level.0).sum()
    }
}

/// The distances of all vertices from `root`, and their parents. All ranks must call this.
///
/// Memory of a rank, beside the graph: a vertex and eight bytes for each of its vertices, two bits for each vertex of
/// the graph, and two vertices for each ghost that it reaches in a level.
///
/// # Errors
///
/// If `root` is not a vertex, or if a rank is lost or fails.
pub fn bfs<V: Vertex + Wire>(
    cluster: &Cluster,
    graph: &ClusterGraph<V>,
    root: usize,
) -> Result<BfsHere<V>, GraphError> {
    let num_vertices = graph.num_vertices();
    if root >= num_vertices {
        return Err(GraphError::NoVertex { vertex: root, num_vertices });
    }
    let search = cluster.pool().run(|_| Search::new(graph));
    let mut frontier = Vec::new();
    if graph.here.contains(&root) {
        search.claim(root, V::new(root), 0);
        frontier.push(V::new(root - graph.here.start));
    }
    let mut levels = Vec::new();
    let (mut arcs_left, mut before, mut way) = (graph.num_arcs(), 0, Direction::TopDown);
    for depth in 0.. {
        let arcs = frontier.iter().map(|place| graph.out.degree(place.index()) as u64).sum::<u64>();
        let (vertices, arcs) = cluster.all_reduce(&(frontier.len() as u64, arcs), |a, b| (a.0 + b.0, a.1 + b.1))?;
        if vertices == 0 {
            break;
        }
        way = direction(&Facts { num_vertices: num_vertices as u64, vertices, arcs, arcs_left, before, way });
        levels.push((vertices, way));
        (before, arcs_left) = (vertices, arcs_left - arcs);
        frontier = match way {
            Direction::TopDown => search.top_down(cluster, &frontier, depth + 1)?,
            Direction::BottomUp => search.bottom_up(cluster, &frontier, depth + 1)?,
        };
    }
    let depths = search.depths.into_iter().map(AtomicU32::into_inner).collect();
    Ok(BfsHere { depths, parents: V::Atomic::into_vertices(search.parents), levels })
}

/// How many vertices a worker goes through at a time.
const PIECE: usize = 1 << 10;

struct Search<'g, V: Vertex> {
    graph: &'g ClusterGraph<V>,
    depths: Vec<AtomicU32>,
    parents: Vec<V::Atomic>,
    /// A bit for each vertex of the graph: whether its owner need not be told of it any more.
    told: Vec<AtomicU64>,
}

/// What a part of the frontier has reached: vertices of this rank, and bytes for others.
struct Reached<V> {
    own: Vec<V>,
    told: Vec<Vec<u8>>,
}

impl<V> Reached<V> {
    fn none(ranks: usize) -> Self {
        Reached { own: Vec::new(), told: vec![Vec::new(); ranks] }
    }

    fn and(mut self, other: Self) -> Self {
        self.own.extend(other.own);
        self.told.iter_mut().zip(other.told).for_each(|(all, bytes)| all.extend(bytes));
        self
    }
}

impl<'g, V: Vertex + Wire> Search<'g, V> {
    fn new(graph: &'g ClusterGraph<V>) -> Self {
        Search {
            graph,
            depths: tabulate(graph.here.len(), |_| AtomicU32::new(UNREACHED)),
            parents: tabulate(graph.here.len(), |_| V::Atomic::new(V::NONE)),
            told: tabulate(graph.num_vertices().div_ceil(64), |_| AtomicU64::new(0)),
        }
    }

    /// Gives a vertex of this rank a depth and a parent. Returns whether it had none before.
    #[inline(always)]
    fn claim(&self, vertex: usize, parent: V, depth: u32) -> bool {
        let place = vertex - self.graph.here.start;
        let cell = &self.depths[place];
        // Relaxed: what is written is read after the loop has ended.
        let is_new = cell.load(Ordering::Relaxed) == UNREACHED
            && cell.compare_exchange(UNREACHED, depth, Ordering::Relaxed, Ordering::Relaxed).is_ok();
        if is_new {
            self.parents[place].store(parent);
        }
        is_new
    }

    fn top_down(&self, cluster: &Cluster, frontier: &[V], depth: u32) -> Result<Vec<V>, GraphError> {
        let (graph, ranks) = (self.graph, cluster.size());
        let start = graph.here.start;
        let follow = |places: &[V]| {
            let mut reached = Reached::none(ranks);
            for place in places {
                let parent = V::new(start + place.index());
                for &v in graph.out.row(place.index()) {
                    if graph.here.contains(&v.index()) {
                        if self.claim(v.index(), parent, depth) {
                            reached.own.push(V::new(v.index() - start));
                        }
                    } else if self.is_first_told(v.index()) {
                        let to = &mut reached.told[graph.blocks.owner(v.index())];
                        v.put(to);
                        parent.put(to);
                    }
                }
            }
            reached
        };
        let all = |pieces: &[V]| {
            let none = || Reached::none(ranks);
            filch::map_reduce(filch::chunks(pieces, PIECE), none, |_, places| follow(places), Reached::and)
        };
        let Reached { mut own, told } = cluster.pool().run(|_| all(frontier));
        for bytes in cluster.exchange(told)? {
            let new = pairs_of::<V>(&bytes).filter(|&(v, parent)| self.claim(v.index(), parent, depth));
            own.extend(new.map(|(v, _)| V::new(v.index() - start)));
        }
        Ok(own)
    }

    #[inline(always)]
    fn is_first_told(&self, vertex: usize) -> bool {
        let (word, bit) = (&self.told[vertex / 64], 1 << (vertex % 64));
        word.load(Ordering::Relaxed) & bit == 0 && word.fetch_or(bit, Ordering::Relaxed) & bit == 0
    }

    fn bottom_up(&self, cluster: &Cluster, frontier: &[V], depth: u32) -> Result<Vec<V>, GraphError> {
        let (graph, rank) = (self.graph, cluster.rank());
        let start = graph.here.start;
        let words = graph.blocks.words_of(rank);
        let mut own = vec![0_u64; words.len()];
        for place in frontier {
            let vertex = start + place.index();
            own[vertex / 64 - words.start] |= 1 << (vertex % 64);
        }
        let incoming = cluster.exchange(vec![bytes_of(own); cluster.size()])?;
        let mut level = vec![0_u64; graph.num_vertices().div_ceil(64)];
        for (from, bytes) in incoming.iter().enumerate() {
            // The first and the last word may be of several ranks.
            let words = &mut level[graph.blocks.words_of(from)];
            words.iter_mut().zip(numbers_of::<u64>(bytes)).for_each(|(word, bits)| *word |= bits);
        }
        let is_in = |v: &&V| level[v.index() / 64] >> (v.index() % 64) & 1 == 1;
        let look = |piece: usize| {
            let mut found = Vec::new();
            for place in piece * PIECE..graph.here.len().min((piece + 1) * PIECE) {
                if self.depths[place].load(Ordering::Relaxed) == UNREACHED
                    && let Some(&parent) = graph.into().row(place).iter().find(is_in)
                {
                    self.depths[place].store(depth, Ordering::Relaxed);
                    self.parents[place].store(parent);
                    found.push(V::new(place));
                }
            }
            found
        };
        let append = |mut a: Vec<V>, b: Vec<V>| {
            a.extend(b);
            a
        };
        let pieces = graph.here.len().div_ceil(PIECE);
        Ok(cluster.pool().run(|_| {
            filch::for_each((&self.told[..], &level[..]), |_, (told, bits)| {
                _ = told.fetch_or(*bits, Ordering::Relaxed)
            });
            filch::map_reduce(0..pieces, Vec::new, |_, piece| look(piece), append)
        }))
    }
}
