//! Checks random walks.

use super::Wrong;
use crate::graph::Graph;

/// Checks whether there is a walk from each of `starts`, in their order, whether each step is an arc, and whether each
/// walk has `length` steps or ends at a vertex that no arc leaves. Whether the steps are random is not checked.
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::verify::verify_walks;
///
/// let path: Csr = Csr::builder(3).build([(0, 1), (1, 2)])?;
/// verify_walks(&path, &[0, 1], 5, [&[0, 1, 2][..], &[1, 2]])?;
/// assert!(verify_walks(&path, &[0], 5, [&[0, 1][..]]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Time: the degree for each step, serial. Memory: none.
///
/// # Errors
///
/// Returns the first error that is found, with the walk that shows it.
pub fn verify_walks<'a, G: Graph>(
    graph: &G,
    starts: &[G::Vertex],
    length: usize,
    walks: impl IntoIterator<Item = &'a [G::Vertex]>,
) -> Result<(), Wrong> {
    let mut walks = walks.into_iter();
    for (index, start) in starts.iter().enumerate() {
        let Some(walk) = walks.next() else {
            return Err(Wrong(format!("{index} walks were found, expected one from each of {} starts", starts.len())));
        };
        if walk.first() != Some(start) {
            return Err(Wrong(format!("walk {index} begins at {:?}: expected {start}", walk.first())));
        }
        for pair in walk.windows(2) {
            if graph.neighbors(pair[0]).all(|w| w != pair[1]) {
                return Err(Wrong(format!("walk {index} goes from {} to {}: expected an arc", pair[0], pair[1])));
            }
        }
        let (steps, last) = (walk.len() - 1, walk[walk.len() - 1]);
        if steps > length || steps < length && graph.neighbors(last).next().is_some() {
            return Err(Wrong(format!("walk {index} ends at vertex {last} after {steps} steps: expected {length}")));
        }
    }
    match walks.count() {
        0 => Ok(()),
        more => Err(Wrong(format!("{more} walks more than starts were found"))),
    }
}
