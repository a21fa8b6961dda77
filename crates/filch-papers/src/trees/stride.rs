//! The gain from reading a graph in the order of its vertices.

use super::rows::Rows;
use filch_graph::Vertex;

/// The stride of the paper: a prime, large enough for vertices that are read one after the other to share no cache
/// line.
pub const FAR: usize = 7919;

/// Reads the other end of each edge of each vertex, and looks there, in the order 0, `stride`, 2 · `stride`, ... of the
/// vertices, and then in the same way from 1, 2, ... Returns the sum of what it has read, which is the same for each
/// stride.
///
/// The time with stride [`FAR`] divided by that with stride 1 says how much locality there is in the numbers of the
/// vertices (Cong, Kodali, Krishnamoorthy, Lea, Saraswat and Wen 2008, section 3.3). `marks` has an entry for each
/// vertex, and stands for what a traversal reads there, the parent.
///
/// ```
/// use filch_graph::Csr;
/// use filch_papers::trees::read_by_stride;
///
/// let graph: Csr = Csr::builder(4).symmetrize(true).build(vec![(0, 1), (1, 2), (2, 3)])?;
/// assert_eq!(read_by_stride(&graph, &[1, 1, 1, 1], 3), 6); // each edge from both ends
/// # Ok::<(), filch_graph::BuildError>(())
/// ```
///
/// Work: O(n + m), serial.
///
/// # Panics
///
/// Panics if `stride` is 0, or if there is not a mark for each vertex.
pub fn read_by_stride<R: Rows>(rows: &R, marks: &[u32], stride: usize) -> u64 {
    assert!(stride > 0, "a stride of 1 or more is expected");
    assert_eq!(marks.len(), rows.num_rows(), "a mark for each vertex is expected");
    let mut sum = 0;
    let starts = 0..stride.min(marks.len());
    for v in starts.flat_map(|start| (start..marks.len()).step_by(stride)).map(R::Vertex::new) {
        let (mut place, mut left) = (rows.first(v), rows.row_len(v));
        while left > 0 {
            sum += u64::from(marks[rows.vertex(place).index()]);
            left -= 1;
            if left > 0 {
                place = rows.after(place);
            }
        }
    }
    sum
}
