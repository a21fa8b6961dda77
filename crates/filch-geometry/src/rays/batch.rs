//! Many rays, those with origins and directions near to each other one after the other.

use super::tree::Bvh;
use super::{Hit, Ray};
use crate::morton::Morton;
use filch_algorithms::{map, radix_sort_by_key, tabulate};
use std::array;
use std::sync::atomic::{AtomicU32, Ordering};

impl Bvh {
    /// The first triangle that each ray hits: [`cast`](Self::cast) for all of them.
    ///
    /// Work: a sort by keys, and O(log n) expected for each ray. Rays that are near to each other are cast one after
    /// the other, whatever their order, so that they find what they need in caches. Span: that of the sort, and of the
    /// longest way of a ray through the tree. Memory: 92 bytes a ray, and the result.
    ///
    /// # Panics
    ///
    /// If there are 2^32 rays or more.
    #[must_use]
    pub fn cast_all(&self, rays: &[Ray]) -> Vec<Option<Hit>> {
        assert!(u32::try_from(rays.len()).is_ok(), "expected less than 2^32 rays, found {}", rays.len());
        // In one word, a key and an index.
        let mut keyed = tabulate(rays.len(), |index| u64::from(key(self, &rays[index])) << u32::BITS | index as u64);
        radix_sort_by_key(&mut keyed, |keyed| (keyed >> u32::BITS) as u32);
        let places = tabulate(rays.len(), |_| AtomicU32::new(0));
        // Copies, so that the next ray is not waited for.
        let sorted = tabulate(rays.len(), |place| {
            let index = keyed[place] as u32 as usize;
            places[index].store(place as u32, Ordering::Relaxed);
            rays[index]
        });
        let hits = map(&sorted, |ray| self.cast(ray));
        tabulate(rays.len(), |index| hits[places[index].load(Ordering::Relaxed) as usize])
    }
}

/// A cell of the six-dimensional space of origins and directions, in the order of Morton 1966.
fn key(bvh: &Bvh, ray: &Ray) -> u32 {
    let bounds = bvh.frame.bounds;
    let longest = ray.direction().map(f64::abs).into_iter().fold(0.0, f64::max);
    let cell = |share: f64| Morton::<6>::cell(share * Morton::<6>::CELLS);
    Morton::<6>::key(array::from_fn(|place| {
        let axis = place / 2;
        if place % 2 == 0 {
            let from_low = ray.origin()[axis] * bvh.frame.scale - bounds.low[axis];
            cell(from_low / (bounds.high[axis] - bounds.low[axis]))
        } else {
            cell((ray.direction()[axis] / longest + 1.0) / 2.0)
        }
    }))
}
