//! Two triangulations that a line separates become one (Guibas and Stolfi 1985, section 10).

use super::edges::{Edges, Free, NONE, twin};
use super::in_circle::in_circle;
use crate::predicates::orientation;

/// The Delaunay triangulation of a range of points, of which there is at least one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// A corner of its hull.
    pub(super) hull: Corner,
    /// The room that is left.
    pub(super) free: Free,
}

/// A corner of a hull.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    pub(super) point: u32,
    /// The edge to the next corner, clockwise: the outside lies to its left. `NONE` if there is a single point.
    pub(super) edge: u32,
}

impl Corner {
    /// The next corner, clockwise.
    #[inline(always)]
    fn clockwise(self, edges: &Edges<'_>) -> Corner {
        if self.edge == NONE {
            return self;
        }
        let back = twin(self.edge);
        Corner { point: edges.origin(back), edge: edges.previous(back) }
    }

    /// The next corner, counterclockwise.
    #[inline(always)]
    fn counterclockwise(self, edges: &Edges<'_>) -> Corner {
        if self.edge == NONE {
            return self;
        }
        let edge = twin(edges.next(self.edge));
        Corner { point: edges.origin(edge), edge }
    }

    /// The corner that is the furthest one. Along a hull, points get further up to there, and then less far.
    fn furthest(self, edges: &Edges<'_>, is_further: impl Fn([f64; 2], [f64; 2]) -> bool) -> Corner {
        let climb = |mut corner: Corner, step: fn(Corner, &Edges<'_>) -> Corner| {
            loop {
                let next = step(corner, edges);
                if !is_further(edges.point(next.point), edges.point(corner.point)) {
                    return corner;
                }
                corner = next;
            }
        };
        climb(climb(self, Corner::clockwise), Corner::counterclockwise)
    }

    /// Puts a half-edge from this corner, which is in no ring yet, outside of the hull.
    #[inline(always)]
    fn attach(self, edges: &mut Edges<'_>, half: u32) {
        if self.edge != NONE {
            edges.insert_after(self.edge, half);
        }
    }
}

/// Merges two triangulations, of the points with the smaller coordinates on an axis and of those with the larger ones.
///
/// For the comments, the former are to the left, and the latter to the right; up is a quarter turn from there.
pub(super) fn merge(edges: &mut Edges<'_>, left: Part, right: Part, axis: usize) -> Part {
    // Two coordinates, since points are distinct, and so that there is a single furthest one.
    let key = |point: [f64; 2]| (point[axis], point[1 - axis]);
    let mut free = edges.append(left.free, right.free);
    let l = left.hull.furthest(edges, |a, b| key(a) > key(b));
    let r = right.hull.furthest(edges, |a, b| key(a) < key(b));
    let (l, r) = tangent(edges, l, r);
    let base = edges.add(&mut free, r.point, l.point);
    r.attach(edges, base);
    l.attach(edges, twin(base));
    rise(edges, &mut free, base);
    Part { hull: Corner { point: r.point, edge: base }, free }
}

/// The corners that the lower common tangent touches, beginning from those that are nearest to the other hull.
fn tangent(edges: &Edges<'_>, mut l: Corner, mut r: Corner) -> (Corner, Corner) {
    loop {
        let (at_l, at_r) = (edges.point(l.point), edges.point(r.point));
        let (next_l, next_r) = (l.clockwise(edges), r.counterclockwise(edges));
        if orientation(at_l, at_r, edges.point(next_l.point)) < 0.0 {
            l = next_l;
        } else if orientation(at_l, at_r, edges.point(next_r.point)) < 0.0 {
            r = next_r;
        } else {
            return (l, r);
        }
    }
}

/// Connects both sides upwards from the lower common tangent, and removes edges of theirs that are no longer Delaunay.
fn rise(edges: &mut Edges<'_>, free: &mut Free, mut base: u32) {
    let (mut l, mut r) = (edges.target(base), edges.origin(base));
    loop {
        let (at_l, at_r) = (edges.point(l), edges.point(r));
        let on_left = candidate(edges, free, twin(base), at_l, at_r, |edges, half| edges.next(half));
        let on_right = candidate(edges, free, base, at_l, at_r, |edges, half| edges.previous(half));
        let is_left = match (on_left, on_right) {
            (None, None) => return,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (Some((_, a)), Some((_, b))) => !in_circle(a, at_l, at_r, b),
        };
        if let (true, Some((half, _))) = (is_left, on_left) {
            l = edges.target(half);
            let above = edges.add(free, r, l);
            let below = edges.previous(base);
            edges.insert_after(below, above);
            edges.insert_after(twin(half), twin(above));
            base = above;
        } else if let Some((half, _)) = on_right {
            r = edges.target(half);
            let above = edges.add(free, r, l);
            edges.insert_after(twin(base), twin(above));
            let below = edges.previous(twin(half));
            edges.insert_after(below, above);
            base = above;
        }
    }
}

/// The edge of one side that makes a Delaunay triangle with the base from `at_l` to `at_r`, among the points of this
/// side, and where it leads. Edges that intersect its circle are removed.
#[inline(always)]
fn candidate(
    edges: &mut Edges<'_>,
    free: &mut Free,
    base: u32,
    at_l: [f64; 2],
    at_r: [f64; 2],
    turn: impl Fn(&Edges<'_>, u32) -> u32,
) -> Option<(u32, [f64; 2])> {
    let mut half = turn(edges, base);
    let mut at = edges.point(edges.target(half));
    if orientation(at_l, at_r, at) <= 0.0 {
        return None;
    }
    loop {
        let next = turn(edges, half);
        if next == base {
            return Some((half, at));
        }
        let beyond = edges.point(edges.target(next));
        if !in_circle(at_l, at_r, at, beyond) {
            return Some((half, at));
        }
        edges.remove(free, half);
        (half, at) = (next, beyond);
    }
}
