//! Spanning trees as two papers build them, to repeat their measurements: Yasugi, Hiraishi, Umatani and Yuasa (2012),
//! and Cong, Kodali, Krishnamoorthy, Lea, Saraswat and Wen (2008).
//!
//! To find spanning trees, use [`filch_graph::forest`], which is several times as fast. The algorithms here
//! differ in one thing at a time, so that its price can be measured:
//!
//! ```text
//!                  the stack is bounded     overflowed vertices are collected    what can move
//! unbounded        no: an error             -                                    the rest of a row
//! help-first       by tasks                  -                                    a vertex
//! depth-limited    by serial traversals     -                                    the rest of a row, near the root
//! staged           in stages                in a list                            nothing
//! short-term       in stages                in a list for each call              the rest of a row
//! long-term        in stages                in a list for each part that moved   the rest of a row
//! long-term-halves in stages                in a list for each part that moved   the upper half of a row
//! synched          in stages                in a list for each part that moved   a child that is spawned
//! stub-tree        by stacks of vertices    -                                    half of a stack
//! copied-half      by stacks of vertices    -                                    a copy of half of a stack
//! stashed-dfs      by batches of vertices   -                                    a batch
//! spmd-bfs, cilk-bfs, stashed-bfs: in levels
//! ```
//!
//! Rows are in arrays or in linked lists ([`Rows`]), vertices are claimed in two ways ([`Claims`]), and stages begin
//! with an array or a list of arrays ([`StageInput`]). [`grow_virtually`] shows how forms scale on virtual workers. The
//! command is `filch paper forest GRAPH --algorithm NAME`, and `filch paper figure` repeats the tables and figures.

// Modules, from the bottom up: `result`, `rows`, `overflow`, `algorithm`; `options`, `arranged` (shuffled rows),
// `claim`, `stack` (of a thread), `team` (of threads), `stride`, `virtually`; `grower`; then the algorithms, which do
// not use each other, except that `long_term` and `synched` are forms of the stages in `staged`, and `copied_half` of
// `stub_tree`: these, `limited`, `unbounded`, `help_first`, `spmd_bfs` and `stashed`. May import: `Csr` and what is
// below it.

mod algorithm;
mod arranged;
mod claim;
mod copied_half;
mod grower;
mod help_first;
mod limited;
mod long_term;
mod options;
mod overflow;
mod result;
mod rows;
mod spmd_bfs;
mod stack;
mod staged;
mod stashed;
mod stride;
mod stub_tree;
mod synched;
mod team;
mod unbounded;
mod virtually;

pub use algorithm::{Algorithm, C_LIMIT, MAX_ARRAY, MAX_DEPTH};
pub use arranged::{ArrayRows, LinkedRows};
pub use options::{Claims, Options, StageInput};
pub use result::{Counts, Tree, TreeError};
pub use rows::Rows;
pub use stride::{FAR, read_by_stride};
pub use virtually::{Bound, Course, Sharing, Times, grow_virtually};

use claim::{Alone, ByExchange, ByFence, Claim};
use filch::Strand;
use filch_graph::{AtomicVertex, Vertex};
use filch_rayon::prelude::*;
use grower::{Cells, Grower};
use long_term::{LongTerm, Moves};
use std::marker::PhantomData;

