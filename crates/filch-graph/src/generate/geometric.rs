//! Points in the unit square, each joined to those nearest to it.

use super::relabeling::Relabeling;
use crate::build::{BuildError, Formula, Source, with_room};
use crate::splitmix::SplitMix;
use crate::vertex::Vertex;
use crate::watch::{Pass, Watch, look_at};

/// The number of points in a cell, on average: so few that most neighbors are in the nine cells around a point.
const POINTS_IN_A_CELL: usize = 2;

/// The number of points whose neighbors a worker finds at a time.
const PIECE: usize = 1 << 10;

/// The edges from each of `n` points to the `picks` nearest others, of which there must be so many. Point v, in the
/// order of [`Points`], becomes `labels.apply(v)`.
pub(super) fn nearest<V: Vertex>(
    n: usize,
    picks: usize,
    draws: SplitMix,
    labels: Relabeling,
    watch: &dyn Watch,
) -> Result<impl Source<V> + use<V>, BuildError> {
    watch.begin(Pass::new("drawing", "vertices", n));
    let points = Points::draw(n, draws)?;
    let num_edges = n * picks;
    let mut near: Vec<V> = with_room(num_edges)?;
    near.resize(num_edges, V::NONE);
    if picks == 0 {
        watch.advance(n);
    }
    // A chunk of no edges would have no end.
    filch::for_each((0_usize.., filch::chunks_mut(&mut near, (PIECE * picks).max(1))), |_, (piece, places)| {
        let mut found = Vec::new();
        for (v, row) in (piece * PIECE..).zip(places.chunks_mut(picks)) {
            points.nearest(v, picks, &mut found);
            for (place, &(_, u)) in row.iter_mut().zip(&found) {
                *place = V::new(labels.apply(u));
            }
        }
        watch.advance(places.len() / picks);
    });
    Ok(Formula { num_edges, edge: move |i: usize| (V::new(labels.apply(i / picks)), near[i]) })
}

/// Points in the order of the cells of a grid, row by row.
struct Points {
    places: Vec<[f64; 2]>,
    /// The first point of each cell, and then the number of points.
    starts: Vec<usize>,
    /// The number of cells along each side.
    side: usize,
}

impl Points {
    fn draw(n: usize, draws: SplitMix) -> Result<Self, BuildError> {
        let side = (n / POINTS_IN_A_CELL).isqrt().max(1);
        let place = |i: usize| {
            let draw = draws.at(i as u64);
            [draw >> 32, draw & 0xFFFF_FFFF].map(|half| half as f64 / 4_294_967_296.0)
        };
        let cell = |[x, y]: [f64; 2]| row_of(y, side) * side + row_of(x, side);
        let mut starts: Vec<usize> = with_room(side * side + 1)?;
        let mut places: Vec<[f64; 2]> = with_room(n)?;
        let mut next: Vec<usize> = with_room(side * side + 1)?;
        starts.resize(side * side + 1, 0);
        for i in 0..n {
            look_at(i);
            starts[cell(place(i)) + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        next.extend_from_slice(&starts);
        places.resize(n, [0.0; 2]);
        for (i, at) in (0..n).map(place).enumerate() {
            look_at(i);
            let next = &mut next[cell(at)];
            places[*next] = at;
            *next += 1;
        }
        Ok(Points { places, starts, side })
    }

    /// Puts the `wanted` points nearest to point `v` into `found`, with the squares of their distances.
    fn nearest(&self, v: usize, wanted: usize, found: &mut Vec<(f64, usize)>) {
        found.clear();
        let [x, y] = self.places[v];
        let (column, row) = (row_of(x, self.side), row_of(y, self.side));
        for ring in 0..self.side {
            // Points beyond a ring are at least as far away as the ring is wide.
            let seen = (ring.saturating_sub(1)) as f64 / self.side as f64;
            if found.len() == wanted && found[wanted - 1].0 <= seen * seen {
                return;
            }
            let rows = row.saturating_sub(ring)..=(row + ring).min(self.side - 1);
            for r in rows {
                let is_end = r + ring == row || r == row + ring;
                let (left, right) = (column.checked_sub(ring), Some(column + ring).filter(|&c| c < self.side));
                let columns =
                    if is_end { column.saturating_sub(ring)..(column + ring + 1).min(self.side) } else { 0..0 };
                let sides = [left, right].into_iter().flatten().filter(|_| !is_end);
                for c in columns.chain(sides) {
                    let cell = r * self.side + c;
                    (self.starts[cell]..self.starts[cell + 1]).filter(|&u| u != v).for_each(|u| {
                        let [dx, dy] = [self.places[u][0] - x, self.places[u][1] - y];
                        keep(found, wanted, (dx * dx + dy * dy, u));
                    });
                }
            }
        }
    }
}

/// The row or column of cells in which a coordinate is.
fn row_of(coordinate: f64, side: usize) -> usize {
    ((coordinate * side as f64) as usize).min(side - 1)
}

/// Puts `one` in its place among the `wanted` smallest.
fn keep(found: &mut Vec<(f64, usize)>, wanted: usize, one: (f64, usize)) {
    let place = found.partition_point(|other| *other < one);
    if place < wanted {
        found.truncate(wanted - 1);
        found.insert(place, one);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_points_are_those_of_a_search_through_all_points() {
        for (n, wanted) in [(2, 1), (5, 4), (40, 3), (700, 6), (700, 90)] {
            let points = Points::draw(n, SplitMix::new(n as u64, 1)).expect("few points");
            let mut found = Vec::new();
            for v in 0..n {
                let square = |u: usize| {
                    let [a, b] = [points.places[u], points.places[v]];
                    (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])
                };
                let mut all: Vec<(f64, usize)> = (0..n).filter(|&u| u != v).map(|u| (square(u), u)).collect();
                all.sort_by(|a, b| a.partial_cmp(b).expect("no distance is a NaN"));
                points.nearest(v, wanted, &mut found);
                assert_eq!(found, all[..wanted], "of {v} among {n}");
            }
        }
    }
}
