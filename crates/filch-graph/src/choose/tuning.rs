//! Every threshold of the algorithms, once: its unit, what it trades, and the command that measures it.
//!
//! A value that is twice or half as large changes little, unless it says so. Three commands measure them:
//!
//! - *zoo*: `filch bench zoo`, `filch forest` and `filch components` with `--against serial --workers 1,2`
//! - *searches*: `cargo run --profile measured -p filch-graph --example searches -- 'kronecker(21)' 2`
//! - *algorithms*: `cargo run --profile measured -p filch-graph --example algorithms -- 'kronecker(20)'`

// Samples, whose cost is noticed on graphs of some ten thousand vertices. Measured with: zoo.

/// Vertices or arcs in a sample; a percentage is exact to three.
pub(crate) const SAMPLES: usize = 1 << 10;
/// Vertices in the sample for [`PULL_PAYS_PERCENT`]: 100, 140 and 200 % are three standard deviations apart.
pub(crate) const PULL_SAMPLES: usize = 1 << 12;
/// Vertices in the sample before a bottom-up step; fewer would miss hubs.
pub(crate) const BFS_SAMPLES: usize = 1 << 8;
/// Places of a graph at which the order of its numbers is judged.
pub(crate) const PLACES: usize = 64;
/// The same of a frontier: each level is judged anew.
pub(crate) const FRONTIER_PLACES: usize = 16;
/// Arcs looked at in each place.
pub(crate) const ARCS: usize = 4;
/// Runs of consecutive vertices, of 1/[`SAMPLES`] of the graph each, that find what a sample misses.
pub(crate) const RUNS: usize = 16;
/// Numbers that differ by less are close: what is stored for them is in one small page of memory.
pub(crate) const NEAR_NUMBERS: usize = 1 << 10;
/// Bytes that are in a second-level cache, of 1 or 2 MiB since 2020; beyond it, prefetching and many workers save time.
pub(crate) const NEAR_BYTES: usize = 1 << 20;

// Pieces of work: fewer balance worse, more cost more. Measured with: searches, algorithms.

/// Vertices in a piece of a pass in the order of the numbers.
pub(crate) const PIECE: usize = 1 << 10;
/// Words of a bitmap in such a piece: enough open vertices to prefetch ahead, few enough to fit on the stack.
pub(crate) const WORDS: usize = 8;
/// Vertices in a piece of a frontier.
pub(crate) const CHUNK: usize = 64;
/// Vertices in a piece whose rows take long, and arcs of a row that is itself shared.
pub(crate) const ROWS: usize = 256;
/// Pieces for each worker, where there is less than this makes of the above.
pub(crate) const PIECES: usize = 8;
/// Vertices by which prefetching runs ahead, for each read that waits for another: covers the latency of memory.
pub(crate) const AHEAD: usize = 8;

// When others help: sharing takes some 0.1 ms until they do. Measured with: zoo.

/// Vertices and arcs that one worker sees sooner than another one has begun.
pub(crate) const SMALL: usize = 1 << 14;
/// Vertices of a level that one worker visits sooner than another one has begun.
pub(crate) const SHARED: usize = 1 << 9;
/// Vertices of a level to which prefetching and bitmaps are not applied by one worker either.
pub(crate) const NARROW: usize = 64;

// Forests and components. Measured with: zoo.

/// Arcs for each vertex up to which a sweep for components follows all of them in its first step.
pub(crate) const SPARSE: usize = 8;
/// Arcs for each vertex up to which such a sweep by one worker is faster than Afforest by one worker, in no order.
pub(crate) const SWEPT: usize = 4;
/// Arcs for each vertex up to which no search comes before it: trees, cycles, graphs with a deep giant component.
pub(crate) const THIN: usize = 2;
/// Arcs for each vertex, times workers, up to which one worker that sweeps is as fast as all of them by another way.
pub(crate) const SWEEP_WORTH: usize = 8;
/// The same for forests of graphs that are in order: no read of a sweep waits for memory.
pub(crate) const ORDERLY_SWEEP_WORTH: usize = 16;
/// One in so many is little: a first tree, what is left after a giant component, a component that is no giant.
pub(crate) const LITTLE: usize = 64;
/// Vertices next to a first tree, in percent of its own, from which pulling pays: 100 in a binary tree, where it takes
/// longer than visiting, 200 in a random graph with four arcs for each vertex, where it takes half as long.
pub(crate) const PULL_PAYS_PERCENT: usize = 140;
/// Pulling goes on while one in so many open vertices is pulled: a look that finds nothing is cheaper than a visit.
pub(crate) const PULL_GOES_ON: usize = 8;
/// Vertices of a first tree that wait, up to which it is narrow: a traversal that looks ahead needs more.
pub(crate) const NARROW_TREE: usize = 3 * AHEAD;
/// Arcs of each vertex that Afforest follows first (Sutton, Ben-Nun and Barak 2018).
pub(crate) const ROUNDS: usize = 2;
/// Vertices for each arc between pieces of a sweep, below which one worker sweeps: linking takes several times as long.
pub(crate) const VERTICES_PER_LINK: usize = 16;

// Searches for a component, forward and backward. Measured with: searches, algorithms.

/// Levels of a search before it is abandoned: random graphs have fewer, meshes more.
pub(crate) const DEPTH: usize = 32;
/// The same if a search was requested. Each level reads every word of the bitmaps.
pub(crate) const REQUESTED_DEPTH: usize = 1 << 10;
/// Passes that may find little before a search is abandoned.
pub(crate) const POOR_PASSES: usize = 2;
/// One vertex in so many is little for a pass.
pub(crate) const RICH: usize = 4;
/// One in so many arcs leaves a frontier from which on open vertices look for it. What a pass reaches makes the rest of
/// the pass cheap, so this is early; values from 32 to 256 differ by less than a tenth.
pub(crate) const ALPHA: usize = 128;
/// Looks that unreached vertices may take in a directed search, as a multiple of all arcs.
pub(crate) const DIRECTED_LOOKS: usize = 2;
/// Workers from which what is left of strong components is coloured, which takes as many times the work.
pub(crate) const COLORED: usize = 16;

// Breadth-first search. Measured with: searches, zoo.

/// One in so many arcs leaves a frontier that is wide (Beamer, Asanović and Patterson 2012, section 5; GAPBS's value).
pub(crate) const BFS_ALPHA: usize = 15;
/// One in so many vertices is in a frontier that is narrow again (the same).
pub(crate) const BFS_BETA: usize = 18;
/// Vertices for each arc of a frontier below which a level is found by a pass over all vertices, without claims.
pub(crate) const BFS_SWEEP: usize = 32;
/// Looks that bottom-up steps may take, as a multiple of all arcs and vertices.
pub(crate) const BFS_LOOKS: usize = 4;
/// Looks that take as long as following an arc to a place of its own.
pub(crate) const LOOKS_PER_ARC: usize = 3;
/// A sample with so many times the looks that are expected shows vertices that cannot be reached.
pub(crate) const IN_VAIN: usize = 2;
/// Vertices for each arc of a frontier in order from which one worker searches it, though there are others.
pub(crate) const ORDERLY: usize = 2;
/// One worker goes on after an orderly level until one is so many times as wide.
pub(crate) const WIDER: usize = 2;
/// Arcs of a hub: a level that begins with one is shared, however narrow it is.
pub(crate) const HUB: usize = 1 << 12;
