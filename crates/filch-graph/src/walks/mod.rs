//! Random walks: from each start, a number of steps along arcs that are drawn at random.
//!
//! A step is uniform, or by weights, or depends on the vertex before as in node2vec (Grover and Leskovec 2016,
//! "node2vec: scalable feature learning for networks", section 3.2). The latter draws an arc by its weight, and accepts
//! it with the probability that belongs to it, or draws again (Yang et al. 2019, "KnightKing: a fast distributed graph
//! random walk engine", section 4). Each walk has random numbers of its own, by the seed and its place in the list of
//! starts. So walks do not depend on the number of workers or on the schedule.

// Modules: `table` (rows to draw from); `serial` is independent. May import: `Graph` and arrays, not other algorithms,
// builders or readers.

mod serial;
mod table;

pub use serial::{serial, serial_weighted};
pub use table::WalkError;

use crate::choose::tuning::CHUNK;
use crate::graph::{Graph, WeightedGraph};
use crate::parallel_vec::repeated;
use crate::splitmix::SplitMix;
use crate::vertex::{Vertex, expect_vertices};
use crate::watch::{Pass, Watch, look_at};
use table::{Draws, Table};

/// The purpose of the random numbers.
const FOR_WALKS: u64 = 0x7761_6c6b;

/// Random walks, as a builder. By default they have 80 steps, and no step depends on the one before.
#[derive(Clone, Copy)]
pub struct RandomWalks<'w> {
    length: usize,
    to_go_back: f64,
    to_go_away: f64,
    seed: u64,
    watch: &'w dyn Watch,
}

impl Default for RandomWalks<'_> {
    fn default() -> Self {
        RandomWalks { length: 80, to_go_back: 1.0, to_go_away: 1.0, seed: 0, watch: &() }
    }
}

/// A walk of 80 uniform steps from each of `starts`, as [`RandomWalks::run`] makes it by default.
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::walks::random_walks;
///
/// let path: Csr = Csr::builder(3).build([(0, 1), (1, 2)])?;
/// let found = random_walks(&path, &[0, 2]);
/// assert_eq!((found.walk(0), found.walk(1)), (&[0, 1, 2][..], &[2][..]));
/// # Ok::<(), filch_graph::BuildError>(())
/// ```
///
/// # Panics
///
/// Panics as [`RandomWalks::run`] does.
pub fn random_walks<G: Graph>(graph: &G, starts: &[G::Vertex]) -> Walks<G::Vertex> {
    RandomWalks::new().run(graph, starts)
}

impl<'w> RandomWalks<'w> {
    /// Walks with the default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of steps of a walk, at most.
    #[must_use]
    pub fn length(self, length: usize) -> Self {
        RandomWalks { length, ..self }
    }

    /// The return parameter `p` and the in-out parameter `q` of node2vec. If a walk has come from t to v, an arc from v
    /// back to t is drawn with its weight divided by p, an arc to a vertex that t has an arc to, with its weight, and
    /// any other one with its weight divided by q.
    ///
    /// # Panics
    ///
    /// Panics if one of them is not above 0, or not finite.
    #[must_use]
    pub fn node2vec(self, p: f64, q: f64) -> Self {
        let is_valid = |number: f64| number > 0.0 && number.is_finite() && number.recip().is_finite();
        assert!(is_valid(p) && is_valid(q), "p is {p} and q is {q}: expected finite numbers above 0");
        RandomWalks { to_go_back: p.recip(), to_go_away: q.recip(), ..self }
    }

