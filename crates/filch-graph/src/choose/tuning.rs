//! Every threshold of the algorithms, once: its unit, what it trades, and the command that measures it.
//!
//! A value that is twice or half as large changes little, unless it says so. Three commands measure them:
//!
//! - *zoo*: `filch bench zoo`, `filch forest` and `filch components` with `--against serial --workers 1,2`
//! - *searches*: `cargo bench --profile measured -p filch-graph-io --bench searches -- 'kronecker(21)' 2`
//! - *algorithms*: `cargo bench --profile measured -p filch-graph-io --bench algorithms -- 'kronecker(20)'`
//!
//! `filch bfs --explain` shows what is chosen for a graph, and why.

// Samples, whose cost is noticed on graphs of some ten thousand vertices. Measured with: zoo.

/// Vertices or arcs in a sample; a percentage is exact to three.
pub(crate) const SAMPLES: usize = 1 << 10;
/// Vertices in the sample for [`PULL_PAYS_PERCENT`]: 100, 140 and 200 % are three standard deviations apart.
pub(crate) const PULL_SAMPLES: usize = 1 << 12;
/// Vertices in the sample before a bottom-up step; fewer would miss hubs.
pub(crate) const BFS_SAMPLES: usize = 1 << 8;
/// Places of a graph or of a frontier at which the order of its numbers is judged. At each, a run of one in so many of
/// the vertices between two places finds what a sample misses.
pub(crate) const PLACES: usize = 1 << 6;
/// Arcs looked at in each place.
pub(crate) const ARCS: usize = 4;
/// Numbers that differ by less are close: what is stored for them is in one small page of memory.
pub(crate) const NEAR_NUMBERS: usize = 1 << 10;
/// Arcs of a sample, in percent, that lead to close numbers where a pass is in order.
pub(crate) const ORDERLY_PERCENT: usize = 75;
/// Bytes that are in a second-level cache, of 1 or 2 MiB since 2020; beyond it, prefetching and many workers save time.
pub(crate) const NEAR_BYTES: usize = 1 << 20;

// Pieces of work: fewer balance worse, more cost more. Measured with: searches, algorithms.

/// Vertices in a piece of a pass in the order of the numbers.
pub(crate) const PIECE: usize = 1 << 10;
/// Vertices in a piece of a frontier, or of a pass over rows that take long. A frontier that is a single piece is
/// searched by plain code.
pub(crate) const CHUNK: usize = 1 << 6;
/// Pieces for each worker, where there is less than this makes of the above.
pub(crate) const PIECES: usize = 8;
/// Vertices that a worker goes on with by itself before it leaves what it has found to all: it stops when more than so
/// many wait (`sssp`, where GAPBS has this value), or when it has removed so many (cores).
pub(crate) const BUDGET: usize = 1000;
/// Vertices by which prefetching runs ahead, for each read that waits for another: covers the latency of memory.
pub(crate) const AHEAD: usize = 8;
/// Vertices between the first look ahead of a traversal and the visit. A tree of which no more wait is narrow.
pub(crate) const VISIT: usize = 3 * AHEAD;

// When others help: sharing takes some 0.1 ms until they do. Measured with: zoo.

/// Vertices and arcs that one worker sees sooner than another one has begun; progress is reported as often.
pub(crate) const SMALL: usize = 1 << 14;
/// Vertices of a level, or arcs of a row, that one worker visits sooner than another one has begun.
pub(crate) const SHARED: usize = 1 << 9;

// Forests and components. Measured with: zoo.

