//! What ranks count during a search.

use filch_policy::cluster::TALLY_NS;

/// What a rank counts during a search, such as nodes: counts that are added up. What the other ranks have counted comes
/// to rank 0 about ten times a second, and whole before the search returns there.
///
/// If a rank is lost, so is what it has not told. What it had begun may be counted twice.
pub trait Tally: Sync {
    /// On other ranks than 0: what this rank has counted since the last call, and nothing if that is not worth a
    /// message.
    fn take(&self) -> Vec<u64>;

    /// On rank 0: another rank has counted this.
    fn add(&self, counts: &[u64]);
}

/// Takes the counts of this rank when they are due.
pub(super) struct Tallying<'c> {
    tally: Option<&'c dyn Tally>,
    rank: usize,
    due_ns: u64,
}

impl<'c> Tallying<'c> {
    pub(super) fn new(tally: Option<&'c dyn Tally>, rank: usize) -> Self {
        Tallying { tally, rank, due_ns: TALLY_NS }
    }

    /// What rank 0 is to be sent. `is_last` says that nothing runs here any more.
    pub(super) fn take(&mut self, is_last: bool, now_ns: u64) -> Vec<u64> {
        let is_due = is_last || now_ns >= self.due_ns;
        let Some(tally) = self.tally.filter(|_| is_due && self.rank != 0) else { return Vec::new() };
        self.due_ns = now_ns + TALLY_NS;
        tally.take()
    }

    pub(super) fn add(&self, counts: &[u64]) {
        if let Some(tally) = self.tally {
            tally.add(counts);
        }
    }
}
