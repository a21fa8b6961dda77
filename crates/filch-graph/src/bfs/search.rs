//! The search, level by level.
//!
//! The frontier is a list while it is searched top-down, and a bitmap while bottom-up. Vertices are *closed*, in
//! another bitmap, once they need not be looked at bottom-up: those that are reached, and those that never will be.
//! What is only listed is closed when that is first needed.

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

/// Bottom-up begins where the frontier has more than this part of the arcs that have not been followed (Beamer et al.,
/// section 5; the value is GAPBS's).
const ALPHA: usize = 15;

/// Top-down begins again where the frontier has at most this part of the vertices (as above), and shrinks, or is small
/// for what it took to find it.
const BETA: usize = 18;

/// A level is swept, rather than listed, if it has arcs to more than this part of the vertices: then a look at each
/// vertex is cheaper than a claim for each that is found.
const SWEEP: usize = 32;

/// So many times all arcs and vertices may be looked at bottom-up; then the rest is searched top-down. A clique in
/// front of a long mesh would else have all of the mesh looked at on each of its levels.
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
    /// What has been reached and need not be closed yet; where the frontier begins, which is its end, while it is a
    /// list.
    listed: Queue<G::Vertex>,
    frontier: usize,
    /// How many more looks at arcs and vertices there may be bottom-up.
    looks_left: usize,
    /// Made when they are first needed.
    maps: Option<Maps>,
    levels: Vec<Level>,
}

struct Maps {
    closed: Bitmap,
    /// The frontier, while it is a bitmap; and that of the next level.
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
        // At each turn the frontier is a list.
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

    /// The depth of the next level, and notes this one.
    fn next_depth(&mut self, vertices: usize, arcs: usize, direction: Direction) -> u32 {
        self.levels.push(Level { vertices, arcs, direction });
        let depth = u32::try_from(self.levels.len()).ok().filter(|&depth| depth != UNREACHED);
        depth.expect("a path in this graph is too long: depths have 32 bits")
    }

    /// A level from a list, which has so many arcs.
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

    /// Levels from the bitmap, which has so many vertices, until it is better to go on with a list.
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

    /// Whether far more arcs were looked at than leave what was found, by the mean degree: as at the beginning.
    fn is_dear(&self, found: &Found) -> bool {
        let mean = self.graph.num_arcs() / self.n + 1;
        found.vertices.saturating_mul(mean) <= found.arcs / ALPHA
    }

    /// Closes what has been listed.
    fn close(&mut self) {
        let n = self.n;
        let maps = self.maps.get_or_insert_with(|| Maps {
            closed: Bitmap::new(n),
            front: Bitmap::new(n),
            next: Bitmap::new(n),
        });
        maps.closed.set_all::<_, G::Vertex>(self.listed.since(0));
    }

    /// Makes the frontier a bitmap, and says how many vertices it has.
    fn list_to_front(&mut self) -> usize {
        self.close();
        let maps = self.maps.as_ref().expect("made by `close`");
        let frontier = self.listed.since(self.frontier);
        maps.front.clear();
        maps.front.set_all::<_, G::Vertex>(frontier);
        frontier.len()
    }

    /// Makes the frontier, which has so many vertices, a list. All that is reached is closed.
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
