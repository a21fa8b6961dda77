//! Graphs whose neighbors are given by a formula. Each row is computed independently, with shuffled labels as well.

use super::relabeling::Relabeling;
use super::shape::Shape;
use crate::build::{BuildError, rows_by_formula};
use crate::csr::Rows;
use crate::splitmix::SplitMix;
use crate::vertex::Vertex;
use crate::watch::Watch;
use std::marker::PhantomData;
use std::ops::Range;

/// The rows of a shape of `n` vertices, which must have a formula. Vertex v becomes `labels.apply(v)`. `draws` say
/// which roads are missing.
pub(super) fn rows<V: Vertex>(
    n: usize,
    shape: Shape,
    labels: Relabeling,
    draws: SplitMix,
    watch: &dyn Watch,
) -> Result<Rows<V>, BuildError> {
    with_neighbors(n, shape, draws, ToRows { n, labels, watch, vertex: PhantomData })
}

/// Appends the edges between the vertices with these numbers and those that come later in the natural order, so that
/// the ranges of a division of all vertices have each edge once.
pub(super) fn edges<V: Vertex>(
    n: usize,
    shape: Shape,
    labels: Relabeling,
    draws: SplitMix,
    range: Range<usize>,
    edges: &mut Vec<(V, V)>,
) {
    with_neighbors(n, shape, draws, ToEdges { labels, range, edges });
}

/// What is made of a formula, which returns each neighbor of a vertex once.
trait Formula {
    type Made;

    fn with<I: Iterator<Item = usize>>(self, neighbors: impl Fn(usize) -> I + Send + Sync) -> Self::Made;
}

struct ToRows<'w, V> {
    n: usize,
    labels: Relabeling,
    watch: &'w dyn Watch,
    vertex: PhantomData<V>,
}

impl<V: Vertex> Formula for ToRows<'_, V> {
    type Made = Result<Rows<V>, BuildError>;

    fn with<I: Iterator<Item = usize>>(self, neighbors: impl Fn(usize) -> I + Send + Sync) -> Self::Made {
        rows_with(self.n, self.labels, neighbors, self.watch)
    }
}

struct ToEdges<'e, V> {
    labels: Relabeling,
    range: Range<usize>,
    edges: &'e mut Vec<(V, V)>,
}

impl<V: Vertex> Formula for ToEdges<'_, V> {
    type Made = ();

    fn with<I: Iterator<Item = usize>>(self, neighbors: impl Fn(usize) -> I + Send + Sync) {
        for label in self.range {
            let v = self.labels.invert(label);
            let later = neighbors(v).filter(|&u| u > v);
            self.edges.extend(later.map(|u| (V::new(label), V::new(self.labels.apply(u)))));
        }
    }
}

fn with_neighbors<F: Formula>(n: usize, shape: Shape, draws: SplitMix, then: F) -> F::Made {
    match shape {
        Shape::Torus { side } => then.with(move |v| torus(side, v)),
        Shape::Cube { side } => then.with(move |v| cube(side, v)),
        Shape::Hypercube { dimensions } => then.with(move |v| (0..dimensions).map(move |bit| v ^ 1 << bit)),
        Shape::Meshes { first, second } => then.with(move |v| meshes(first, second, v)),
        Shape::Path { vertices } => then.with(move |v| line(vertices, v, 1)),
        Shape::Regular { vertices, degree } => then.with(move |v| ring(vertices, degree, v)),
        Shape::BinTree { .. } => then.with(move |v| tree(n, v)),
        Shape::Islands { size, side, .. } => then.with(move |v| islands(size, side, v)),
        Shape::Stars { count, leaves } => then.with(move |v| star(count, leaves, v)),
        Shape::Galaxy { leaves, .. } => {
            let each = leaves + 1;
            then.with(move |v| star(1, leaves, v % each).map(move |to| v - v % each + to))
        }
        Shape::Cycles { size, .. } => {
            let cycle = move |v: usize| around(size, v % size).map(move |at| v - v % size + at);
            then.with(cycle)
        }
        Shape::Cliques { size, .. } => {
            let clique = move |v: usize| (v - v % size..v - v % size + size).filter(move |&u| u != v);
            then.with(clique)
        }
        Shape::Lollipop { clique, .. } => then.with(move |v| lollipop(n, clique, v)),
        Shape::Bipartite { first, .. } => then.with(move |v| if v < first { first..n } else { 0..first }),
        Shape::Grid { rows, columns } => then.with(move |v| grid(rows, columns, v)),
        Shape::Roads { rows, columns, missing } => {
            // An edge is known by its smaller end, and by whether it leads to the next row.
            let road = move |u: usize, v: usize| 2 * u.min(v) as u64 + u64::from(u.abs_diff(v) > 1);
            let is_there = move |u: usize, v: usize| draws.below(100, road(u, v)) >= missing;
            then.with(move |v| grid(rows, columns, v).filter(move |&u| is_there(u, v)))
        }
        Shape::Random { .. }
        | Shape::Uniform { .. }
        | Shape::Kronecker { .. }
        | Shape::Rmat { .. }
        | Shape::Gnm { .. }
        | Shape::Geometric { .. } => {
            unreachable!("random shapes have no formula")
        }
    }
}

/// The rows of two copies of a graph, joined by an edge between the last vertex of the first and the first of the
/// second copy. Vertex v becomes `labels.apply(v)`.
pub(super) fn twice<V: Vertex>(one: &Rows<V>, labels: Relabeling, watch: &dyn Watch) -> Result<Rows<V>, BuildError> {
    let n = one.num_vertices();
    let neighbors = move |v: usize| {
        let (start, link) = if v < n { (0, (v + 1 == n).then_some(n)) } else { (n, (v == n).then(|| n - 1)) };
        one.row(V::new(v - start)).iter().map(move |u| start + u.index()).chain(link)
    };
    rows_with(2 * n, labels, neighbors, watch)
}

