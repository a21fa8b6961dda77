//! The search, level by level.
//!
//! The frontier is a list for top-down steps and a bitmap for bottom-up steps. A vertex is *closed* in another bitmap
//! if bottom-up steps can skip it, because it is already reached or can never be. Vertices in the list are closed only
//! when a bottom-up step or a sweep needs it.
//!
//! A level that few arcs leave is not worth any of this: one worker searches such levels with a plain queue until one
//! is wide ([`narrow`]). So it does with a wide level whose arcs are in the order of memory ([`is_frontier_in_order`]),
//! unless there are so many that several workers are faster. Each level decides anew.

use super::bottom_up::{self, Found};
use super::narrow::{self, HUB, Until};
use super::options::{Direction, Options, Output};
use super::record::{Both, Depths, Parents, Record};
use super::result::{Bfs, Level, next_depth};
use super::top_down;
use crate::bitmap::{Bitmap, ones};
use crate::graph::Graph;
use crate::memory::is_near;
use crate::order::is_frontier_in_order;
use crate::queue::{Batch, Queue};
use crate::vertex::{AtomicVertex, Vertex};
use std::mem;

/// Switch to bottom-up if the frontier has more than 1/`ALPHA` of the arcs that have not been followed (Beamer,
/// Asanović and Patterson 2012, section 5; the value is that of the GAP Benchmark Suite).
const ALPHA: usize = 15;

/// Switch back to top-down if the frontier has at most 1/`BETA` of the vertices (Beamer et al. 2012, section 5; the
/// value is that of the GAP Benchmark Suite), and if it is shrinking or was expensive to find.
const BETA: usize = 18;

/// Find the next level by a sweep over all vertices instead of a list, if the number of arcs of the frontier exceeds
/// 1/`SWEEP` of the number of vertices. Then checking each vertex is cheaper than claiming each vertex that is found.
const SWEEP: usize = 32;

/// The limit on the work of bottom-up steps, as a multiple of all arcs and vertices. Beyond it, the rest is searched
/// top-down. Otherwise, in a graph of a clique followed by a long mesh, each level would read the whole remaining mesh.
const LOOKS: usize = 4;

/// A bottom-up step is not begun if a sample shows more looks than top-down is worth, and this many times those that
/// are expected where arcs lead anywhere with the same probability. Then many open vertices cannot be reached, as in a
/// second component, and each step would read all of their arcs in vain.
const IN_VAIN: usize = 2;

/// A level with at most this many vertices is searched by one worker alone. With one worker, because prefetching needs
/// some vertices before it is of use; with more, because that takes less time than until another worker has begun.
const NARROW: usize = 64;
const NARROW_IF_SHARED: usize = 512;

/// One worker goes on after an orderly level until a level is this many times as wide.
const WIDER: usize = 2;

/// A bottom-up step looks at all open vertices, and at the arcs of each until one leads to the frontier. It reads rows
/// in order, and a bitmap. An arc that is followed top-down leads to a place of its own. This takes as long as so many
/// looks, or as one look if the level is orderly.
const LOOKS_PER_ARC: usize = 3;

/// An orderly level is shared if its arcs are more than 1/`ORDERLY` of all vertices.
const ORDERLY: usize = 2;

pub(super) fn run<G: Graph>(graph: &G, root: G::Vertex, options: Options) -> Bfs<G::Vertex> {
    match options.output {
        Output::Both => Search::<_, Both<G::Vertex>>::new(graph, options.direction).run(root),
        Output::Parents => Search::<_, Parents<G::Vertex>>::new(graph, options.direction).run(root),
        Output::Depths => Search::<_, Depths>::new(graph, options.direction).run(root),
    }
}

struct Search<'g, G: Graph, R> {
    graph: &'g G,
    n: usize,
    direction: Direction,
    record: R,
    /// Reached vertices that may not be closed yet, from which one worker may have removed the first ones. While the
    /// frontier is a list, it is the end of this list.
    listed: Queue<G::Vertex>,
    /// The number of vertices that have been reached on the levels before those in the list.
    before: usize,
    /// The number of arcs that have not been followed top-down.
    arcs_left: usize,
    /// The remaining number of arcs and vertices that bottom-up steps may read.
    looks_left: usize,
    /// Allocated when they are first needed.
    maps: Option<Maps>,
    levels: Vec<Level>,
}

struct Maps {
    closed: Bitmap,
    /// The frontier, while it is a bitmap, and the frontier of the next level.
    front: Bitmap,
    next: Bitmap,
}

/// How a level is searched.
enum Way {
    /// By one worker with a plain queue.
    Alone,
    TopDown,
    BottomUp,
}

