//! The earlier neighbors of all vertices, in the order of the vertices or renumbered by degree.

use crate::build::{BuildError, rows_by_formula};
use crate::choose::tuning::{LOOKUPS_PER_ARC, SKEW};
use crate::cli_enum::cli_enum;
use crate::csr::Rows;
use crate::graph::Graph;
use crate::vertex::Vertex;
use crate::watch::{Watch, look_at};
use filch_algorithms::tabulate;

/// The order in which vertices come before others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// That of the numbers, unless renumbering by degree seems to save more than it costs.
    #[default]
    Auto,
    /// That of the numbers.
    Number,
    /// Descending by degree; vertices of equal degree by number.
    Degree,
}

cli_enum!(Order, "order", ParseOrderError: Auto = "auto", Number = "number", Degree = "degree");

/// The earlier neighbors of each vertex, in ascending order. The rows are padded: where an arc has parallel arcs, the
/// row ends with as many numbers that are not vertices, the number of vertices.
pub(super) struct Lower<V> {
    pub(super) rows: Rows<V>,
    pub(super) order: Order,
    pub(super) lookups: u64,
    /// The vertex at each place, if they have been renumbered.
    pub(super) old: Option<Vec<V>>,
}

/// Orders the neighbors of a symmetric graph.
pub(super) fn lower<G: Graph>(graph: &G, order: Order, watch: &dyn Watch) -> Result<Lower<G::Vertex>, BuildError> {
    let n = graph.num_vertices();
    if order != Order::Degree {
        let neighbors = |v: usize| graph.neighbors(G::Vertex::new(v));
        // An exact count of the lookups: each earlier neighbor of v is looked up from each later neighbor of v.
        let mut lower = tabulate(n, |_| G::Vertex::new(0));
        let lookups = filch::map_reduce(
            (0_usize.., &mut lower),
            || 0_u64,
            |_, (v, lower)| {
                let (mut below, mut above) = (0, 0);
                for u in neighbors(v) {
                    below += usize::from(u.index() < v);
                    above += usize::from(u.index() > v);
                }
                *lower = G::Vertex::new(below);
                (below as u64).saturating_mul(above as u64)
            },
            u64::saturating_add,
        );
        if order == Order::Number || !is_worth_renumbering(n as u64, graph.num_arcs() as u64, lookups) {
            let row = |v: usize, row: &mut Vec<G::Vertex>| {
                row.extend(neighbors(v).filter(|u| u.index() < v));
                finish(row, n);
            };
            let rows = rows_by_formula(n, |v| lower[v].index(), row, watch)?;
            return Ok(Lower { rows, order: Order::Number, lookups, old: None });
        }
    }
    by_degree(graph, watch)
}

/// `lookups`: those that the order of the numbers takes.
fn is_worth_renumbering(n: u64, arcs: u64, lookups: u64) -> bool {
    // With equal degrees, each vertex has at most half of its arcs on either side.
    let half = arcs as f64 / (2 * n.max(1)) as f64;
    lookups > LOOKUPS_PER_ARC as u64 * arcs && lookups as f64 > SKEW as f64 * n as f64 * half * half
}

fn by_degree<G: Graph>(graph: &G, watch: &dyn Watch) -> Result<Lower<G::Vertex>, BuildError> {
    let n = graph.num_vertices();
    let (old, places) = by_descending_degree(graph);
    let before = |place: usize| {
        let places = &places;
        graph.neighbors(old[place]).map(move |u| places[u.index()]).filter(move |u| u.index() < place)
    };
    let row = |place: usize, row: &mut Vec<G::Vertex>| {
        row.extend(before(place));
        finish(row, n);
    };
    let rows = rows_by_formula(n, |place| before(place).count(), row, watch)?;
    let length = |v: usize| rows.offsets[v + 1] - rows.offsets[v];
    let lookups = filch::map_reduce(
        0..rows.num_vertices(),
        || 0_u64,
        |_, v| {
            rows.targets[rows.offsets[v]..rows.offsets[v + 1]]
                .iter()
                .filter(|u| u.index() < n)
                .map(|u| length(u.index()) as u64)
                .sum()
        },
        u64::saturating_add,
    );
    Ok(Lower { rows, order: Order::Degree, lookups, old: Some(old) })
}

/// The vertices in descending order of degree, by counting, and the place of each in this order. Serial: two passes
/// over the vertices.
fn by_descending_degree<G: Graph>(graph: &G) -> (Vec<G::Vertex>, Vec<G::Vertex>) {
    let n = graph.num_vertices();
    // Only parallel arcs make a degree larger than n.
    let class = |v: usize| n - graph.degree(G::Vertex::new(v)).min(n);
    let mut next = vec![0; n + 1];
    for v in 0..n {
        look_at(v);
        next[class(v)] += 1;
    }
    let mut before = 0;
    for next in &mut next {
        before += std::mem::replace(next, before);
    }
    let (mut order, mut places) = (vec![G::Vertex::NONE; n], vec![G::Vertex::NONE; n]);
    for v in 0..n {
        look_at(v);
        let next = &mut next[class(v)];
        order[*next] = G::Vertex::new(v);
        places[v] = G::Vertex::new(*next);
        *next += 1;
    }
    (order, places)
}

/// Sorts a row and replaces duplicates by `n` at its end.
fn finish<V: Vertex>(row: &mut Vec<V>, n: usize) {
    // Rows of compressed sparse rows are sorted already.
    if !row.is_sorted() {
        row.sort_unstable();
    }
    let len = row.len();
    row.dedup();
    row.resize(len, V::new(n));
}
