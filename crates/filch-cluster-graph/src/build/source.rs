//! Edges, of which this rank has a share, in rounds.

use filch::Pool;
use std::ops::Range;

/// Edges in several lists, so that several workers can go on with them.
pub(super) type Lists<V> = Vec<Vec<(V, V)>>;

/// Edges that can be gone through several times, the same each time.
pub(super) trait Source<V> {
    /// Begins again.
    fn rewind(&mut self);

    /// The next edges. `None` at the end. The error says why there are none, although there have been some before.
    fn next(&mut self, pool: &Pool) -> Result<Option<Lists<V>>, String>;
}

/// How many edges a rank sends in a round. Each takes up to some 100 bytes meanwhile, at its sender and its receiver
/// together.
pub(super) const ROUND_EDGES: usize = 1 << 18;

/// How many edges a worker goes on with at a time.
pub(super) const PIECE_EDGES: usize = 1 << 14;

/// Edges that are computed from their numbers.
pub(super) struct Formula<F> {
    share: Range<usize>,
    at: usize,
    edges: F,
}

impl<F> Formula<F> {
    /// `edges` appends the edges of a range of numbers.
    pub(super) fn new(share: Range<usize>, edges: F) -> Self {
        Formula { at: share.start, share, edges }
    }
}

impl<V: Send, F: Fn(Range<usize>, &mut Vec<(V, V)>) + Send + Sync> Source<V> for Formula<F> {
    fn rewind(&mut self) {
        self.at = self.share.start;
    }

    fn next(&mut self, pool: &Pool) -> Result<Option<Lists<V>>, String> {
        let (start, end) = (self.at, self.share.end.min(self.at.saturating_add(ROUND_EDGES)));
        if start == end {
            return Ok(None);
        }
        self.at = end;
        let mut pieces = (start..end).step_by(PIECE_EDGES).map(|_| Vec::new()).collect::<Vec<_>>();
        let edges = &self.edges;
        pool.run(|_| {
            filch::for_each((0_usize.., &mut pieces[..]), |_, (piece, to)| {
                let start = start + piece * PIECE_EDGES;
                edges(start..end.min(start + PIECE_EDGES), to);
            });
        });
        Ok(Some(pieces))
    }
}