    /// The seed of the random numbers.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        RandomWalks { seed, ..self }
    }

    /// Reports progress to `watch`: one pass over the walks.
    #[must_use]
    pub fn watch(self, watch: &'w dyn Watch) -> Self {
        RandomWalks { watch, ..self }
    }

    /// A walk from each of `starts`, by arcs that are all as likely. A vertex may be there several times; its walks are
    /// different ones. A walk ends early at a vertex that no arc leaves.
    ///
    /// Work: O(1) for each step, if the iterator over neighbors can skip some in constant time, as that of a
    /// [`Csr`](crate::Csr). With [`node2vec`](Self::node2vec), sorting all rows, and O(log d) for each step and degrees
    /// of d, times the largest of 1/p, 1 and 1/q divided by the smallest of them, or d if that is less. Span: that of
    /// 64 walks. Memory: a vertex for each step, which is the result; with `node2vec`, two vertices for each arc.
    ///
    /// # Panics
    ///
    /// Panics if a start is not a vertex of the graph, if there is not enough memory, or if the global pool is needed
    /// and cannot be started; see [`filch::run`].
    pub fn run<G: Graph>(self, graph: &G, starts: &[G::Vertex]) -> Walks<G::Vertex> {
        if self.has_memory() {
            let table = Table::of(graph);
            return self.walk(graph.num_vertices(), starts, |before, v, draws| self.step(&table, before, v, draws));
        }
        self.walk(graph.num_vertices(), starts, |_, v, draws| {
            let degree = graph.degree(v);
            if degree == 0 { None } else { graph.neighbors(v).nth(draws.below(degree)) }
        })
    }

    /// A walk from each of `starts`, by arcs that are as likely as their weights say. A walk ends early at a vertex
    /// that no arc of a weight above 0 leaves.
    ///
    /// Work: sorting all rows, and O(log d) for each step and degrees of d, as often as for [`run`](Self::run). Memory:
    /// some 32 bytes for each arc at first, and then 12, besides the result.
    ///
    /// # Errors
    ///
    /// [`WalkError`] if a weight is negative or not finite.
    ///
    /// # Panics
    ///
    /// As [`run`](Self::run).
    pub fn run_weighted<G: WeightedGraph>(
        self,
        graph: &G,
        starts: &[G::Vertex],
    ) -> Result<Walks<G::Vertex>, WalkError> {
        let table = Table::weighted(graph)?;
        Ok(self.walk(graph.num_vertices(), starts, |before, v, draws| self.step(&table, before, v, draws)))
    }

    /// Whether a step depends on the one before.
    fn has_memory(&self) -> bool {
        (self.to_go_back, self.to_go_away) != (1.0, 1.0)
    }

    fn step<V: Vertex>(&self, table: &Table<V>, before: Option<V>, v: V, draws: &mut Draws) -> Option<V> {
        let Some(before) = before.filter(|_| self.has_memory()) else { return table.pick(v, draws) };
        let factor = |next: V| match () {
            () if next == before => self.to_go_back,
            () if self.to_go_away == 1.0 || table.has_arc(before, next) => 1.0,
            () => self.to_go_away,
        };
        let most = self.to_go_back.max(self.to_go_away).max(1.0);
        // At the end of a path the only arc leads back, and a large p has almost every draw refused. After as many
        // draws as there are arcs, looking at all arcs takes no longer.
        for refused in 0..table.degree(v) {
            look_at(refused);
            let next = table.pick(v, draws)?;
            let share = draws.unit() * most;
            if share < self.to_go_back.min(self.to_go_away).min(1.0) || share < factor(next) {
                return Some(next);
            }
        }
        table.pick_with(v, factor, draws)
    }

    fn walk<V: Vertex, F>(self, num_vertices: usize, starts: &[V], step: F) -> Walks<V>
    where
        F: Fn(Option<V>, V, &mut Draws) -> Option<V> + Send + Sync,
    {
        expect_vertices("start", starts, num_vertices);
        self.watch.begin(Pass::new("walking", "vertices", starts.len()));
        let room = self.length.saturating_add(1);
        let all = room.checked_mul(starts.len()).expect("the steps of all walks must fit in memory");
        let draws = SplitMix::new(self.seed, FOR_WALKS);
        let mut steps = repeated(all, || V::NONE);
        let pieces = (0_usize.., filch::chunks(starts, CHUNK), filch::chunks_mut(&mut steps, CHUNK * room));
        filch::for_each(pieces, |_, (piece, starts, steps)| {
            for (at, (start, steps)) in starts.iter().zip(steps.chunks_mut(room)).enumerate() {
                filch::end_if_cancelled();
                let mut draws = Draws::new(draws.of((piece * CHUNK + at) as u64));
                steps[0] = *start;
                for done in 1..room {
                    look_at(done);
                    let before = done.checked_sub(2).map(|before| steps[before]);
                    let Some(next) = step(before, steps[done - 1], &mut draws) else { break };
                    assert!(
                        next.index() < num_vertices,
                        "an arc leads to {next}: expected a vertex below {num_vertices}"
                    );
                    steps[done] = next;
                }
            }
            self.watch.advance(starts.len());
        });
        Walks { room, steps }
    }
}

/// Walks, in the order of their starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walks<V = u32> {
    /// Places for the vertices of each walk.
    room: usize,
    /// The vertices of all walks, with [`Vertex::NONE`] after the end of a walk that has ended early.
    steps: Vec<V>,
}

impl<V: Vertex> Walks<V> {
    /// The number of walks.
    pub fn count(&self) -> usize {
        self.steps.len() / self.room
    }

    /// The vertices of a walk, the start first.
    ///
    /// # Panics
    ///
    /// Panics if there are not as many walks.
    pub fn walk(&self, index: usize) -> &[V] {
        let row = &self.steps[index * self.room..(index + 1) * self.room];
        &row[..row.iter().position(|v| *v == V::NONE).unwrap_or(row.len())]
    }

    /// All walks, in the order of their starts.
    pub fn iter(&self) -> impl Iterator<Item = &[V]> + '_ {
        (0..self.count()).map(|index| self.walk(index))
    }

    /// The vertices of all walks, with room for the longest possible one each: after the end of a walk that has ended
    /// early there is [`Vertex::NONE`].
    pub fn steps(&self) -> &[V] {
        &self.steps
    }

    /// Converts this into the vector of [`steps`](Self::steps).
    pub fn into_steps(self) -> Vec<V> {
        self.steps
    }
}