/// Arcs for each vertex up to which a sweep by one worker, in no order, is faster than Afforest by one worker.
pub(crate) const SWEPT: usize = 4;
/// Arcs for each vertex up to which no search comes before it: trees, cycles, graphs with a deep giant component.
pub(crate) const THIN: usize = 2;
/// Arcs for each vertex up to which a pass over all of them by one worker is as fast as another way: for components,
/// that which follows the first one of each vertex first; for forests, where W workers share the other way, a W-th.
pub(crate) const SWEEP_WORTH: usize = 8;
/// One in so many is little: a first tree, what is left after a giant component, a component that is no giant.
pub(crate) const LITTLE: usize = 64;
/// Vertices next to a first tree, in percent of its own, from which pulling pays: 100 in a binary tree, where it takes
/// longer than visiting, 200 in a random graph with four arcs for each vertex, where it takes half as long.
pub(crate) const PULL_PAYS_PERCENT: usize = 140;
/// Pulling goes on while one in so many open vertices is pulled: a look that finds nothing is cheaper than a visit.
pub(crate) const PULL_GOES_ON: usize = 8;
/// Arcs of each vertex that Afforest follows first (Sutton, Ben-Nun and Barak 2018).
pub(crate) const ROUNDS: usize = 2;
/// Vertices for each arc between pieces of a sweep, below which one worker sweeps: linking takes several times as long.
pub(crate) const VERTICES_PER_LINK: usize = 16;

// Searches for a component, forward and backward. Measured with: searches, algorithms.

/// Levels of a search before it is abandoned: random graphs have fewer, meshes more.
pub(crate) const DEPTH: usize = 32;
/// One in so many arcs leaves a frontier from which on open vertices look for it. What a pass reaches makes the rest of
/// the pass cheap, so this is early; values from 32 to 256 differ by less than a tenth.
pub(crate) const WIDE_FRONTIER: usize = 128;
/// Looks that open vertices may take in a search, as a multiple of all arcs. In a breadth-first search, the vertices
/// count, too.
pub(crate) const LOOKS: usize = 4;
/// Workers from which what is left of strong components is coloured, which takes as many times the work.
pub(crate) const COLORED: usize = 16;

// Breadth-first search. Measured with: searches, zoo.

/// One in so many arcs or vertices makes a level wide (Beamer, Asanović and Patterson 2012, section 5; GAPBS has 15 for
/// arcs and 18 for vertices). A bottom-up step was dear if it took so many looks for each arc that it gained. More: the
/// search goes up earlier, and down later, which saves claims and costs looks.
pub(crate) const WIDE_LEVEL: usize = 16;
/// Vertices for each arc of a frontier below which a level is found by a pass over all vertices, without claims.
pub(crate) const BFS_SWEEP: usize = 32;
/// Looks that take as long as following an arc to a place of its own.
pub(crate) const LOOKS_PER_ARC: usize = 3;
/// A sample with so many times the looks that are expected shows vertices that cannot be reached.
pub(crate) const IN_VAIN: usize = 2;
/// One worker goes on after an orderly level until one is so many times as wide.
pub(crate) const WIDER: usize = 2;

// The other problems. Measured with: algorithms, and `filch sssp` and `filch msf` with `--against serial`.

/// Buckets of shortest paths for the heaviest of as many arcs as a vertex has: more save work, fewer make steps wide.
pub(crate) const STEPS_PER_ARC: usize = 2;
/// Buckets between a vertex and its neighbors at most; neighbors beyond are processed early, which costs work.
pub(crate) const MOST_BINS: usize = 1 << 12;
/// Vertices of a bucket from which workers share it; sharing it takes them as long as it takes one to process as many.
pub(crate) const WIDE_BUCKET: usize = 1 << 11;
/// Light edges for each vertex: in a random graph, as many join most vertices to one tree.
pub(crate) const LIGHT: usize = 2;
/// Workers from which edges are chosen in rounds: a round reads an edge several times, at random places, and costs as
/// much as sorting it twice.
pub(crate) const ROUNDS_WORKERS: usize = 4;
/// Lists of edges that are sorted apart: more are in a cache each and balance better.
pub(crate) const LISTS: usize = 1 << 6;
/// Lookups for each arc from which renumbering by degree pays for triangles; it takes longer than as many.
pub(crate) const LOOKUPS_PER_ARC: usize = 4;
/// Times as many lookups as in a graph of equal degrees, for which no order is better, from which it pays.
pub(crate) const SKEW: u64 = 2;
