//! Writing serialized graphs of the GAP Benchmark Suite. The module `sg` of [`read`](crate::read) describes the format.

use super::error::Failure;
use super::pipe::Pipe;
use crate::csr::{Csr, Rows};
use crate::graph::Graph;
use crate::vertex::Vertex;
use crate::weight::Weight;

/// Writes a graph of at most 2^31 vertices. Its weights, if it has any, are whole numbers of 32 bits.
pub(super) fn write<V: Vertex, W: Weight>(graph: &Csr<V, W>, pipe: &mut Pipe<'_, '_>) -> Result<(), Failure> {
    pipe.bytes(&[u8::from(!graph.is_symmetric())])?;
    pipe.bytes(&(graph.num_arcs() as i64).to_le_bytes())?;
    pipe.bytes(&(graph.num_vertices() as i64).to_le_bytes())?;
    write_rows(graph.out_rows(), pipe)?;
    graph.in_rows().map_or(Ok(()), |into| write_rows(into, pipe))
}

fn write_rows<V: Vertex, W: Weight>(rows: &Rows<V, W>, pipe: &mut Pipe<'_, '_>) -> Result<(), Failure> {
    pipe.items(rows.offsets.len(), false, |range, buffer| {
        for &offset in &rows.offsets[range] {
            buffer.extend_from_slice(&(offset as i64).to_le_bytes());
        }
    })?;
    pipe.items(rows.targets.len(), true, |range, buffer| {
        for (target, weight) in rows.targets[range.clone()].iter().zip(&rows.weights[range]) {
            buffer.extend_from_slice(&(target.index() as i32).to_le_bytes());
            if W::IS_KEPT {
                buffer.extend_from_slice(&(weight.value() as i32).to_le_bytes());
            }
        }
    })
}
