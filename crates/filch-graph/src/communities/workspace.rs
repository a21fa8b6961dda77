//! What a worker needs to look at the sets around a vertex.

/// The weight of the arcs to each set, and the sets for which it is not 0.
pub(super) struct Workspace {
    weights: Vec<f64>,
    /// The first `len` of these are the sets, and there is room for one more.
    touched: Vec<u32>,
    len: usize,
}

impl Workspace {
    /// For sets that have numbers below `count`.
    pub(super) fn new(count: usize) -> Self {
        Workspace { weights: vec![0.0; count], touched: vec![0; count + 1], len: 0 }
    }

    /// Adds a weight above 0. Whether the set is a new one is unpredictable, so there is no branch on it.
    #[inline(always)]
    pub(super) fn add(&mut self, set: u32, weight: f64) {
        let sum = &mut self.weights[set as usize];
        self.touched[self.len] = set;
        self.len += usize::from(*sum == 0.0);
        *sum += weight;
    }

    #[inline(always)]
    pub(super) fn weight(&self, set: u32) -> f64 {
        self.weights[set as usize]
    }

    /// Calls `body` with each set and its weight, in the order in which they were first added, and makes them 0.
    #[inline(always)]
    pub(super) fn drain(&mut self, mut body: impl FnMut(u32, f64)) {
        for &set in &self.touched[..self.len] {
            body(set, std::mem::take(&mut self.weights[set as usize]));
        }
        self.len = 0;
    }
}
