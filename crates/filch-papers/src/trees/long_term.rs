//! Parallel stages with long-term lists (Yasugi, Hiraishi, Umatani and Yuasa 2012, sections 5.2 and 5.3), in which work
//! is divided on demand, as Tascell does.
//!
//! A worker runs the recursion as a serial program would, on a path of its own: what is left of each call. Only one
//! fork is open at a time. Its second branch is the oldest work that the worker has: some of the vertices that wait, or
//! of the edges that are left to the call nearest to the root. Every few calls, and within a long row, the worker
//! checks whether another one has taken that branch. If so, it forks again, with its oldest work at that time. So there
//! are as many forks as parts that have moved, and a few whose second branch the worker runs itself.
//!
//! A list is begun only for a branch that moves, and so is a path.

use super::claim::Claim;
use super::grower::{EDGES_IN_A_ROW, Grower, Part};
use super::overflow::{Arrays, Overflow};
use super::rows::Rows;
use super::staged::Stages;
use filch::Strand;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The number of calls between two checks whether others want work: enough that a check, which is an empty fork, costs
/// about an instruction for each call, and takes place every few microseconds.
const CALLS_BETWEEN_LOOKS: usize = 32;

/// A longer row is visited in pieces of this many edges, with a check after each. A piece takes a microsecond if its
/// ends have been claimed and are in a cache, and some ten if not. A check costs as much as a few edges.
const PIECE: usize = 128;

/// The edges that leave a call when another worker gets some of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moves {
    /// All edges that are left, as the continuation of a spawn in Cilk (figure 9). Of a long row, only the upper half:
    /// the stack has a frame for each rest of a rest.
    Rest,
    /// The upper half of them, as in a parallel `for` of Tascell (figure 8).
    UpperHalf,
}

/// Parallel stages in which a call uses the list of its caller, unless it has moved.
pub(super) struct LongTerm<'g, R: Rows, C> {
    grower: Grower<'g, R, C>,
    bound: usize,
    capacity: usize,
    moves: Moves,
    moved: AtomicUsize,
}

impl<'g, R: Rows, C: Claim> LongTerm<'g, R, C> {
    pub(super) fn new(grower: Grower<'g, R, C>, bound: usize, capacity: usize, moves: Moves) -> Self {
        LongTerm { grower, bound, capacity, moves, moved: AtomicUsize::new(0) }
    }

    /// The number of lists that were made because a part had moved.
    pub(super) fn moved(&self) -> usize {
        self.moved.load(Ordering::Relaxed)
    }
}

impl<R: Rows, C: Claim> Stages<R::Vertex> for LongTerm<'_, R, C> {
    fn stage(&self, mut s: Strand<'_>, arrays: Arrays<'_, R::Vertex>) -> Overflow<R::Vertex> {
        let mut own = Own { waiting: Waiting { vertices: &[], arrays }, ..Own::new(self.capacity) };
        self.divide(&mut s, &mut own);
        own.overflow
    }
}

/// What a call has left to do.
struct Call<R: Rows> {
    part: Part<R>,
    /// How many levels of calls may be below this one.
    below: usize,
}

/// Vertices that wait for a visit: first these, then those in the arrays.
struct Waiting<'s, V> {
    vertices: &'s [V],
    arrays: Arrays<'s, V>,
}

/// What a worker has for itself.
struct Own<'s, R: Rows> {
    waiting: Waiting<'s, R::Vertex>,
    /// The calls that have edges left, the oldest first, but for the one that the worker is in. A long row can be there
    /// twice, with what is left of a piece and with the rest. Only the last one may have no edges, if its vertex has
    /// none.
    path: Vec<Call<R>>,
    overflow: Overflow<R::Vertex>,
}

/// What can move.
enum Work<'s, R: Rows> {
    Waiting(Waiting<'s, R::Vertex>),
    Call(Call<R>),
}

