//! What vertices pull.

use crate::vertex::Vertex;
use std::sync::atomic::{AtomicU32, Ordering};

/// What each vertex gives to each of its neighbors, its score divided by its degree, as the bits of an `f32`. That of a
/// vertex that no arc leaves is not finite, and never read. A vertex is written by one worker in each iteration,
/// and read by any. Which of two scores is read does not matter for the result, so all accesses are relaxed.
#[derive(Clone, Copy)]
pub(super) struct Shares<'a>(pub(super) &'a [AtomicU32]);

impl Shares<'_> {
    #[inline(always)]
    pub(super) fn get(self, v: usize) -> f32 {
        f32::from_bits(self.0[v].load(Ordering::Relaxed))
    }

    /// The sum of the shares of these vertices: of all but the last up to seven, and of these. It is in double
    /// precision, because the sum of a million shares would lose many digits otherwise. Eight shares at a time are
    /// added in single precision, by sums that do not wait for each other: the time is that of waiting for memory, and
    /// a processor begins several reads at a time.
    #[inline(always)]
    pub(super) fn sum_of<V: Vertex>(self, vertices: &[V]) -> (f64, f32) {
        let (eights, rest) = vertices.as_chunks::<8>();
        let mut total = 0.0;
        for eight in eights {
            let mut sums = [0.0; 4];
            for four in eight.as_chunks::<4>().0 {
                for (sum, u) in sums.iter_mut().zip(four) {
                    *sum += self.get(u.index());
                }
            }
            let [a, b, c, d] = sums;
            total += f64::from((a + b) + (c + d));
        }
        (total, rest.iter().fold(0.0, |sum, u| sum + self.get(u.index())))
    }
}
