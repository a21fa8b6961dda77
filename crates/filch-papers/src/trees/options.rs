//! Options for building a spanning tree.

use super::algorithm::Algorithm;
use clap::ValueEnum;
use filch::Batches;

/// How a worker claims a vertex that other workers may claim at the same time (Yasugi, Hiraishi, Umatani and Yuasa
/// 2012, figure 5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, ValueEnum)]
pub enum Claims {
    /// By a load and a compare-exchange. Each vertex is visited once.
    Exchange,
    /// By a load, a store, and a store-load fence for each vertex. A vertex may be visited twice.
    #[default]
    Fence,
    /// By a load and a store. Only for one worker, and for the serial algorithms.
    Alone,
}

/// Where a stage finds the arrays of the vertices that wait for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, ValueEnum)]
pub enum StageInput {
    /// In an array, to which the list is converted: halved in constant time (Yasugi et al., section 5.1).
    #[default]
    Array,
    /// In the list itself: to halve it, half of it is skipped (section 5.2).
    List,
}

/// Options for building a spanning tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options<V = u32> {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The root of the first tree, vertex 0 by default. The roots of the others are the smallest vertices of their
    /// components.
    pub root: Option<V>,
    /// How vertices are claimed.
    pub claims: Claims,
    /// The bound on the depth of recursion, [`Algorithm::usual_depth`] by default and at most
    /// [`MAX_DEPTH`](super::MAX_DEPTH). Only for algorithms that [have one](Algorithm::is_bounded).
    pub depth: Option<usize>,
    /// The number of vertices in each array of those that wait, [`Algorithm::usual_array`] by default, from 1 to
    /// [`MAX_ARRAY`](super::MAX_ARRAY); others count as the nearest of these. Only for algorithms that [have
    /// them](Algorithm::has_stages).
    pub array: Option<usize>,
    /// Where the stages of these find the arrays.
    pub stages: StageInput,
    /// How [`Algorithm::StashedDfs`] and [`Algorithm::StashedBfs`] group vertices.
    pub batches: Batches,
    /// Whether these visit a half-filled batch at once, when the batch before it is exhausted. If not, they leave it in
    /// the queue and fetch it again (Cong, Kodali, Krishnamoorthy, Lea, Saraswat and Wen 2008, section 3.3).
    pub swaps: bool,
}

impl<V> Default for Options<V> {
    fn default() -> Self {
        Options {
            algorithm: Algorithm::LongTerm,
            root: None,
            claims: Claims::default(),
            depth: None,
            array: None,
            stages: StageInput::default(),
            batches: Batches::Adaptive,
            swaps: true,
        }
    }
}
