//! The result of PageRank.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The scores of all vertices, and how they were found.
#[derive(Clone, Debug, PartialEq)]
pub struct PageRank {
    /// The score of each vertex.
    pub scores: Vec<f32>,
    /// The number of iterations.
    pub iterations: usize,
    /// The sum over all vertices of how much the last iteration changed the score, 0 without vertices.
    pub change: f64,
    /// Whether `change` was below the tolerance, so that the iteration did not end because of its limit.
    pub has_converged: bool,
}

impl PageRank {
    /// The `count` vertices with the highest scores, the highest first; vertices of equal score in ascending order.
    /// Work: O(n log `count`), serial.
    pub fn top(&self, count: usize) -> Vec<(usize, f32)> {
        // Scores are not negative, so their bits are in the same order.
        let mut top = BinaryHeap::with_capacity(count.min(self.scores.len()));
        for (v, score) in self.scores.iter().enumerate() {
            let key = Reverse((score.to_bits(), Reverse(v)));
            if top.len() < count {
                top.push(key);
            } else if top.peek().is_some_and(|least| key < *least) {
                top.pop();
                top.push(key);
            }
        }
        top.into_sorted_vec().into_iter().map(|Reverse((_, Reverse(v)))| (v, self.scores[v])).collect()
    }

    /// A bound on how much one more iteration with [`Update::Synchronous`](super::Update::Synchronous) would change
    /// the scores. A vertex that has seen an old score of a neighbor makes an error of at most the share of the change
    /// that it has not seen; in total the errors are at most d times `change`. Rounding adds a few units in the last
    /// place.
    pub fn residual_bound(&self) -> f64 {
        const ROUNDINGS: f64 = 4.0;
        self.change + ROUNDINGS * f64::from(f32::EPSILON)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_top_is_sorted_by_score_and_then_by_vertex() {
        let ranks =
            |scores: &[f32]| PageRank { scores: scores.to_vec(), iterations: 1, change: 0.0, has_converged: true };
        let found = ranks(&[0.1, 0.3, 0.1, 0.5, 0.3]);
        assert_eq!(found.top(4), [(3, 0.5), (1, 0.3), (4, 0.3), (0, 0.1)]);
        assert_eq!(found.top(9).len(), 5);
        assert!(found.top(0).is_empty() && ranks(&[]).top(3).is_empty());
    }
}
