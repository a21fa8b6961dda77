//! Paths, from the vertices before each vertex.

use crate::vertex::Vertex;

/// The path to `v`, from its first vertex on, which is before itself. `None` if no vertex is before `v`.
pub(crate) fn path_to<V: Vertex>(before: &[V], mut v: V) -> Option<Vec<V>> {
    let mut path = Vec::new();
    while before[v.index()] != V::NONE {
        path.push(v);
        if before[v.index()] == v {
            path.reverse();
            return Some(path);
        }
        v = before[v.index()];
    }
    None
}
