//! The program: transforms of quarters, in parallel, down to leaves.

use super::points::{Point, Quarters, Twiddles, butterfly, halves, quarters};
use super::stockham::stockham;
use crate::runtime::{Runtime, Token};

/// The program: the transform of `input`.
#[inline(never)]
pub fn transform<R: Runtime>(
    mut t: Token<R>,
    input: &[Point],
    output: &mut [Point],
    buffer: &mut [Point],
    twiddles: &[Vec<Twiddles>],
    grain: usize,
) {
    if is_leaf(input.len(), grain) {
        output.copy_from_slice(input);
        return stockham(output, buffer, twiddles);
    }
    deal(t.reborrow(), input, buffer, grain);
    of_quarters(t, buffer, output, twiddles, grain);
}

/// Below four points there is no butterfly of four, and nothing to fork.
fn is_leaf(points: usize, grain: usize) -> bool {
    points <= grain || points < 4
}

/// The transform of the points that have been dealt out into the quarters of `dealt`.
#[inline(never)]
fn of_quarters<R: Runtime>(
    mut t: Token<R>,
    dealt: &mut [Point],
    output: &mut [Point],
    twiddles: &[Vec<Twiddles>],
    grain: usize,
) {
    let below = &twiddles[1..];
    let ([a, b, c, d], [e, f, g, h]) = (quarters(dealt), quarters(output));
    t.join4(
        |t| in_place(t, a, e, below, grain),
        |t| in_place(t, b, f, below, grain),
        |t| in_place(t, c, g, below, grain),
        |t| in_place(t, d, h, below, grain),
    );
    combine(t, dealt, output, &twiddles[0], grain);
}

/// The transform of `points`, in place.
#[inline(never)]
fn in_place<R: Runtime>(
    mut t: Token<R>,
    points: &mut [Point],
    buffer: &mut [Point],
    twiddles: &[Vec<Twiddles>],
    grain: usize,
) {
    if is_leaf(points.len(), grain) {
        return stockham(points, buffer, twiddles);
    }
    deal(t.reborrow(), points, buffer, grain);
    of_quarters(t, buffer, points, twiddles, grain);
}

/// A loop over the points of all quarters at once, which forks down to leaves of `longest` points of each quarter. A
/// leaf is told where its points start within the quarters.
#[inline(never)]
fn by_ranges<R, L>(mut t: Token<R>, begin: usize, to: Quarters<'_>, longest: usize, leaf: &L)
where
    R: Runtime,
    L: Fn(usize, Quarters<'_>) + Sync,
{
    let length = to[0].len();
    if length <= longest {
        return leaf(begin, to);
    }
    let middle = length / 2;
    let (low, high) = halves(to, middle);
    t.join(|t| by_ranges(t, begin, low, longest, leaf), |t| by_ranges(t, begin + middle, high, longest, leaf));
}

/// Deals out points: the first of every four into the first quarter, and so on.
fn deal<R: Runtime>(t: Token<R>, points: &[Point], to: &mut [Point], grain: usize) {
    by_ranges(t, 0, quarters(to), longest(grain), &|begin, to| deal_serially(points, begin, to));
}

/// Combines the transforms of the quarters by the butterflies with these twiddle factors.
fn combine<R: Runtime>(t: Token<R>, from: &[Point], to: &mut [Point], twiddles: &[Twiddles], grain: usize) {
    by_ranges(t, 0, quarters(to), longest(grain), &|begin, to| combine_serially(from, begin, to, twiddles));
}

fn longest(grain: usize) -> usize {
    (grain / 4).max(1)
}

/// A leaf.
#[inline(never)]
fn deal_serially(points: &[Point], begin: usize, [a, b, c, d]: Quarters<'_>) {
    let to = a.iter_mut().zip(b).zip(c).zip(d);
    for (four, (((a, b), c), d)) in points[4 * begin..].chunks_exact(4).zip(to) {
        (*a, *b, *c, *d) = (four[0], four[1], four[2], four[3]);
    }
}

/// A leaf.
#[inline(never)]
fn combine_serially(from: &[Point], begin: usize, [a, b, c, d]: Quarters<'_>, twiddles: &[Twiddles]) {
    let (length, quarter) = (a.len(), from.len() / 4);
    let [e, f, g, h] = [0, 1, 2, 3].map(|part| &from[part * quarter + begin..][..length]);
    let (b, c, d) = (&mut b[..length], &mut c[..length], &mut d[..length]);
    for (k, [w1, w2, w3]) in twiddles[begin..][..length].iter().enumerate() {
        [a[k], b[k], c[k], d[k]] = butterfly([e[k], w1 * f[k], w2 * g[k], w3 * h[k]]);
    }
}
