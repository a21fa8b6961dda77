//! The search, level by level.
//!
//! The frontier is a list while it is searched top-down, and a bitmap while bottom-up. Vertices are *closed* once they need
//! not be looked at bottom-up: those that are reached, as of the last time that somebody has looked, and those that never
//! will be.

use super::bottom_up::{self, Found};
use super::record::{Both, Depths, Parents, Record};
use super::{Bfs, Direction, Level, Options, Output, UNREACHED, top_down};
use crate::bitmap::{Bitmap, ones};
use crate::queue::{Batch, Queue};
use crate::{Graph, Vertex};
use std::mem;

/// Bottom-up begins where the frontier has more than this part of the arcs that have not been followed (Beamer et al.,
/// section 5; the value is GAPBS's).
const ALPHA: usize = 15;

/// Top-down begins again where the frontier shrinks, and has less than this part of the vertices (as above).
const BETA: usize = 18;

/// A level is swept, rather than listed, if it has arcs to more than this part of the vertices: then a look at each vertex is
/// cheaper than a claim for each that is found.
const SWEEP: usize = 32;

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
    /// The frontier, while it is a list; and that of the next level.
    list: Queue<G::Vertex>,
    next_list: Queue<G::Vertex>,
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
        let (list, next_list) = (Queue::new(), Queue::new());
        Search { graph, n, direction, record: R::new(n), list, next_list, maps: None, levels: Vec::new() }
    }

    fn run(mut self, root: G::Vertex) -> Bfs<G::Vertex> {
        self.list.reset(1);
        let mut batch = Batch::<_, 1>::new(&self.list, false);
        batch.push(root);
        batch.flush();
        self.record.claim(root.index(), root, 0, false);
        // At each turn the frontier is a list.
        let mut arcs_left = self.graph.num_arcs();
        while !self.list.is_empty() {
            let arcs = top_down::count_arcs(self.graph, &self.list);
            let goes_up = match self.direction {
                Direction::Auto => arcs > arcs_left / ALPHA,
                Direction::TopDown => false,
                Direction::BottomUp => true,
            };
            if goes_up {
                self.list_to_front();
                self.bottom_up(self.list.len());
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
        let depth = self.next_depth(self.list.len(), arcs, Direction::TopDown);
        if arcs <= self.n / SWEEP {
            self.next_list.reset(arcs);
            top_down::list(self.graph, &self.list, &self.record, depth, &self.next_list);
            mem::swap(&mut self.list, &mut self.next_list);
            return;
        }
        self.close();
        top_down::mark(self.graph, &self.list, &self.record, depth);
        let maps = self.maps.as_ref().expect("made by `close`");
        let found = top_down::sweep(&self.record, depth, &maps.closed, Some(&maps.front));
        if self.direction == Direction::Auto && found > self.n / BETA {
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
            let shrinks = found.vertices < vertices && found.vertices <= self.n / BETA;
            vertices = found.vertices;
            if self.direction == Direction::Auto && shrinks {
                break;
            }
        }
        self.front_to_list(vertices);
    }

    /// Closes whatever has been reached.
    fn close(&mut self) {
        let n = self.n;
        let maps = self.maps.get_or_insert_with(|| Maps {
            closed: Bitmap::new(n),
            front: Bitmap::new(n),
            next: Bitmap::new(n),
        });
        top_down::sweep(&self.record, 0, &maps.closed, None);
    }

    fn list_to_front(&mut self) {
        self.close();
        let maps = self.maps.as_ref().expect("made by `close`");
        let is_shared = filch::num_workers() > 1;
        maps.front.clear();
        filch::for_each(self.list.cells(), |_, cell| {
            maps.front.set(crate::AtomicVertex::load(cell).index(), is_shared);
        });
    }

    fn front_to_list(&mut self, vertices: usize) {
        self.list.reset(vertices);
        if vertices == 0 {
            return;
        }
        let maps = self.maps.as_ref().expect("the frontier is a bitmap");
        let (list, is_shared) = (&self.list, filch::num_workers() > 1);
        filch::for_each((0_usize.., filch::chunks(maps.front.words(), 8)), |_, (chunk, words)| {
            let first: usize = chunk * 8;
            let mut batch = Batch::<_, 512>::new(list, is_shared);
            for word in first..first + words.len() {
                ones(maps.front.word(word)).for_each(|bit| batch.push(G::Vertex::new(word * 64 + bit)));
            }
            batch.flush();
        });
    }
}
