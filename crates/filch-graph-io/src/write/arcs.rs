//! What a format can represent, and the arcs of a graph by position.

use crate::weight::FileWeight;
use std::ops::Range;
use std::path::Path;

use super::error::WriteError;
use super::format::Content;
use crate::read::MOST_SG_VERTICES;
use filch_graph::{Csr, Graph, InDigits, Vertex};

/// Whole weights in files are below this, in either direction, because some formats and readers have 32-bit integers.
pub(super) const WHOLE_LIMIT: f32 = 2_147_483_648.0;

/// Whether all weights are whole numbers within the limit.
pub(super) fn are_whole<V: Vertex, W: FileWeight>(graph: &Csr<V, W>) -> bool {
    inexpressible(graph, -WHOLE_LIMIT).is_none()
}

/// A weight that is not a whole number from `least` on and below the limit.
fn inexpressible<V: Vertex, W: FileWeight>(graph: &Csr<V, W>, least: f32) -> Option<f32> {
    let is_whole = |weight: f32| weight.fract() == 0.0 && weight >= least && weight < WHOLE_LIMIT;
    if !W::IS_KEPT {
        return None;
    }
    filch::find_any(graph.out_rows().weights(), |_, weight| !is_whole(weight.value())).map(|weight| weight.value())
}

/// Fails if the format cannot represent the graph.
pub(super) fn check<V: Vertex, W: FileWeight>(
    path: &Path,
    graph: &Csr<V, W>,
    content: Content,
) -> Result<(), WriteError> {
    let path_buf = || path.to_owned();
    let (num_vertices, most) = (graph.num_vertices(), MOST_SG_VERTICES);
    if matches!(content, Content::Sg | Content::Wsg) && num_vertices > most {
        return Err(WriteError::TooManyVertices { path: path_buf(), num_vertices, most });
    }
    let fault = match content {
        Content::Wsg | Content::Dimacs | Content::WeightedText if !W::IS_KEPT => {
            Some("the format requires weights, and the graph has none".to_owned())
        }
        Content::Sg if W::IS_KEPT => Some("the format has no weights, but the graph has; .wsg has weights".to_owned()),
        Content::Metis if !graph.is_symmetric() => {
            Some("the format has undirected graphs only, and the graph is directed".to_owned())
        }
        Content::Metis => {
            let vertices = 0..num_vertices;
            let has_loop = |v: usize| graph.neighbors(V::new(v)).any(|neighbor| neighbor.index() == v);
            if let Some(vertex) = filch::find_any(vertices, |_, &v| has_loop(v)) {
                return Err(WriteError::SelfLoop { path: path_buf(), vertex });
            }
            None
        }
        _ => None,
    };
    if let Some(reason) = fault {
        return Err(WriteError::Unsupported { path: path_buf(), reason });
    }
    let (least, expected) = match content {
        Content::Wsg | Content::Dimacs => (-WHOLE_LIMIT, "whole numbers from -2^31 to below 2^31"),
        Content::Metis => (1.0, "whole numbers from 1 to below 2^31"),
        _ => return Ok(()),
    };
    match inexpressible(graph, least) {
        None => Ok(()),
        Some(found) => {
            let reason =
                format!("the weights of the format are {expected}, but the graph has a weight of {}", InDigits(found));
            Err(WriteError::Unsupported { path: path_buf(), reason })
        }
    }
}

/// Calls `body` with the source, the target and the weight of each arc in a range of positions.
pub(super) fn for_each_arc<V: Vertex, W: FileWeight>(
    graph: &Csr<V, W>,
    arcs: Range<usize>,
    mut body: impl FnMut(usize, usize, W),
) {
    let rows = graph.out_rows();
    // The last row that begins at or before the first arc. Empty rows may begin at the same offset.
    let mut u = rows.offsets().partition_point(|&offset| offset <= arcs.start) - 1;
    for arc in arcs {
        while rows.offsets()[u + 1] <= arc {
            u += 1;
        }
        body(u, rows.targets()[arc].index(), rows.weights()[arc]);
    }
}
