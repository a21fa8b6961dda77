//! Numbers that workers add to.

use crate::parallel_vec::repeated;
use crate::vertex::Vertex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Numbers of double precision, all 0 at first. Cells are relaxed.
pub(super) struct Numbers(Vec<AtomicU64>);

impl Numbers {
    pub(super) fn new(len: usize) -> Self {
        Numbers(repeated(len, || AtomicU64::new(0)))
    }

    #[inline(always)]
    pub(super) fn get(&self, v: usize) -> f64 {
        f64::from_bits(self.0[v].load(Ordering::Relaxed))
    }

    #[inline(always)]
    pub(super) fn set(&self, v: usize, number: f64) {
        self.0[v].store(number.to_bits(), Ordering::Relaxed);
    }

    /// Adds to a number, and returns what it was before. Other workers may do so at the same time if `is_shared`.
    #[inline(always)]
    pub(super) fn add(&self, v: usize, more: f64, is_shared: bool) -> f64 {
        let cell = &self.0[v];
        let mut old = cell.load(Ordering::Relaxed);
        loop {
            let new = (f64::from_bits(old) + more).to_bits();
            if !is_shared {
                cell.store(new, Ordering::Relaxed);
                return f64::from_bits(old);
            }
            match cell.compare_exchange_weak(old, new, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return f64::from_bits(old),
                Err(other) => old = other,
            }
        }
    }

    /// The sum of the numbers of these vertices. Four sums do not wait for each other.
    #[inline(always)]
    pub(super) fn sum_of<V: Vertex>(&self, mut vertices: impl Iterator<Item = V>) -> f64 {
        let [mut a, mut b, mut c, mut d] = [0.0; 4];
        while let Some(v) = vertices.next() {
            a += self.get(v.index());
            let Some(v) = vertices.next() else { break };
            b += self.get(v.index());
            let Some(v) = vertices.next() else { break };
            c += self.get(v.index());
            let Some(v) = vertices.next() else { break };
            d += self.get(v.index());
        }
        (a + b) + (c + d)
    }
}