impl<'g, G: Graph, R: Record<G::Vertex>> Search<'g, G, R> {
    fn new(graph: &'g G, direction: Direction) -> Self {
        let n = graph.num_vertices();
        let (record, listed) = (R::new(n), Queue::new(n + n / SWEEP));
        let looks_left = graph.num_arcs().saturating_add(n).saturating_mul(LOOKS);
        let arcs_left = graph.num_arcs();
        Search { graph, n, direction, record, listed, before: 0, arcs_left, looks_left, maps: None, levels: Vec::new() }
    }

    fn run(mut self, root: G::Vertex) -> Bfs<G::Vertex> {
        self.listed.make_room(1);
        self.listed.room()[0].store(root);
        self.listed.set_len(1);
        self.record.claim(root.index(), root, 0, false);
        let most_vertices = match self.direction {
            Direction::BottomUp => 0,
            _ if filch::num_workers() == 1 => NARROW,
            _ => NARROW_IF_SHARED,
        };
        let mut start = self.narrow(0, Until { most_vertices, most_arcs: HUB });
        // At the start of each iteration, the frontier is a list, from position `start` on.
        while start < self.listed.len() {
            let frontier = self.listed.since(start);
            let arcs = top_down::count_arcs(self.graph, frontier);
            if self.open() == 0 && self.direction != Direction::BottomUp {
                // There is nothing left to find.
                next_depth(&mut self.levels, Level { vertices: frontier.len(), arcs, direction: Direction::TopDown });
                break;
            }
            start = match self.way(frontier, arcs) {
                Way::Alone => {
                    let most_vertices = frontier.len() * WIDER;
                    self.narrow(start, Until { most_vertices, most_arcs: usize::MAX })
                }
                Way::TopDown => self.top_down(start, arcs),
                Way::BottomUp => {
                    let vertices = self.list_to_front(start);
                    self.bottom_up(vertices)
                }
            };
            start = self.narrow(start, Until { most_vertices, most_arcs: HUB });
        }
        let (depths, parents) = self.record.finish();
        Bfs { depths, parents, levels: self.levels }
    }

    fn narrow(&mut self, start: usize, until: Until) -> usize {
        let (start, followed) =
            narrow::search(self.graph, &self.record, &mut self.listed, &mut self.levels, start, until);
        self.arcs_left = self.arcs_left.saturating_sub(followed);
        start
    }

    fn way(&self, frontier: &[<G::Vertex as Vertex>::Atomic], arcs: usize) -> Way {
        if self.direction == Direction::BottomUp {
            return Way::BottomUp;
        }
        let orderly = self.is_near() || is_frontier_in_order(self.graph, frontier);
        let limit = if orderly { arcs } else { arcs.saturating_mul(LOOKS_PER_ARC) };
        let are_few_open = self.looks_up(arcs) <= limit;
        let goes_up = self.direction == Direction::Auto && self.looks_left > 0;
        if goes_up && are_few_open && arcs > self.arcs_left / ALPHA && !self.looks_in_vain(arcs, limit) {
            Way::BottomUp
        } else if orderly && (filch::num_workers() == 1 || arcs <= self.n / ORDERLY) {
            Way::Alone
        } else {
            Way::TopDown
        }
    }

    /// The number of vertices that have not been reached, some of which may have no arcs. A sweep has found some more,
    /// which count as open until they are in the list or on a level that is done.
    fn open(&self) -> usize {
        self.n - self.before - self.listed.removed() - self.listed.len()
    }

    /// How many looks a bottom-up step for a frontier with this many arcs takes, if arcs lead anywhere with the same
    /// probability.
    fn looks_up(&self, arcs: usize) -> usize {
        let open = self.open();
        let open_arcs = self.arcs_left.saturating_sub(arcs);
        let until_found = open.saturating_mul(self.arcs_left / arcs.max(1));
        open.saturating_add(open_arcs.min(until_found))
    }

    /// Whether a bottom-up step for a frontier with this many arcs takes far more looks than are expected, and more
    /// than `limit`.
    fn looks_in_vain(&self, arcs: usize, limit: usize) -> bool {
        let most = limit.max(self.looks_up(arcs).saturating_mul(IN_VAIN));
        bottom_up::looks_by_sample(self.graph, &self.record, self.open()) > most
    }

