//! Ghosts: vertices of other ranks to which arcs of this one lead. Once the ranks have agreed on the list, values of
//! ghosts are sent without their numbers, and each only to the ranks that need it.
//!
//! The place of a ghost in the list is found by counting bits, so that arcs need not be written anew. That takes two
//! bits for each vertex of the graph.

use crate::blocks::Blocks;
use crate::error::GraphError;
use crate::graph::{Block, ClusterGraph};
use crate::wire::{Wire, bytes_of, numbers_of};
use filch_cluster::Cluster;
use filch_graph::Vertex;
use std::sync::atomic::{AtomicU64, Ordering};

pub(crate) struct Ghosts<V> {
    /// A bit for each vertex of the graph.
    words: Vec<u64>,
    /// How many ghosts there are before each word.
    before: Vec<usize>,
    count: usize,
    /// For each rank, the places of the vertices of this rank whose values it needs.
    serves: Vec<Vec<V>>,
}

impl<V: Vertex + Wire> Ghosts<V> {
    /// The ghosts of these arcs of the graph. All ranks must call this.
    pub(crate) fn new(cluster: &Cluster, graph: &ClusterGraph<V>, of: &Block<V>) -> Result<Self, GraphError> {
        let (words, places) = (graph.num_vertices().div_ceil(64), graph.here.len());
        let words = cluster.pool().run(|_| {
            let words = filch_algorithms::tabulate(words, |_| AtomicU64::new(0));
            filch::for_each(0..places, |_, place| {
                let [before, _, behind] = graph.split(of.row(place));
                for v in before.iter().chain(behind) {
                    let (word, bit) = (&words[v.index() / 64], 1 << (v.index() % 64));
                    if word.load(Ordering::Relaxed) & bit == 0 {
                        word.fetch_or(bit, Ordering::Relaxed);
                    }
                }
            });
            words.into_iter().map(AtomicU64::into_inner).collect::<Vec<_>>()
        });
        let mut count = 0;
        let before = words.iter().map(|word| {
            let before = count;
            count += word.count_ones() as usize;
            before
        });
        let before = before.collect();
        let mut outgoing = vec![Vec::new(); cluster.size()];
        for ghost in ones(&words) {
            let owner = graph.blocks.owner(ghost);
            V::new(ghost - graph.blocks.of(owner).start).put(&mut outgoing[owner]);
        }
        let incoming = cluster.exchange(outgoing)?;
        let serves = incoming.iter().map(|bytes| numbers_of(bytes).collect()).collect();
        Ok(Ghosts { words, before, count, serves })
    }

    /// The place of a ghost in the list, which is ordered by vertices.
    #[inline(always)]
    pub(crate) fn place(&self, vertex: usize) -> usize {
        let below = self.words[vertex / 64] & ((1 << (vertex % 64)) - 1);
        self.before[vertex / 64] + below.count_ones() as usize
    }

    /// The values of all ghosts, in the order of the list. `value` is that of the vertex in a place of this rank. All
    /// ranks must call this.
    pub(crate) fn refresh<T: Wire>(&self, cluster: &Cluster, value: impl Fn(usize) -> T) -> Result<Vec<T>, GraphError> {
        let values = |places: &Vec<V>| bytes_of(places.iter().map(|place| value(place.index())));
        let incoming = cluster.exchange(self.serves.iter().map(values).collect())?;
        // The blocks of ranks are in the order of ranks.
        let mut ghosts = Vec::with_capacity(self.count);
        incoming.iter().for_each(|bytes| ghosts.extend(numbers_of::<T>(bytes)));
        assert!(ghosts.len() == self.count, "values of {} ghosts, expected {}", ghosts.len(), self.count);
        Ok(ghosts)
    }
}

/// The positions of the bits that are set, in ascending order.
pub(crate) fn ones(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words.iter().enumerate().flat_map(|(place, &word)| {
        let mut word = word;
        std::iter::from_fn(move || {
            let bit = (word != 0).then(|| place * 64 + word.trailing_zeros() as usize);
            word &= word.wrapping_sub(1);
            bit
        })
    })
}

impl Blocks {
    /// The places of a bitmap of all vertices of which this rank's bits are a part.
    pub(crate) fn words_of(&self, rank: usize) -> std::ops::Range<usize> {
        let of = self.of(rank);
        if of.is_empty() { 0..0 } else { of.start / 64..of.end.div_ceil(64) }
    }
}