impl<R: Rows, C: Claim> LongTerm<'_, R, C> {
    /// Does all the work in `own`, and meanwhile offers the oldest of it to others.
    fn divide<'s>(&self, s: &mut Strand<'_>, own: &mut Own<'s, R>) {
        let Some(oldest) = self.split_oldest(own) else {
            return self.walk(s.reborrow(), own, || true);
        };
        let has_gone = AtomicBool::new(false);
        let begin = || {
            self.moved.fetch_add(1, Ordering::Relaxed);
            Own::new(self.capacity)
        };
        s.join_with(
            own,
            begin,
            |s, own: &mut Own<'s, R>| self.walk(s, own, || has_gone.load(Ordering::Relaxed)),
            |mut s, own| {
                has_gone.store(true, Ordering::Relaxed);
                match oldest {
                    Work::Waiting(waiting) => own.waiting = waiting,
                    Work::Call(call) => own.path.push(call),
                }
                self.divide(&mut s, own);
            },
            |own, other| own.overflow.append(other.overflow),
        );
    }

    /// Does all the work in `own`, and divides it when `may_fork`, which is called now and then, returns true.
    fn walk(&self, mut s: Strand<'_>, own: &mut Own<'_, R>, may_fork: impl Fn() -> bool) {
        let mut left = CALLS_BETWEEN_LOOKS;
        while let Some(call) = self.next_call(own) {
            left -= 1;
            if left == 0 {
                left = CALLS_BETWEEN_LOOKS;
                look(&mut s);
                if may_fork() {
                    own.path.push(call);
                    return self.divide(&mut s, own);
                }
            }
            let Call { mut part, mut below } = self.piece(call, own, &mut left);
            while let Some(w) = self.grower.claim_next(&mut part) {
                if below == 0 {
                    own.overflow.push(w);
                    continue;
                }
                if part.len > 0 {
                    own.path.push(Call { part, below });
                }
                let call = Call { part: self.grower.row(w), below: below - 1 };
                Call { part, below } = self.piece(call, own, &mut left);
            }
        }
    }

    #[inline(always)]
    fn next_call(&self, own: &mut Own<'_, R>) -> Option<Call<R>> {
        own.path.pop().or_else(|| Some(Call { part: self.grower.row(own.waiting.next()?), below: self.bound }))
    }

    /// The call, or a piece of it if its row is long. Then the rest waits on the path, and the worker checks before the
    /// next call.
    #[inline(always)]
    fn piece(&self, call: Call<R>, own: &mut Own<'_, R>, left: &mut usize) -> Call<R> {
        if call.part.len <= PIECE {
            return call;
        }
        let (part, rest) = self.grower.split(call.part, PIECE);
        own.path.push(Call { part: rest, ..call });
        *left = 1;
        Call { part, ..call }
    }

    /// Splits off the oldest work, and leaves some to the caller.
    #[cold]
    fn split_oldest<'s>(&self, own: &mut Own<'s, R>) -> Option<Work<'s, R>> {
        if let Some(waiting) = own.waiting.split_off_half(own.path.is_empty()) {
            return Some(Work::Waiting(waiting));
        }
        let needs = usize::from(own.path.len() == 1);
        let Call { part, below } = own.path.first_mut()?;
        let keeps = match self.moves {
            Moves::Rest if part.len <= EDGES_IN_A_ROW => needs,
            _ => needs.max(part.len / 2),
        };
        if keeps >= part.len {
            return None;
        }
        let (former, latter) = self.grower.split(*part, keeps);
        let moves = Call { part: latter, below: *below };
        *part = former;
        if keeps == 0 {
            own.path.remove(0);
        }
        Some(Work::Call(moves))
    }
}

/// Answers a worker that asks for work. The owner of a fork does so when it returns from one.
fn look(s: &mut Strand<'_>) {
    s.join(|_| (), |_| ());
}

impl<R: Rows> Own<'_, R> {
    fn new(capacity: usize) -> Self {
        let waiting = Waiting { vertices: &[], arrays: Arrays::EMPTY };
        Own { waiting, path: Vec::new(), overflow: Overflow::new(capacity) }
    }
}