/// Builds a spanning tree of each component of a graph, which must be symmetric.
///
/// ```
/// use filch_graph::{Csr, GraphSpec, verify::verify_forest};
/// use filch_papers::trees::{LinkedRows, Options, spanning_tree};
///
/// let graph: Csr = "torus(100)".parse::<GraphSpec>()?.generate(1)?;
/// let tree = spanning_tree(&LinkedRows::new(&graph, 1)?, Options { depth: Some(20), ..Options::default() })?;
/// assert_eq!(verify_forest(&graph, &tree.parents)?.roots, 1);
/// assert!(tree.counts.stages > 0, "one path down to depth 20 does not reach everything");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// It runs on the pool of the surrounding [`run`](filch::Pool::run), or else on the global pool.
/// [`Algorithm::StubTree`], [`Algorithm::CopiedHalf`] and [`Algorithm::SpmdBfs`] start threads of their own, as many as
/// the pool has workers. The components are done one after the other; those three leave all but the first to a serial
/// traversal.
///
/// Work: O(n + m) for n vertices and m edges; in linked lists, what is skipped to halve a row is walked in addition,
/// which is at most log d for each edge of a row of d. Span: the stages, times the bound on the depth and the logarithm
/// of the largest degree, if rows are arrays. Memory: the parents, and the vertices that wait. Stack: a frame for each
/// level and for each edge of a row, up to eight of them; about 400 KiB at most with the usual bound of 30, in a
/// release build. The long-term forms take that only while their parts move.
///
/// # Errors
///
/// [`TreeError`]: the graph is directed, there is no such root, the bound exceeds [`MAX_DEPTH`], the claims do not suit
/// several workers, threads cannot be started, or the recursion without a bound has reached the end of a stack.
///
/// # Panics
///
/// Panics if the global pool is needed and cannot be started; see [`filch::run`].
pub fn spanning_tree<R: Rows>(rows: &R, options: Options<R::Vertex>) -> Result<Tree<R::Vertex>, TreeError> {
    let num_vertices = rows.num_rows();
    if !rows.has_reverses() {
        return Err(TreeError::Directed);
    }
    if let Some(root) = options.root.filter(|root| root.index() >= num_vertices) {
        return Err(TreeError::NoSuchRoot { root: root.index() as u64, num_vertices });
    }
    if let Some(depth) = options.depth.filter(|&depth| options.algorithm.is_bounded() && depth > MAX_DEPTH) {
        return Err(TreeError::TooDeep { depth, most: MAX_DEPTH });
    }
    let workers = if options.algorithm.is_serial() { 1 } else { filch::num_workers() };
    if options.claims == Claims::Alone && workers > 1 {
        return Err(TreeError::Unsynchronized { workers });
    }
    let blank = |_| <R::Vertex as Vertex>::Atomic::new(R::Vertex::NONE);
    let parents: Vec<_> = (0..num_vertices).into_par_iter().map(blank).collect();
    // The serial program has no races, so its claims are plain stores.
    let claims = if options.algorithm == Algorithm::Stack { Claims::Alone } else { options.claims };
    let counts = match claims {
        Claims::Exchange => grow_all::<R, ByExchange>(rows, &parents, options, workers),
        Claims::Fence => grow_all::<R, ByFence>(rows, &parents, options, workers),
        Claims::Alone => grow_all::<R, Alone>(rows, &parents, options, workers),
    }?;
    Ok(Tree { parents: AtomicVertex::into_vertices(parents), counts })
}

