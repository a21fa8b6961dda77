//! A cycle, which shows that there is no topological order.

use crate::graph::Graph;
use crate::vertex::Vertex;
use crate::watch::look_at;
use std::fmt;

/// The graph has a cycle, so its vertices have no topological order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CycleError<V = u32> {
    /// The vertices of a cycle, from its smallest vertex on. An arc leads from each to the next one, and from the last
    /// to the first. Of several cycles it is the same one on any number of workers.
    pub cycle: Vec<V>,
}

impl<V: Vertex> CycleError<V> {
    /// A cycle among vertices each of which has an arc from another one of them, or from itself: the first of these
    /// arcs is followed back, from the smallest vertex on, until a vertex comes again.
    ///
    /// Work: O(n + m), serial.
    pub(super) fn among<G: Graph<Vertex = V>>(graph: &G, is_left: impl Fn(V) -> bool) -> Self {
        let n = graph.num_vertices();
        let mut v = (0..n).map(V::new).find(|&v| is_left(v)).expect("a vertex is left");
        // Where each vertex is on the way.
        let (mut places, mut way) = (vec![V::NONE; n], Vec::new());
        while places[v.index()] == V::NONE {
            places[v.index()] = V::new(way.len());
            way.push(v);
            look_at(way.len());
            v = graph.in_neighbors(v).find(|&u| is_left(u)).expect("an arc leads there from a vertex that is left");
        }
        let mut cycle = way.split_off(places[v.index()].index());
        cycle.reverse();
        let smallest = (0..cycle.len()).min_by_key(|&place| cycle[place]).unwrap_or(0);
        cycle.rotate_left(smallest);
        CycleError { cycle }
    }
}

impl<V: Vertex> fmt::Display for CycleError<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// The vertices of a cycle that a message shows.
        const SHOWN: usize = 8;
        f.write_str("this graph has a cycle, so there is no topological order: ")?;
        self.cycle.iter().take(SHOWN).try_for_each(|v| write!(f, "{v} -> "))?;
        if let Some(more) = self.cycle.len().checked_sub(SHOWN).filter(|&more| more > 0) {
            write!(f, "({more} more) -> ")?;
        }
        self.cycle.first().map_or(Ok(()), |first| write!(f, "{first}"))
    }
}

impl<V: Vertex> std::error::Error for CycleError<V> {}