/// `neighbors` returns each neighbor of a vertex once.
fn rows_with<V: Vertex, I: Iterator<Item = usize>>(
    n: usize,
    labels: Relabeling,
    neighbors: impl Fn(usize) -> I + Send + Sync,
    watch: &dyn Watch,
) -> Result<Rows<V>, BuildError> {
    let (count, list) = (|v| neighbors(v).count(), |v, list: &mut Vec<V>| list.extend(neighbors(v).map(V::new)));
    labeled_rows(n, labels, &count, &list, watch)
}

/// The functions come by pointers, so that all shapes share one pair of loops, which take long to compile. The calls
/// cost 2 ns for each vertex: a tenth of the time of a torus.
fn labeled_rows<V: Vertex>(
    n: usize,
    labels: Relabeling,
    count: &(dyn Fn(usize) -> usize + Sync),
    list: &(dyn Fn(usize, &mut Vec<V>) + Sync),
    watch: &dyn Watch,
) -> Result<Rows<V>, BuildError> {
    rows_by_formula(
        n,
        |label| count(labels.invert(label)),
        |label, row| {
            list(labels.invert(label), row);
            for to in &mut *row {
                *to = V::new(labels.apply(to.index()));
            }
            row.sort_unstable();
        },
        watch,
    )
}

/// The neighbors of `at` in a ring of `len` vertices. In a ring of two, each is the only neighbor of the other.
fn around(len: usize, at: usize) -> impl Iterator<Item = usize> {
    let next = if at + 1 == len { 0 } else { at + 1 };
    let previous = if at == 0 { len - 1 } else { at - 1 };
    [(len > 1).then_some(next), (len > 2).then_some(previous)].into_iter().flatten()
}

fn torus(side: usize, v: usize) -> impl Iterator<Item = usize> {
    let (row, column) = (v / side, v % side);
    around(side, row).map(move |row| row * side + column).chain(around(side, column).map(move |c| row * side + c))
}

fn cube(side: usize, v: usize) -> impl Iterator<Item = usize> {
    let face = side * side;
    around(side, v / face)
        .map(move |layer| layer * face + v % face)
        .chain(torus(side, v % face).map(move |to| v - v % face + to))
}

/// The neighbors of `v` in a line of `len` vertices whose numbers differ by `step`.
fn line(len: usize, v: usize, step: usize) -> impl Iterator<Item = usize> {
    let at = v / step;
    [(at > 0).then(|| v - step), (at + 1 < len).then(|| v + step)].into_iter().flatten()
}

fn mesh(side: usize, v: usize) -> impl Iterator<Item = usize> {
    grid(side, side, v)
}

fn grid(rows: usize, columns: usize, v: usize) -> impl Iterator<Item = usize> {
    let first_of_row = v - v % columns;
    line(rows, v, columns).chain(line(columns, v % columns, 1).map(move |column| first_of_row + column))
}

fn lollipop(n: usize, clique: usize, v: usize) -> impl Iterator<Item = usize> {
    let others = if v < clique { 0..clique } else { 0..0 };
    let last = clique - 1;
    let on_tail = v.checked_sub(last).map(|at| line(n - last, at, 1).map(move |to| last + to));
    // The last vertex of the clique is the first one of the line.
    others.filter(move |&u| u != v).chain(on_tail.into_iter().flatten())
}

fn meshes(first: usize, second: usize, v: usize) -> impl Iterator<Item = usize> {
    let start_of_second = first * first;
    let (start, side) = if v < start_of_second { (0, first) } else { (start_of_second, second) };
    let link = if v + 1 == start_of_second {
        Some(start_of_second)
    } else if v == start_of_second {
        Some(start_of_second - 1)
    } else {
        None
    };
    mesh(side, v - start).map(move |to| start + to).chain(link)
}

fn ring(n: usize, degree: usize, v: usize) -> impl Iterator<Item = usize> {
    let around = move |distance: usize| if v < n - distance { v + distance } else { v - (n - distance) };
    let half = degree / 2;
    let opposite = (degree % 2 == 1).then(|| around(n / 2));
    (1..=half).map(around).chain((1..=half).map(move |distance| around(n - distance))).chain(opposite)
}

fn tree(n: usize, v: usize) -> impl Iterator<Item = usize> {
    let parent = (v > 0).then(|| (v - 1) / 2);
    let children = [2 * v + 1, 2 * v + 2].into_iter().filter(move |child| *child < n);
    parent.into_iter().chain(children)
}

fn islands(size: usize, side: usize, v: usize) -> impl Iterator<Item = usize> {
    let first = side * side;
    let on_torus = (v < first).then(|| torus(side, v)).into_iter().flatten();
    let island = v.checked_sub(first).map(|v| {
        let start = first + v - v % size;
        line(size, v % size, 1).map(move |to| start + to)
    });
    on_torus.chain(island.into_iter().flatten())
}

/// The number of a center is followed by those of its leaves.
fn star(count: usize, leaves: usize, v: usize) -> impl Iterator<Item = usize> {
    let each = leaves + 1;
    let center = v - v % each;
    let is_center = v == center;
    let next = is_center.then(|| line(count, v, each)).into_iter().flatten();
    let leaves = if is_center { v + 1..v + each } else { 0..0 };
    leaves.chain(next).chain((!is_center).then_some(center))
}
