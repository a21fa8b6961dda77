//! Strongly connected components, numbered as scipy or networkx find them.

use crate::borrowed::{Borrowed, Cell, Indices, with_graph};
use crate::results::{Array, array, memory_error};
use crate::running::{Look, Workers};
use crate::traversal::fetch_above;
use filch_algorithms::memory::with_room;
use filch_graph::Graph;
use pyo3::prelude::*;

/// The number of strongly connected components, and the number of that of each vertex, in the order in which a
/// depth-first search from the first vertices completes them. `backward`: it follows the arcs of a row from the last
/// one on, as that of scipy does; that of networkx begins with the first one.
#[pyfunction]
#[pyo3(signature = (indptr, indices, backward, workers))]
pub(crate) fn strong_components<'py>(
    py: Python<'py>,
    indptr: Indices<'py>,
    indices: Indices<'py>,
    backward: bool,
    workers: Workers,
) -> PyResult<(usize, Array<'py, i32>)> {
    // One does it.
    let _ = workers;
    with_graph!(indptr, indices, false, |graph| {
        let (count, labels) = graph.solved_serially(py, |look| match backward {
            false => numbered::<_, false>(&graph, look),
            true => numbered::<_, true>(&graph, look),
        })?;
        Ok((count, array(py, labels)))
    })
}

/// The number of components, and the number of that of each vertex.
///
/// The algorithm is Tarjan's (1972) with a stack in place of recursion, in the form with one number for each vertex
/// (Pearce 2016, "A space-efficient algorithm for finding strongly connected components"). A component is complete when
/// the search leaves its first vertex, after all components to which paths lead from it. So the numbers are those of
/// any algorithm that follows arcs in the same order; the order of the numbers is a reverse topological one.
///
/// Work: a pass over the arcs, by one worker. Memory: 8 bytes for each vertex, half of which is the result, and 8 for
/// each vertex of the longest path.
fn numbered<C: Cell, const BACKWARD: bool>(graph: &Borrowed<'_, C>, look: &mut Look) -> PyResult<(usize, Vec<u32>)> {
    /// Not visited. A vertex whose component is not complete has the lowest number to which a path has been found, at
    /// first its own, which is at least 1. One whose component is complete has the number of that, counted down from
    /// the largest one, so that no path leads back through it.
    const UNVISITED: u32 = 0;
    /// How many arcs are counted. One that is followed again changes nothing.
    const MOST_FOLLOWED: usize = u32::MAX as usize >> 1;
    let n = graph.num_vertices();
    // Also the vertices whose component is not complete, though their arcs have been followed.
    let (mut lowest, mut open) = (with_room(n).map_err(memory_error)?, with_room::<u32>(n).map_err(memory_error)?);
    lowest.resize(n, UNVISITED);
    // The vertices on the path to `v`: each with twice the number of its arcs that were followed, and one more if it is
    // the lowest one so far.
    let mut path = with_room::<(u32, u32)>(n).map_err(memory_error)?;
    let (mut next, mut count) = (1, 0);
    for start in 0..n as u32 {
        if lowest[start as usize] != UNVISITED {
            continue;
        }
        let (mut v, mut row, mut followed) = (start, graph.row_from(start).1, 0);
        let (mut low, mut is_lowest) = (next, true);
        lowest[v as usize] = next;
        next += 1;
        loop {
            look.step()?;
            let child = loop {
                if followed >= row.len() {
                    break None;
                }
                let w = graph.target(&row[if BACKWARD { row.len() - 1 - followed } else { followed }], v);
                followed += 1;
                let other = lowest[w as usize];
                if other == UNVISITED {
                    break Some(w);
                }
                is_lowest &= other >= low;
                low = low.min(other);
            };
            if let Some(w) = child {
                lowest[v as usize] = low;
                path.push((v, (followed.min(MOST_FOLLOWED) as u32) << 1 | u32::from(is_lowest)));
                (v, row, followed) = (w, graph.row_from(w).1, 0);
                (low, is_lowest) = (next, true);
                lowest[v as usize] = next;
                next += 1;
                continue;
            }
            if is_lowest {
                // The component of v: v, and the open vertices that were visited after it.
                let rest = open.len() - open.iter().rev().take_while(|w| lowest[**w as usize] >= low).count();
                for w in open.drain(rest..).chain([v]) {
                    lowest[w as usize] = u32::MAX - count;
                    next -= 1;
                }
                count += 1;
            } else {
                lowest[v as usize] = low;
                open.push(v);
            }
            let found = lowest[v as usize];
            let Some((above, noted)) = path.pop() else { break };
            fetch_above(graph, &path, |above| above.0);
            (v, row, followed) = (above, graph.row_from(above).1, (noted >> 1) as usize);
            low = lowest[v as usize];
            is_lowest = noted & 1 == 1 && found >= low;
            low = low.min(found);
        }
    }
    lowest.iter_mut().for_each(|number| *number = u32::MAX - *number);
    Ok((count as usize, lowest))
}