fn grow_all<R: Rows, C: Claim>(
    rows: &R,
    parents: &Cells<R::Vertex>,
    options: Options<R::Vertex>,
    workers: usize,
) -> Result<Counts, TreeError> {
    let bound = options.depth.unwrap_or(options.algorithm.usual_depth());
    let grower = || Grower::<R, C> { rows, parents, claims: PhantomData };
    let capacity = options.array.unwrap_or(options.algorithm.usual_array()).clamp(1, MAX_ARRAY);
    let input = options.stages;
    let mut counts = Counts::default();
    let tally = &mut counts;
    match options.algorithm {
        Algorithm::Stack => from_each(parents, options.root, |root, _| {
            grower().drain(&mut vec![root]);
            Ok(())
        })?,
        Algorithm::Staged => {
            let stages = staged::Serial { grower: grower(), bound, capacity };
            on_strand(parents, options.root, |s, root| {
                staged::in_stages(s, root, &stages, input, tally);
                Ok(())
            })?;
        }
        Algorithm::ShortTerm => {
            let stages = staged::ShortTerm { grower: grower(), bound, capacity };
            on_strand(parents, options.root, |s, root| {
                staged::in_stages(s, root, &stages, input, tally);
                Ok(())
            })?;
        }
        Algorithm::LongTerm | Algorithm::LongTermHalves | Algorithm::CilkBfs => {
            let stages = match options.algorithm {
                Algorithm::LongTermHalves => LongTerm::new(grower(), bound, capacity, Moves::UpperHalf),
                // With a bound of 0, all neighbors overflow: the stages are the levels of a breadth-first search.
                Algorithm::CilkBfs => LongTerm::new(grower(), 0, capacity, Moves::Rest),
                _ => LongTerm::new(grower(), bound, capacity, Moves::Rest),
            };
            on_strand(parents, options.root, |s, root| {
                staged::in_stages(s, root, &stages, input, tally);
                Ok(())
            })?;
            counts.moved = stages.moved();
        }
        Algorithm::Synched => {
            let stages = synched::Synched::new(grower(), bound, capacity);
            on_strand(parents, options.root, |s, root| {
                staged::in_stages(s, root, &stages, input, tally);
                Ok(())
            })?;
            counts.moved = stages.moved();
        }
        Algorithm::Unbounded => {
            let unbounded = unbounded::Unbounded::new(grower());
            on_strand(parents, options.root, |s, root| unbounded.grow(s, root))?;
        }
        Algorithm::HelpFirst => {
            let grower = grower();
            on_strand(parents, options.root, |s, root| {
                help_first::grow(&grower, s, root);
                Ok(())
            })?;
        }
        Algorithm::DepthLimited => {
            let limited = limited::Limited::new(grower());
            on_strand(parents, options.root, |s, root| {
                limited.grow(s, root, bound);
                Ok(())
            })?;
            (counts.serial_parts, counts.largest_serial) = limited.serial_parts();
        }
        Algorithm::StubTree | Algorithm::CopiedHalf | Algorithm::SpmdBfs => {
            from_each(parents, options.root, |root, is_first| {
                let grower = grower();
                match options.algorithm {
                    _ if !is_first => {
                        grower.drain(&mut vec![root]);
                        Ok(())
                    }
                    Algorithm::StubTree => stub_tree::grow(&grower, root, workers, tally),
                    Algorithm::CopiedHalf => copied_half::grow(&grower, root, workers, tally),
                    _ => spmd_bfs::grow(&grower, root, workers, tally),
                }
            })?
        }
        Algorithm::StashedDfs | Algorithm::StashedBfs => {
            let Options { batches, swaps, .. } = options;
            let is_phased = options.algorithm == Algorithm::StashedBfs;
            let grower = grower();
            from_each(parents, options.root, |root, _| {
                let of_one = stashed::grow(&grower, root, stashed::Manner { batches, swaps, is_phased });
                tally.stages += if is_phased { of_one.phases as usize - 1 } else { 0 };
                tally.traversal += of_one;
                Ok(())
            })?;
        }
    }
    Ok(counts)
}

/// Calls `grow` with each root: `first` or vertex 0, and then the smallest vertex that is in no tree, until all are in
/// one. Tells `grow` whether it is the first. The root has been claimed.
fn from_each<V: Vertex>(
    parents: &Cells<V>,
    first: Option<V>,
    mut grow: impl FnMut(V, bool) -> Result<(), TreeError>,
) -> Result<(), TreeError> {
    let mut is_first = true;
    for root in first.into_iter().chain((0..parents.len()).map(V::new)) {
        if parents[root.index()].load() == V::NONE {
            parents[root.index()].store(root);
            grow(root, is_first)?;
            is_first = false;
        }
    }
    Ok(())
}

/// The same with a strand. A speculation without children is a way to get one here, in the surrounding run.
fn on_strand<V: Vertex>(
    parents: &Cells<V>,
    first: Option<V>,
    mut grow: impl FnMut(Strand<'_>, V) -> Result<(), TreeError> + Send,
) -> Result<(), TreeError> {
    let ((), result) = filch::speculate((), |p, _| from_each(parents, first, |root, _| grow(p.strand().plain(), root)));
    result
}
