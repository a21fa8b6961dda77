//! The search, level by level.
//!
//! The frontier is a list for top-down steps and a bitmap for bottom-up steps. A vertex is *closed* in another bitmap
//! if bottom-up steps can skip it, because it is already reached or can never be. Vertices in the list are closed only
//! when a bottom-up step or a sweep needs it.
//!
//! A level that few arcs leave is not worth any of this: one worker searches such levels with a plain queue until one
//! is wide ([`narrow`]). So it does with a wide level whose arcs are in the order of memory, unless there are so many
//! that several workers are faster. Each level decides anew ([`Facts::way`]).

use super::bottom_up::{self, Found};
use super::goal::Goal;
use super::narrow::{self, Until};
use super::record::{Record, depth_after};
use super::result::{BfsTree, Direction, Level};
use super::top_down;
use crate::choose::bfs::{Facts, Reason, Way};
use crate::choose::tuning::{BFS_SWEEP, CHUNK, LOOKS, PLACES, SHARED, SMALL, WIDER};
use crate::choose::{are_in_order, is_near};
use crate::graph::Graph;
use crate::sets::{Batch, Queue};
use crate::sets::{Bitmap, ones};
use crate::vertex::{AtomicVertex, Vertex};
use crate::watch::Watch;
use std::mem;

pub(super) struct Search<'g, G: Graph, R> {
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
    goal: Goal<'g, G::Vertex>,
    watch: &'g dyn Watch,
    /// The number of vertices that the watch knows of.
    reported: usize,
}

struct Maps {
    closed: Bitmap,
    /// The frontier, while it is a bitmap, and the frontier of the next level.
    front: Bitmap,
    next: Bitmap,
}

impl<'g, G: Graph, R: Record<G::Vertex>> Search<'g, G, R> {
    pub(super) fn new(graph: &'g G, direction: Direction, goal: Goal<'g, G::Vertex>, watch: &'g dyn Watch) -> Self {
        let n = graph.num_vertices();
        let (record, listed) = (R::new(n), Queue::new(n + n / BFS_SWEEP));
        let looks_left = graph.num_arcs().saturating_add(n).saturating_mul(LOOKS);
        let arcs_left = graph.num_arcs();
        let (maps, levels) = (None, Vec::new());
        let (before, reported) = (0, 0);
        Search {
            graph,
            n,
            direction,
            record,
            listed,
            before,
            arcs_left,
            looks_left,
            maps,
            levels,
            goal,
            watch,
            reported,
        }
    }

    pub(super) fn run(mut self, sources: &[G::Vertex]) -> BfsTree<G::Vertex> {
        self.listed.make_room(sources.len());
        let mut len = 0;
        for &source in sources {
            if self.record.claim(source.index(), source, 0, false) {
                self.listed.room()[len].store(source);
                len += 1;
            }
        }
        self.listed.set_len(len);
        let most_vertices = match self.direction {
            Direction::BottomUp => 0,
            _ if filch::num_workers() == 1 => CHUNK,
            _ => SHARED,
        };
        let until_wide = Until { most_vertices, most_arcs: SMALL, reason: Reason::Narrow };
        let mut start = self.narrow(0, until_wide);
        // At the start of each iteration, the frontier is a list, from position `start` on.
        while start < self.listed.len() {
            if self.is_goal_met() {
                let (vertices, direction, reason) = (self.listed.len() - start, Direction::TopDown, Reason::Goal);
                self.levels.push(Level { vertices, arcs: 0, direction, reason });
                break;
            }
            let frontier = self.listed.since(start);
            let arcs = top_down::count_arcs(self.graph, frontier);
            if self.open() == 0 && self.direction != Direction::BottomUp {
                let (vertices, direction, reason) = (frontier.len(), Direction::TopDown, Reason::Last);
                self.next_depth(Level { vertices, arcs, direction, reason });
                break;
            }
            let (way, reason) = match self.direction {
                Direction::BottomUp => (Way::BottomUp, Reason::Requested),
                _ => self.way(frontier, arcs),
            };
            start = match way {
                Way::Alone => {
                    let most_vertices = frontier.len() * WIDER;
                    self.narrow(start, Until { most_vertices, most_arcs: usize::MAX, reason })
                }
                Way::TopDown => self.top_down(start, arcs, reason),
                Way::BottomUp => {
                    let vertices = self.list_to_front(start);
                    self.bottom_up(vertices, reason)
                }
            };
            start = self.narrow(start, until_wide);
            self.report();
        }
        self.watch.advance(self.n - self.reported);
        let (depths, parents) = self.record.finish();
        BfsTree { depths, parents, levels: self.levels }
    }

    /// Reports the vertices that have been reached.
    fn report(&mut self) {
        let reached = self.n - self.open();
        self.watch.advance(reached - self.reported);
        self.reported = reached;
    }

