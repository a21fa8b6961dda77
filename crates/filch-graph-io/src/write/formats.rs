//! Writing graphs in each format. The modules of [`read`](crate::read) describe them.

use crate::weight::FileWeight;
use std::io::Write;

use super::arcs::{WHOLE_LIMIT, are_whole, for_each_arc};
use super::error::Failure;
use super::pipe::{Pipe, push_number};
use filch_graph::{Csr, Graph, InDigits, Rows, Vertex};

/// A line for each arc.
pub(super) fn edge_list<V: Vertex, W: FileWeight>(graph: &Csr<V, W>, pipe: &mut Pipe<'_, '_>) -> Result<(), Failure> {
    pipe.items(graph.num_arcs(), true, |arcs, buffer| {
        for_each_arc(graph, arcs, |u, v, weight| push_arc(buffer, u, v, weight));
    })
}

pub(super) fn matrix_market<V: Vertex, W: FileWeight>(
    graph: &Csr<V, W>,
    pipe: &mut Pipe<'_, '_>,
) -> Result<(), Failure> {
    let (n, entries) = (graph.num_vertices(), graph.num_edges());
    let field = match W::IS_KEPT {
        false => "pattern",
        true if are_whole(graph) => "integer",
        true => "real",
    };
    let symmetry = if graph.is_symmetric() { "symmetric" } else { "general" };
    pipe.bytes(format!("%%MatrixMarket matrix coordinate {field} {symmetry}\n{n} {n} {entries}\n").as_bytes())?;
    let is_symmetric = graph.is_symmetric();
    pipe.items(graph.num_arcs(), true, |arcs, buffer| {
        for_each_arc(graph, arcs, |u, v, weight| {
            if v <= u || !is_symmetric {
                push_arc(buffer, u + 1, v + 1, weight);
            }
        });
    })
}

pub(super) fn dimacs<V: Vertex, W: FileWeight>(graph: &Csr<V, W>, pipe: &mut Pipe<'_, '_>) -> Result<(), Failure> {
    pipe.bytes(format!("p sp {} {}\n", graph.num_vertices(), graph.num_arcs()).as_bytes())?;
    pipe.items(graph.num_arcs(), true, |arcs, buffer| {
        for_each_arc(graph, arcs, |u, v, weight| {
            buffer.extend_from_slice(b"a ");
            push_arc(buffer, u + 1, v + 1, weight);
        });
    })
}

pub(super) fn metis<V: Vertex, W: FileWeight>(graph: &Csr<V, W>, pipe: &mut Pipe<'_, '_>) -> Result<(), Failure> {
    let (n, m, format) = (graph.num_vertices(), graph.num_arcs() / 2, if W::IS_KEPT { " 001" } else { "" });
    pipe.bytes(format!("{n} {m}{format}\n").as_bytes())?;
    pipe.items(n, true, |vertices, buffer| {
        for v in vertices {
            let v = V::new(v);
            for (place, (target, &weight)) in graph.row(v).iter().zip(graph.weights(v)).enumerate() {
                if place > 0 {
                    buffer.push(b' ');
                }
                push_number(buffer, target.index() + 1);
                if W::IS_KEPT {
                    buffer.push(b' ');
                    push_weight(buffer, weight.value());
                }
            }
            buffer.push(b'\n');
        }
    })
}

pub(super) fn ligra<V: Vertex, W: FileWeight>(graph: &Csr<V, W>, pipe: &mut Pipe<'_, '_>) -> Result<(), Failure> {
    let (n, m, word) = (graph.num_vertices(), graph.num_arcs(), if W::IS_KEPT { "Weighted" } else { "" });
    let rows = graph.out_rows();
    pipe.bytes(format!("{word}AdjacencyGraph\n{n}\n{m}\n").as_bytes())?;
    pipe.items(n, false, |vertices, buffer| {
        for &offset in &rows.offsets()[vertices] {
            push_number(buffer, offset);
            buffer.push(b'\n');
        }
    })?;
    pipe.items(m, true, |arcs, buffer| {
        for target in &rows.targets()[arcs] {
            push_number(buffer, target.index());
            buffer.push(b'\n');
        }
    })?;
    if !W::IS_KEPT {
        return Ok(());
    }
    pipe.items(m, false, |arcs, buffer| {
        for weight in &rows.weights()[arcs] {
            push_weight(buffer, weight.value());
            buffer.push(b'\n');
        }
    })
}

/// Writes a graph of at most 2^31 vertices. Its weights, if it has any, are whole numbers of 32 bits.
pub(super) fn serialized<V: Vertex, W: FileWeight>(graph: &Csr<V, W>, pipe: &mut Pipe<'_, '_>) -> Result<(), Failure> {
    pipe.bytes(&[u8::from(!graph.is_symmetric())])?;
    pipe.bytes(&(graph.num_arcs() as i64).to_le_bytes())?;
    pipe.bytes(&(graph.num_vertices() as i64).to_le_bytes())?;
    serialized_rows(graph.out_rows(), pipe)?;
    graph.in_rows().map_or(Ok(()), |into| serialized_rows(into, pipe))
}

fn serialized_rows<V: Vertex, W: FileWeight>(rows: &Rows<V, W>, pipe: &mut Pipe<'_, '_>) -> Result<(), Failure> {
    pipe.items(rows.offsets().len(), false, |range, buffer| {
        for &offset in &rows.offsets()[range] {
            buffer.extend_from_slice(&(offset as i64).to_le_bytes());
        }
    })?;
    pipe.items(rows.targets().len(), true, |range, buffer| {
        for (target, weight) in rows.targets()[range.clone()].iter().zip(&rows.weights()[range]) {
            buffer.extend_from_slice(&(target.index() as i32).to_le_bytes());
            if W::IS_KEPT {
                buffer.extend_from_slice(&(weight.value() as i32).to_le_bytes());
            }
        }
    })
}

/// Appends a line of two vertices and, if there is one, a weight.
pub(super) fn push_arc<W: FileWeight>(buffer: &mut Vec<u8>, u: usize, v: usize, weight: W) {
    push_number(buffer, u);
    buffer.push(b' ');
    push_number(buffer, v);
    if W::IS_KEPT {
        buffer.push(b' ');
        push_weight(buffer, weight.value());
    }
    buffer.push(b'\n');
}

/// Appends a weight, so that the same weight is read again.
pub(super) fn push_weight(buffer: &mut Vec<u8>, weight: f32) {
    // This is quicker.
    if weight.fract() == 0.0 && weight.abs() < WHOLE_LIMIT {
        return push_number(buffer, weight as i32);
    }
    write!(buffer, "{}", InDigits(weight)).expect("writing into memory does not fail");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_read_as_they_were_written() {
        let mut random = fastrand::Rng::with_seed(3);
        let some = [0.0, 1.0, -3.0, 0.1, 2.5, 1e-30, -7e30, 16_777_218.0, 9e15, f32::MAX, f32::MIN_POSITIVE, 1e-45];
        let many = (0..20_000).map(|_| f32::from_bits(random.u32(..))).filter(|weight| weight.is_finite());
        for weight in some.into_iter().chain(many).map(|weight| weight + 0.0) {
            let mut buffer = Vec::new();
            push_weight(&mut buffer, weight);
            let text = String::from_utf8(buffer).unwrap();
            let read: f32 = text.parse().unwrap();
            assert_eq!(read.to_bits(), weight.to_bits(), "{text}");
            // A whole number has all of its digits.
            let whole = text.trim_start_matches('-').parse().ok();
            assert_eq!(whole, (weight.fract() == 0.0).then_some(weight.abs() as u128), "{text}");
        }
    }
}