impl<V: Copy> Waiting<'_, V> {
    fn next(&mut self) -> Option<V> {
        while self.vertices.is_empty() {
            self.vertices = self.arrays.next()?;
        }
        let (first, rest) = self.vertices.split_first()?;
        self.vertices = rest;
        Some(*first)
    }

    /// Splits off the latter half of the arrays, or of the vertices if there is no other array. `keeps_one`: a single
    /// vertex stays.
    fn split_off_half(&mut self, keeps_one: bool) -> Option<Self> {
        if self.vertices.is_empty() && self.arrays.len() == 1 {
            self.vertices = self.arrays.next()?;
        }
        if self.arrays.len() > 0 {
            // With no vertices there are two arrays, so the former half is not empty.
            return Some(Waiting { vertices: &[], arrays: self.arrays.split_off_half() });
        }
        let keeps = if keeps_one { self.vertices.len().div_ceil(2) } else { self.vertices.len() / 2 };
        let (former, latter) = self.vertices.split_at(keeps);
        self.vertices = former;
        (!latter.is_empty()).then_some(Waiting { vertices: latter, arrays: Arrays::EMPTY })
    }
}

#[cfg(test)]
mod tests {
    use super::super::claim::Alone;
    use super::super::on_strand;
    use super::*;
    use filch_graph::Csr;
    use filch_graph::{AtomicVertex, Vertex};
    use std::cell::Cell;
    use std::marker::PhantomData;
    use std::sync::atomic::AtomicU32;

    /// All vertices, divided in halves until one is left.
    fn divided(mut waiting: Waiting<'_, u32>) -> Vec<u32> {
        let latter = waiting.split_off_half(true).map_or(Vec::new(), divided);
        let is_divided = !latter.is_empty();
        let former: Vec<u32> =
            if is_divided { divided(waiting) } else { std::iter::from_fn(|| waiting.next()).collect() };
        assert!(is_divided || former.len() == 1, "only a single vertex stays whole");
        [former, latter].concat()
    }

    #[test]
    fn waiting_vertices_are_divided_down_to_one_and_keep_their_order() {
        let arrays: [&[u32]; 3] = [&[1, 2, 3], &[4], &[5, 6, 7, 8]];
        for count in 1..=3 {
            let all = arrays[..count].concat();
            let waiting = |vertices| Waiting { vertices, arrays: Arrays::Converted(&arrays[..count]) };
            assert_eq!(divided(waiting(&[])), all);
            assert_eq!(divided(waiting(&[0])), [vec![0], all].concat());
        }
    }

    #[test]
    fn a_worker_with_other_work_gives_the_last_vertex_away() {
        let mut waiting = Waiting { vertices: &[7], arrays: Arrays::EMPTY };
        assert!(waiting.split_off_half(true).is_none());
        assert_eq!(waiting.split_off_half(false).and_then(|mut latter| latter.next()), Some(7));
        assert!(waiting.next().is_none() && waiting.split_off_half(false).is_none());
    }

    /// The hub of a star is a single call, and with a bound of 0 its row is all that there is.
    #[test]
    fn a_worker_in_a_long_row_looks_again_and_again() {
        const PIECES: usize = 20;
        let n = PIECES * PIECE + 1;
        let edges = (1..n as u32).map(|leaf| (0, leaf));
        let star = Csr::builder(n).symmetrize(true).build(edges).expect("small");
        for bound in [0, 1] {
            let parents = Vec::from_iter((0..n).map(|_| AtomicU32::new(u32::NONE)));
            let grower = Grower::<_, Alone> { rows: &star, parents: &parents, claims: PhantomData };
            let stages = LongTerm::new(grower, bound, 600, Moves::Rest);
            let walked = on_strand(&parents, None, |s, root| {
                let asked = Cell::new(0);
                let mut own = Own { waiting: Waiting { vertices: &[root], arrays: Arrays::EMPTY }, ..Own::new(600) };
                stages.walk(s, &mut own, || {
                    asked.set(asked.get() + 1);
                    false
                });
                assert!(asked.get() >= PIECES - 1, "{} times, with a bound of {bound}", asked.get());
                Ok(())
            });
            assert!(walked.is_ok() && AtomicVertex::into_vertices(parents).iter().all(|&v| v == 0));
        }
    }
}
