//! The leaves of the program: Stockham's transform.

use super::points::{Point, Twiddles, butterfly, quarters};

/// A leaf: Stockham's transform, whose passes go from one buffer to the other. After p passes there are 4^p transforms
/// of n/4^p points left to do, and point j of each transform stands next to point j of the others.
#[inline(never)]
pub(super) fn stockham(points: &mut [Point], buffer: &mut [Point], twiddles: &[Vec<Twiddles>]) {
    let (mut from, mut to) = (points, buffer);
    let mut swapped = false;
    let mut transforms = 1;
    while from.len() / transforms >= 2 {
        let twiddles = &twiddles[transforms.ilog2() as usize / 2];
        match from.len() / transforms {
            2 => last_of_two(from, to),
            // With a constant, the compiler removes the inner loop.
            _ if transforms == 1 => pass(from, to, twiddles, 1),
            _ => pass(from, to, twiddles, transforms),
        }
        (from, to) = (to, from);
        swapped = !swapped;
        transforms *= 4;
    }
    if swapped {
        to.copy_from_slice(from);
    }
}

#[inline(always)]
fn pass(from: &[Point], to: &mut [Point], twiddles: &[Twiddles], transforms: usize) {
    let quarter = from.len() / 4;
    let [a, b, c, d] = [0, 1, 2, 3].map(|part| from[part * quarter..][..quarter].chunks_exact(transforms));
    let from = a.zip(b).zip(c).zip(d);
    for ((to, (((a, b), c), d)), [w1, w2, w3]) in to.chunks_exact_mut(4 * transforms).zip(from).zip(twiddles) {
        let [e, f, g, h] = quarters(to);
        let (e, f, g, h) = (&mut e[..transforms], &mut f[..transforms], &mut g[..transforms], &mut h[..transforms]);
        for j in 0..transforms {
            let [p, q, r, s] = butterfly([a[j], b[j], c[j], d[j]]);
            (e[j], f[j], g[j], h[j]) = (p, w1 * q, w2 * r, w3 * s);
        }
    }
}

/// The last pass if n is not a power of four: transforms of two points.
fn last_of_two(from: &[Point], to: &mut [Point]) {
    let half = from.len() / 2;
    let ((a, b), (c, d)) = (from.split_at(half), to.split_at_mut(half));
    for j in 0..half {
        (c[j], d[j]) = (a[j] + b[j], a[j] - b[j]);
    }
}
