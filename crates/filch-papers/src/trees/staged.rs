//! Recursion of bounded depth, in stages: serial, and parallel with short-term lists (Yasugi, Hiraishi, Umatani and
//! Yuasa 2012, sections 5 and 5.1).
//!
//! A traversal by recursion can be as deep as the graph has vertices. So the depth is bounded. A vertex that is deeper
//! overflows: it is claimed, and waits in a list for the next stage, which begins with all vertices that wait. A stage
//! is a balanced divide-and-conquer program, as far as the graph allows.
//!
//! In parallel, the question is where overflowed vertices are collected without synchronization:
//!
//! * *Short-term*: each call makes a list and returns it, and its caller joins the lists.
//! * *Long-term*: a call uses the list of its caller. Only a part that another worker runs gets another list, which is
//!   joined when the part is over. So there are as many lists as parts that moved, and each can have large arrays
//!   (`long_term.rs`).

use super::claim::Claim;
use super::grower::{EDGES_IN_A_ROW, Grower, Part};
use super::options::StageInput;
use super::overflow::{Arrays, Overflow};
use super::result::Counts;
use super::rows::Rows;
use filch::Strand;
use filch_graph::Vertex;

/// A way to do stages.
pub(super) trait Stages<V> {
    /// Visits the vertices in `arrays`, none of which is empty, and what is found from them, down to the bound. Returns
    /// what overflows.
    fn stage(&self, s: Strand<'_>, arrays: Arrays<'_, V>) -> Overflow<V>;
}

/// Grows the tree of `root`, which has been claimed.
pub(super) fn in_stages<V: Vertex>(
    mut s: Strand<'_>,
    root: V,
    stages: &impl Stages<V>,
    input: StageInput,
    counts: &mut Counts,
) {
    let mut overflow = stages.stage(s.reborrow(), Arrays::Converted(&[&[root]]));
    while !overflow.is_empty() {
        counts.stages += 1;
        counts.add_overflow(overflow.size(), overflow.places());
        overflow = match input {
            StageInput::Array => stages.stage(s.reborrow(), Arrays::Converted(&overflow.arrays())),
            StageInput::List => stages.stage(s.reborrow(), overflow.linked()),
        };
    }
}

/// Serial stages (figure 4). It gets a strand like the others, and does not use it.
pub(super) struct Serial<'g, R: Rows, C> {
    pub(super) grower: Grower<'g, R, C>,
    pub(super) bound: usize,
    pub(super) capacity: usize,
}

impl<R: Rows, C: Claim> Stages<R::Vertex> for Serial<'_, R, C> {
    fn stage(&self, _: Strand<'_>, arrays: Arrays<'_, R::Vertex>) -> Overflow<R::Vertex> {
        let mut overflow = Overflow::new(self.capacity);
        arrays.flatten().for_each(|&v| self.visit(v, self.bound, &mut overflow));
        overflow
    }
}

impl<R: Rows, C: Claim> Serial<'_, R, C> {
    fn visit(&self, v: R::Vertex, below: usize, overflow: &mut Overflow<R::Vertex>) {
        self.grower.visit(v, |w| if below > 0 { self.visit(w, below - 1, overflow) } else { overflow.push(w) });
    }
}

/// Parallel stages in which each call returns a list (figure 7).
pub(super) struct ShortTerm<'g, R: Rows, C> {
    pub(super) grower: Grower<'g, R, C>,
    pub(super) bound: usize,
    pub(super) capacity: usize,
}

impl<R: Rows, C: Claim> Stages<R::Vertex> for ShortTerm<'_, R, C> {
    fn stage(&self, mut s: Strand<'_>, mut arrays: Arrays<'_, R::Vertex>) -> Overflow<R::Vertex> {
        if arrays.len() < 2 {
            return self.vertices(s, arrays.next().unwrap_or_default());
        }
        let latter = arrays.split_off_half();
        joined(s.join(|s| self.stage(s, arrays), |s| self.stage(s, latter)))
    }
}

impl<R: Rows, C: Claim> ShortTerm<'_, R, C> {
    fn vertices(&self, mut s: Strand<'_>, vertices: &[R::Vertex]) -> Overflow<R::Vertex> {
        match vertices {
            [] => Overflow::new(self.capacity),
            [v] => self.visit(s, self.grower.row(*v), self.bound),
            _ => {
                let (left, right) = vertices.split_at(vertices.len() / 2);
                joined(s.join(|s| self.vertices(s, left), |s| self.vertices(s, right)))
            }
        }
    }

    /// Follows the edges of a part, down to `below` levels below their vertex.
    fn visit(&self, mut s: Strand<'_>, mut part: Part<R>, below: usize) -> Overflow<R::Vertex> {
        if part.len > EDGES_IN_A_ROW {
            let (lower, upper) = self.grower.halves(part);
            return joined(s.join(|s| self.visit(s, lower, below), |s| self.visit(s, upper, below)));
        }
        let mut overflow = Overflow::new(self.capacity);
        while let Some(w) = self.grower.claim_next(&mut part) {
            if below == 0 {
                overflow.push(w);
                continue;
            }
            part = self.grower.open(part);
            let child = |s: Strand<'_>| self.visit(s, self.grower.row(w), below - 1);
            if part.len == 0 {
                overflow.append(child(s));
                break;
            }
            // The rest of the row can be stolen, as the continuation of a spawn in Cilk.
            overflow.append(joined(s.join(child, |s| self.visit(s, part, below))));
            break;
        }
        overflow
    }
}

#[inline]
fn joined<V: Vertex>((mut first, second): (Overflow<V>, Overflow<V>)) -> Overflow<V> {
    first.append(second);
    first
}