    /// Notes the statistics of the level that is searched next, and returns the depth of the level after it.
    fn next_depth(&mut self, level: Level) -> u32 {
        self.levels.push(level);
        depth_after(self.levels.len() - 1)
    }

    /// Whether the frontier is the last level that is wanted.
    fn is_goal_met(&mut self) -> bool {
        self.goal.is_met(&self.record, u32::try_from(self.levels.len()).unwrap_or(u32::MAX))
    }

    fn narrow(&mut self, start: usize, until: Until) -> usize {
        let (graph, record, levels) = (self.graph, &self.record, &mut self.levels);
        let (start, followed) = narrow::search(graph, record, &mut self.listed, levels, start, until, &mut self.goal);
        self.arcs_left = self.arcs_left.saturating_sub(followed);
        start
    }

    fn way(&self, frontier: &[<G::Vertex as Vertex>::Atomic], arcs: usize) -> (Way, Reason) {
        let facts = self.facts(arcs);
        let is_in_order = facts.is_near || self.is_in_order(frontier);
        facts.way(is_in_order, || self.sampled_looks())
    }

    /// What is known before a level that so many arcs leave.
    fn facts(&self, arcs: usize) -> Facts {
        Facts {
            vertices: self.n,
            workers: filch::num_workers(),
            arcs,
            arcs_left: self.arcs_left,
            open: self.open(),
            is_near: is_near(self.n, size_of::<u32>() + size_of::<G::Vertex>()),
            may_go_up: self.direction == Direction::Auto && self.looks_left > 0,
        }
    }

    /// Whether a pass over the frontier, with its arcs, goes to places in the order of memory.
    fn is_in_order(&self, frontier: &[<G::Vertex as Vertex>::Atomic]) -> bool {
        let places = PLACES.min(frontier.len());
        let vertex = |index: usize| frontier.get(index).map(AtomicVertex::load);
        let at = |place: usize| frontier.len() * place / places;
        are_in_order(self.graph, (0..places).map(at).filter_map(|index| Some((vertex(index)?, vertex(index + 1)))))
    }

    fn sampled_looks(&self) -> usize {
        bottom_up::looks_by_sample(self.graph, &self.record, self.open())
    }

    /// The number of vertices that have not been reached, some of which may have no arcs. A sweep has found some more,
    /// which count as open until they are in the list or on a level that is done.
    fn open(&self) -> usize {
        self.n - self.before - self.listed.removed() - self.listed.len()
    }

    /// Searches one level with `arcs` arcs from a list. Like the functions below, returns where the next frontier
    /// begins in the list.
    fn top_down(&mut self, start: usize, arcs: usize, reason: Reason) -> usize {
        let vertices = self.listed.len() - start;
        self.arcs_left = self.arcs_left.saturating_sub(arcs);
        let depth = self.next_depth(Level { vertices, arcs, direction: Direction::TopDown, reason });
        if !self.facts(arcs).sweeps() {
            self.listed.make_room(arcs);
            let end = self.listed.len();
            top_down::list(self.graph, self.listed.since(start), &self.record, depth, &self.listed);
            return end;
        }
        self.close();
        top_down::mark(self.graph, self.listed.since(start), &self.record);
        let maps = self.maps.as_ref().expect("made by `close`");
        let found = top_down::sweep(&self.record, depth, &maps.closed, &maps.front);
        let facts = self.facts(self.arcs_of(found));
        if facts.stays_wide(found, || self.sampled_looks()) {
            self.bottom_up(found, Reason::StillWide)
        } else {
            self.front_to_list(found)
        }
    }

    /// Searches levels from the bitmap, which has `vertices` vertices, until a list is better.
    fn bottom_up(&mut self, mut vertices: usize, mut reason: Reason) -> usize {
        while vertices > 0 && !self.is_goal_met() {
            let level = Level { vertices, arcs: 0, direction: Direction::BottomUp, reason };
            let depth = self.next_depth(level);
            let maps = self.maps.as_mut().expect("the frontier is a bitmap");
            let found: Found = bottom_up::step(self.graph, &self.record, depth, &maps.closed, &maps.front, &maps.next);
            mem::swap(&mut maps.front, &mut maps.next);
            self.levels.last_mut().expect("noted above").arcs = found.arcs;
            self.looks_left = self.looks_left.saturating_sub(found.arcs.saturating_add(self.n));
            let facts = self.facts(self.arcs_of(found.vertices));
            let is_over = self.direction == Direction::Auto && facts.goes_down(vertices, found.vertices, found.arcs);
            vertices = found.vertices;
            if is_over {
                break;
            }
            reason = if self.direction == Direction::Auto { Reason::StillWide } else { Reason::Requested };
        }
        self.front_to_list(vertices)
    }

    /// The number of arcs that leave so many vertices, estimated by the mean degree.
    fn arcs_of(&self, vertices: usize) -> usize {
        vertices.saturating_mul(self.graph.num_arcs() / self.n + 1)
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
