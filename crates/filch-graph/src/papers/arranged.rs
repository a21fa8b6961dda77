//! Rows in a random order, in arrays and in linked lists.
//!
//! Yasugi, Hiraishi, Umatani and Yuasa (2012, section 6) randomize the order of the edges of each vertex, so that the
//! order of a generator neither helps nor harms. Their edges are in linked lists, to which edges can be added quickly
//! (note 3).

use super::result::TreeError;
use super::rows::Rows;
use super::rows::sealed::{Number, Sealed};
use crate::csr::Csr;
use crate::graph::Graph;
use crate::splitmix::SplitMix;
use crate::vertex::Vertex;

/// The purpose of the random numbers.
const FOR_ROWS: u64 = 3;

/// Shuffles the arcs of each vertex (Durstenfeld 1964), in an order that depends on `seed`.
fn shuffle_rows<T>(arcs: &mut [T], offsets: &[usize], seed: u64) {
    let draws = SplitMix::new(seed, FOR_ROWS);
    for bounds in offsets.windows(2) {
        let row = &mut arcs[bounds[0]..bounds[1]];
        for last in (1..row.len()).rev() {
            row.swap(last, draws.below(last + 1, (bounds[0] + last) as u64));
        }
    }
}

/// The offset of the first arc of each vertex, and the number of arcs.
fn offsets_of(graph: &impl Graph) -> Vec<usize> {
    let mut end = 0;
    let degrees = (0..graph.num_vertices()).map(|v| graph.degree(Vertex::new(v)));
    let ends = degrees.map(|degree| {
        end += degree;
        end
    });
    std::iter::once(0).chain(ends).collect()
}

/// A graph in arrays, with each row in a random order.
#[derive(Clone, Debug)]
pub struct ArrayRows<V = u32> {
    offsets: Vec<usize>,
    targets: Vec<V>,
    is_symmetric: bool,
}

impl<V: Vertex> ArrayRows<V> {
    /// The rows of `graph`, in an order that depends on `seed`. Work: O(n + m), serial.
    pub fn new(graph: &Csr<V>, seed: u64) -> Self {
        let offsets = offsets_of(graph);
        let mut targets = graph.out_rows().targets.clone();
        shuffle_rows(&mut targets, &offsets, seed);
        ArrayRows { offsets, targets, is_symmetric: graph.is_symmetric() }
    }
}

impl<V: Vertex + Number> Sealed for ArrayRows<V> {}

impl<V: Vertex + Number> Rows for ArrayRows<V> {
    type Vertex = V;
    type Place = usize;

    fn num_rows(&self) -> usize {
        self.offsets.len() - 1
    }

    fn has_reverses(&self) -> bool {
        self.is_symmetric
    }

    #[inline(always)]
    fn row_len(&self, v: V) -> usize {
        self.offsets[v.index() + 1] - self.offsets[v.index()]
    }

    #[inline(always)]
    fn first(&self, v: V) -> usize {
        self.offsets[v.index()]
    }

    #[inline(always)]
    fn vertex(&self, place: usize) -> V {
        self.targets[place]
    }

    #[inline(always)]
    fn after(&self, place: usize) -> usize {
        place + 1
    }

    #[inline(always)]
    fn skip(&self, place: usize, count: usize) -> usize {
        place + count
    }
}

/// A graph in linked lists: each edge refers to the next one of its vertex, in a random order (Yasugi et al. 2012,
/// lines D1 and D2 of figure 3).
#[derive(Clone, Debug)]
pub struct LinkedRows<V = u32> {
    lists: Vec<List>,
    edges: Vec<Edge<V>>,
    is_symmetric: bool,
}

#[derive(Clone, Copy, Debug)]
struct List {
    degree: u32,
    first: u32,
}

#[derive(Clone, Copy, Debug)]
struct Edge<V> {
    to: V,
    next: u32,
}

/// The link of the last edge.
const END: u32 = u32::MAX;