    /// Searches one level with `arcs` arcs from a list. Like the functions below, returns where the next frontier
    /// begins in the list.
    fn top_down(&mut self, start: usize, arcs: usize) -> usize {
        let vertices = self.listed.len() - start;
        self.arcs_left = self.arcs_left.saturating_sub(arcs);
        let depth = next_depth(&mut self.levels, Level { vertices, arcs, direction: Direction::TopDown });
        if arcs <= self.n / SWEEP {
            self.listed.make_room(arcs);
            let end = self.listed.len();
            top_down::list(self.graph, self.listed.since(start), &self.record, depth, &self.listed);
            return end;
        }
        self.close();
        top_down::mark(self.graph, self.listed.since(start), &self.record, depth);
        let maps = self.maps.as_ref().expect("made by `close`");
        let found = top_down::sweep(&self.record, depth, &maps.closed, &maps.front);
        let goes_up = self.direction == Direction::Auto && self.looks_left > 0 && found > self.n / BETA;
        let arcs = self.arcs_of(found);
        let limit = if self.is_near() { arcs } else { arcs.saturating_mul(LOOKS_PER_ARC) };
        if goes_up && !self.looks_in_vain(arcs, limit) { self.bottom_up(found) } else { self.front_to_list(found) }
    }

    /// Searches levels from the bitmap, which has `vertices` vertices, until a list is better.
    fn bottom_up(&mut self, mut vertices: usize) -> usize {
        while vertices > 0 {
            let level = Level { vertices, arcs: 0, direction: Direction::BottomUp };
            let depth = next_depth(&mut self.levels, level);
            let maps = self.maps.as_mut().expect("the frontier is a bitmap");
            let found: Found = bottom_up::step(self.graph, &self.record, depth, &maps.closed, &maps.front, &maps.next);
            mem::swap(&mut maps.front, &mut maps.next);
            self.levels.last_mut().expect("noted above").arcs = found.arcs;
            self.looks_left = self.looks_left.saturating_sub(found.arcs.saturating_add(self.n));
            let is_dear = self.is_dear(&found);
            let is_over = self.looks_left == 0
                || is_dear && self.is_near()
                || found.vertices <= self.n / BETA && (found.vertices < vertices || is_dear);
            vertices = found.vertices;
            if self.direction == Direction::Auto && is_over {
                break;
            }
        }
        self.front_to_list(vertices)
    }

    /// Whether a level was expensive: it took far more arcs than leave the vertices that were found. It need not be far
    /// more if these arcs lead to places in a cache.
    fn is_dear(&self, found: &Found) -> bool {
        let far_more = if self.is_near() { 1 } else { ALPHA };
        self.arcs_of(found.vertices) <= found.arcs / far_more
    }

    /// The number of arcs that leave so many vertices, estimated by the mean degree.
    fn arcs_of(&self, vertices: usize) -> usize {
        vertices.saturating_mul(self.graph.num_arcs() / self.n + 1)
    }

    /// Whether depths and parents are in a second-level cache. Then every level is orderly.
    fn is_near(&self) -> bool {
        is_near(self.n, size_of::<u32>() + size_of::<G::Vertex>())
    }

    /// Closes the vertices in the list.
    fn close(&mut self) {
        let n = self.n;
        let maps = self.maps.get_or_insert_with(|| Maps {
            closed: Bitmap::new(n),
            front: Bitmap::new(n),
            next: Bitmap::new(n),
        });
        if self.listed.removed() > 0 {
            top_down::close_reached(&self.record, &maps.closed);
        } else {
            maps.closed.set_all::<_, G::Vertex>(self.listed.since(0));
        }
    }

    /// Converts the frontier, from `start` on, from a list to a bitmap, and returns the number of its vertices.
    fn list_to_front(&mut self, start: usize) -> usize {
        self.close();
        let maps = self.maps.as_ref().expect("made by `close`");
        let frontier = self.listed.since(start);
        maps.front.clear();
        maps.front.set_all::<_, G::Vertex>(frontier);
        frontier.len()
    }

    /// Converts the frontier, which has `vertices` vertices, from a bitmap to a list. All reached vertices are closed.
    fn front_to_list(&mut self, vertices: usize) -> usize {
        self.listed.clear();
        self.before = self.levels.iter().map(|level| level.vertices).sum();
        if vertices == 0 {
            return 0;
        }
        self.listed.make_room(vertices);
        let maps = self.maps.as_ref().expect("the frontier is a bitmap");
        let (listed, is_shared) = (&self.listed, filch::num_workers() > 1);
        filch::for_each((0_usize.., filch::chunks(maps.front.words(), 8)), |_, (chunk, words)| {
            let first: usize = chunk * 8;
            let mut batch = Batch::<_, 512>::new(listed, is_shared);
            for word in first..first + words.len() {
                ones(maps.front.word(word)).for_each(|bit| batch.push(G::Vertex::new(word * 64 + bit)));
            }
            batch.flush();
        });
        0
    }
}
