//! Checks distances from many vertices.

use super::Wrong;
use super::arcs::for_each_arc;
use crate::graph::Graph;
use crate::vertex::Vertex;

const UNREACHED: u32 = u32::MAX;

/// Checks whether `distances` has a row for each of `sources`, in their order, with the number of arcs on the way to
/// each vertex, `u32::MAX` if there is none: 0 for the source alone, after each arc at most one more, and after some
/// arc that leads there exactly one more.
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::verify::verify_distances;
///
/// let path: Csr = Csr::builder(3).build([(0, 1), (1, 2)])?;
/// verify_distances(&path, &[0, 1], &[0, 1, 2, u32::MAX, 0, 1])?;
/// assert!(verify_distances(&path, &[0], &[0, 1, 1]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Time: O(n + m) for each source, serial. Memory: a byte for each vertex.
///
/// # Errors
///
/// Returns the first error that is found, with the source and the vertex that show it.
///
/// # Panics
///
/// Panics if an arc of the graph leads to a number that is not a vertex.
pub fn verify_distances<G: Graph>(graph: &G, sources: &[G::Vertex], distances: &[u32]) -> Result<(), Wrong> {
    let n = graph.num_vertices();
    if distances.len() != n * sources.len() {
        let (found, count) = (distances.len(), sources.len());
        return Err(Wrong(format!("{found} distances were found, expected {n} for each of {count} sources")));
    }
    for (source, row) in sources.iter().map(|source| source.index()).zip(distances.chunks(n.max(1))) {
        let mut is_explained: Vec<bool> = row.iter().map(|&distance| distance == UNREACHED).collect();
        is_explained[source] = row[source] == 0;
        let mut wrong = None;
        for_each_arc(graph, |u, w| {
            let next = row[u].saturating_add(1);
            if row[w] > next && wrong.is_none() {
                let shown = if row[w] == UNREACHED { "none".to_owned() } else { row[w].to_string() };
                wrong = Some(Wrong(format!(
                    "the distance of vertex {w} from {source} is {shown}: expected at most {next}, as an arc leads \
                     there from vertex {u}"
                )));
            }
            is_explained[w] |= w != source && row[u] != UNREACHED && row[w] == next;
        });
        let unexplained = is_explained.iter().position(|is_explained| !is_explained);
        let expected = |v: usize| if v == source { "0" } else { "that after an arc" };
        let by_no_arc = unexplained.map(|v| {
            Wrong(format!("the distance of vertex {v} from {source} is {}: expected {}", row[v], expected(v)))
        });
        if let Some(wrong) = wrong.or(by_no_arc) {
            return Err(wrong);
        }
    }
    Ok(())
}
