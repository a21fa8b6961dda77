//! The search, level by level.
//!
//! The frontier is a list for top-down steps and a bitmap for bottom-up steps. A vertex is *closed* in another bitmap
//! if bottom-up steps can skip it, because it is already reached or can never be. Vertices in the list are closed only
//! when a bottom-up step or a sweep needs it.

use super::bottom_up::{self, Found};
use super::options::{Direction, Options, Output};
use super::record::{Both, Depths, Parents, Record};
use super::result::{Bfs, Level, UNREACHED};
use super::top_down;
use crate::bitmap::{Bitmap, ones};
use crate::graph::Graph;
use crate::queue::{Batch, Queue};
use crate::vertex::Vertex;
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
    /// Reached vertices that may not be closed yet. While the frontier is a list, it is the end of this list, from
    /// position `frontier` on.
    listed: Queue<G::Vertex>,
    frontier: usize,
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

impl<'g, G: Graph, R: Record<G::Vertex>> Search<'g, G, R> {
    fn new(graph: &'g G, direction: Direction) -> Self {
        let n = graph.num_vertices();
        let (record, listed) = (R::new(n), Queue::new());
        let looks_left = graph.num_arcs().saturating_add(n).saturating_mul(LOOKS);
        Search { graph, n, direction, record, listed, frontier: 0, looks_left, maps: None, levels: Vec::new() }
    }

    fn run(mut self, root: G::Vertex) -> Bfs<G::Vertex> {
        self.listed.make_room(1);
        let mut batch = Batch::<_, 1>::new(&self.listed, false);
        batch.push(root);
        batch.flush();
        self.record.claim(root.index(), root, 0, false);
        // At the start of each iteration, the frontier is a list.
        let mut arcs_left = self.graph.num_arcs();
        while self.frontier < self.listed.len() {
            let arcs = top_down::count_arcs(self.graph, self.listed.since(self.frontier));
            let goes_up = match self.direction {
                Direction::Auto => self.looks_left > 0 && arcs > arcs_left / ALPHA,
                Direction::TopDown => false,
                Direction::BottomUp => true,
            };
            if goes_up {
                let vertices = self.list_to_front();
                self.bottom_up(vertices);
            } else {
                arcs_left = arcs_left.saturating_sub(arcs);
                self.top_down(arcs);
            }
        }
        let (depths, parents) = self.record.finish();
        Bfs { depths, parents, levels: self.levels }
    }

    /// Records the statistics of this level and returns the depth of the next one.
    fn next_depth(&mut self, vertices: usize, arcs: usize, direction: Direction) -> u32 {
        self.levels.push(Level { vertices, arcs, direction });
        let depth = u32::try_from(self.levels.len()).ok().filter(|&depth| depth != UNREACHED);
        depth.expect("a path in this graph is too long: depths have 32 bits")
    }

    /// Searches one level from a list with `arcs` arcs.
    fn top_down(&mut self, arcs: usize) {
        let depth = self.next_depth(self.listed.len() - self.frontier, arcs, Direction::TopDown);
        if arcs <= self.n / SWEEP {
            self.listed.make_room(arcs);
            let frontier = self.listed.since(self.frontier);
            let end = self.listed.len();
            top_down::list(self.graph, frontier, &self.record, depth, &self.listed);
            self.frontier = end;
            return;
        }
        self.close();
        let frontier = self.listed.since(self.frontier);
        top_down::mark(self.graph, frontier, &self.record, depth);
        let maps = self.maps.as_ref().expect("made by `close`");
        let found = top_down::sweep(&self.record, depth, &maps.closed, &maps.front);
        if self.direction == Direction::Auto && self.looks_left > 0 && found > self.n / BETA {
            self.bottom_up(found);
        } else {
            self.front_to_list(found);
        }
    }

    /// Searches levels from the bitmap, which has `vertices` vertices, until a list is better.
    fn bottom_up(&mut self, mut vertices: usize) {
        while vertices > 0 {
            let depth = self.next_depth(vertices, 0, Direction::BottomUp);
            let maps = self.maps.as_mut().expect("the frontier is a bitmap");
            let found: Found = bottom_up::step(self.graph, &self.record, depth, &maps.closed, &maps.front, &maps.next);
            mem::swap(&mut maps.front, &mut maps.next);
            self.levels.last_mut().expect("noted above").arcs = found.arcs;
            self.looks_left = self.looks_left.saturating_sub(found.arcs.saturating_add(self.n));
            let is_over = self.looks_left == 0
                || found.vertices <= self.n / BETA && (found.vertices < vertices || self.is_dear(&found));
            vertices = found.vertices;
            if self.direction == Direction::Auto && is_over {
                break;
            }
        }
        self.front_to_list(vertices);
    }

    /// Whether a level was expensive: it took far more arcs than leave the vertices that were found, estimated by the
    /// mean degree.
    fn is_dear(&self, found: &Found) -> bool {
        let mean = self.graph.num_arcs() / self.n + 1;
        found.vertices.saturating_mul(mean) <= found.arcs / ALPHA
    }

    /// Closes the vertices in the list.
    fn close(&mut self) {
        let n = self.n;
        let maps = self.maps.get_or_insert_with(|| Maps {
            closed: Bitmap::new(n),
            front: Bitmap::new(n),
            next: Bitmap::new(n),
        });
        maps.closed.set_all::<_, G::Vertex>(self.listed.since(0));
    }

    /// Converts the frontier from a list to a bitmap, and returns the number of its vertices.
    fn list_to_front(&mut self) -> usize {
        self.close();
        let maps = self.maps.as_ref().expect("made by `close`");
        let frontier = self.listed.since(self.frontier);
        maps.front.clear();
        maps.front.set_all::<_, G::Vertex>(frontier);
        frontier.len()
    }

    /// Converts the frontier, which has `vertices` vertices, from a bitmap to a list. All reached vertices are closed.
    fn front_to_list(&mut self, vertices: usize) {
        self.listed.clear();
        self.listed.make_room(vertices);
        self.frontier = 0;
        if vertices == 0 {
            return;
        }
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
    }
}