impl<V: Vertex> LinkedRows<V> {
    /// The rows of `graph`, linked in an order that depends on `seed`. The edges of a vertex are next to each other in
    /// memory, so a list jumps only within them. Work: O(n + m), serial.
    ///
    /// # Errors
    ///
    /// [`TreeError::TooManyArcs`]: the links have 32 bits.
    pub fn new(graph: &Csr<V>, seed: u64) -> Result<Self, TreeError> {
        let num_arcs = graph.num_arcs();
        if num_arcs >= END as usize {
            return Err(TreeError::TooManyArcs { num_arcs, max: END as usize - 1 });
        }
        let offsets = offsets_of(graph);
        let mut order: Vec<u32> = (0..num_arcs as u32).collect();
        shuffle_rows(&mut order, &offsets, seed);
        let mut edges: Vec<Edge<V>> = graph.out_rows().targets.iter().map(|&to| Edge { to, next: END }).collect();
        let lists = offsets.windows(2).map(|bounds| {
            let row = &order[bounds[0]..bounds[1]];
            row.windows(2).for_each(|pair| edges[pair[0] as usize].next = pair[1]);
            List { degree: row.len() as u32, first: row.first().copied().unwrap_or(END) }
        });
        let lists = lists.collect();
        Ok(LinkedRows { lists, edges, is_symmetric: graph.is_symmetric() })
    }
}

impl<V: Vertex + Number> Sealed for LinkedRows<V> {}

impl<V: Vertex + Number> Rows for LinkedRows<V> {
    type Vertex = V;
    type Place = u32;

    fn num_rows(&self) -> usize {
        self.lists.len()
    }

    fn has_reverses(&self) -> bool {
        self.is_symmetric
    }

    #[inline(always)]
    fn row_len(&self, v: V) -> usize {
        self.lists[v.index()].degree as usize
    }

    #[inline(always)]
    fn first(&self, v: V) -> u32 {
        self.lists[v.index()].first
    }

    #[inline(always)]
    fn vertex(&self, place: u32) -> V {
        self.edges[place as usize].to
    }

    #[inline(always)]
    fn after(&self, place: u32) -> u32 {
        self.edges[place as usize].next
    }

    #[inline(always)]
    fn skip(&self, place: u32, count: usize) -> u32 {
        (0..count).fold(place, |place, _| self.after(place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::GraphSpec;

    fn row<R: Rows<Vertex = u32>>(rows: &R, v: u32, from: usize) -> Vec<u32> {
        let mut place = rows.skip(rows.first(v), from);
        let mut found = Vec::new();
        for left in (0..rows.row_len(v) - from).rev() {
            found.push(rows.vertex(place));
            if left > 0 {
                place = rows.after(place);
            }
        }
        found
    }

    fn sorted(mut row: Vec<u32>) -> Vec<u32> {
        row.sort_unstable();
        row
    }

    #[test]
    fn rows_hold_the_same_edges_in_another_order_and_can_be_entered_anywhere() {
        let graph: Csr = "uniform(8,9)".parse::<GraphSpec>().unwrap().generate(2).unwrap();
        let (arrays, linked) = (ArrayRows::new(&graph, 5), LinkedRows::new(&graph, 5).unwrap());
        let mut moved = [0, 0];
        for v in 0..256 {
            let expected = graph.row(v);
            let found = [row(&arrays, v, 0), row(&linked, v, 0)];
            for (found, moved) in found.iter().zip(&mut moved) {
                *moved += found.iter().zip(expected).filter(|(a, b)| a != b).count();
                assert_eq!(sorted(found.clone()), expected);
            }
            for from in 0..expected.len() {
                assert_eq!(row(&arrays, v, from), found[0][from..]);
                assert_eq!(row(&linked, v, from), found[1][from..]);
            }
        }
        assert!(moved.iter().all(|&moved| moved > graph.num_arcs() / 2), "{moved:?}");
    }

    #[test]
    fn a_vertex_without_edges_has_an_empty_row() {
        let graph: Csr = Csr::builder(3).symmetrize(true).build(vec![(0, 2)]).unwrap();
        let linked = LinkedRows::new(&graph, 1).unwrap();
        assert_eq!([0, 1, 2].map(|v| linked.row_len(v)), [1, 0, 1]);
        assert_eq!(linked.first(1), END);
    }
}
