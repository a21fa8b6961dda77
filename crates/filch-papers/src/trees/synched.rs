//! Parallel stages with long-term lists, as Cilk's programs have them (Yasugi, Hiraishi, Umatani and Yuasa 2012,
//! section 5.3 and figure 9): a call passes its list on to each child, and makes another one only if the child has not
//! come back at once. `SYNCHED` tells.
//!
//! In C, caller and child share a pointer. Here the child owns the list while it runs, and its inlet gives it back.

use super::claim::Claim;
use super::grower::Grower;
use super::overflow::{Arrays, Overflow};
use super::rows::Rows;
use super::staged::Stages;
use filch::{Aborted, Procedure, SpeculativeStrand, Strand};
use filch_graph::Vertex;
use std::sync::atomic::{AtomicUsize, Ordering};

type Long<R> = Overflow<<R as Rows>::Vertex>;

/// Parallel stages in which a procedure looks at `SYNCHED` behind each spawn.
pub(super) struct Synched<'g, R: Rows, C> {
    grower: Grower<'g, R, C>,
    bound: usize,
    capacity: usize,
    moved: AtomicUsize,
}

impl<'g, R: Rows, C: Claim> Synched<'g, R, C> {
    pub(super) fn new(grower: Grower<'g, R, C>, bound: usize, capacity: usize) -> Self {
        Synched { grower, bound, capacity, moved: AtomicUsize::new(0) }
    }

    /// The number of lists that were made because a child had moved.
    pub(super) fn moved(&self) -> usize {
        self.moved.load(Ordering::Relaxed)
    }

    /// Follows the edges of `v`, which may have `below` levels of calls below it. Returns the list.
    fn visit(
        &self,
        mut s: SpeculativeStrand<'_>,
        v: R::Vertex,
        below: usize,
        mut list: Long<R>,
    ) -> Result<Long<R>, Aborted> {
        let mut part = self.grower.row(v);
        if below == 0 {
            while let Some(w) = self.grower.claim_next(&mut part) {
                list.push(w);
            }
            return Ok(list);
        }
        let (lists, list) = s.speculate(Vec::new(), |p, _| {
            while let Some(w) = self.grower.claim_next(&mut part) {
                list = self.spawn(p, w, below - 1, list);
            }
            list
        })?;
        Ok(joined(list, lists))
    }

    /// Spawns a visit with this list. Returns the list for the next one.
    fn spawn<'scope>(
        &'scope self,
        p: &mut Procedure<'_, 'scope, '_, Vec<Long<R>>>,
        v: R::Vertex,
        below: usize,
        list: Long<R>,
    ) -> Long<R> {
        p.spawn(move |s, _| self.visit(s, v, below, list), Vec::push);
        if !p.synched() {
            self.moved.fetch_add(1, Ordering::Relaxed);
            return Overflow::new(self.capacity);
        }
        p.with(Vec::pop).ok().flatten().expect("every child has given a list back")
    }
}

impl<R: Rows, C: Claim> Stages<R::Vertex> for Synched<'_, R, C> {
    fn stage(&self, mut s: Strand<'_>, arrays: Arrays<'_, R::Vertex>) -> Long<R> {
        let (lists, list) = s.speculate(Vec::new(), |p, _| {
            let none = Overflow::new(self.capacity);
            arrays.flatten().fold(none, |list, &v| self.spawn(p, v, self.bound, list))
        });
        joined(list, lists)
    }
}

fn joined<V: Vertex>(mut list: Overflow<V>, lists: Vec<Overflow<V>>) -> Overflow<V> {
    lists.into_iter().for_each(|later| list.append(later));
    list
}
