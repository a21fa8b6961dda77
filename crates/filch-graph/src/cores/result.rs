//! The result of peeling.

/// The coreness of each vertex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cores {
    /// The largest k for which the vertex is in the k-core.
    pub coreness: Vec<u32>,
    /// The number of levels, which is the number of different values of `coreness`.
    pub levels: usize,
}

impl Cores {
    /// The degeneracy of the graph: the largest coreness, or `None` if the graph has no vertices. Work: O(n), serial.
    pub fn degeneracy(&self) -> Option<u32> {
        self.coreness.iter().copied().max()
    }

    /// The number of vertices of each coreness, from 0 to the degeneracy. Work: O(n), serial.
    pub fn histogram(&self) -> Vec<usize> {
        let mut counts = vec![0; self.degeneracy().map_or(0, |most| most as usize + 1)];
        for &coreness in &self.coreness {
            counts[coreness as usize] += 1;
        }
        counts
    }
}
