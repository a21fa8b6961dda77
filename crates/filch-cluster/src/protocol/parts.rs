//! The parts of a search that a rank answers for, and how results return along them.
//!
//! A part that has come from another rank is *open* until its result goes back there. The whole search is open at
//! rank 0. Of an open part, pieces are *pending*: those that run here, those in the stock, which nobody has begun, and
//! those that have been *given* to other ranks. When none is pending any more, what has been combined is the result.

use crate::id::Id;
use std::collections::{BTreeMap, VecDeque};

pub(super) struct Parts<T> {
    rank: u32,
    /// Whether what is given is kept, to be done again if its rank is lost.
    keeps: bool,
    open: BTreeMap<Id, Open<T>>,
    given: BTreeMap<Id, Given>,
    stock: VecDeque<Stocked>,
    /// How many parts have been given.
    sequence: u32,
}

struct Open<T> {
    /// Who waits for the result. `None`: the whole search.
    giver: Option<usize>,
    pending: usize,
    value: Option<T>,
}

struct Given {
    part_of: Id,
    to: usize,
    kept: Option<Stocked>,
}

#[derive(Clone)]
struct Stocked {
    part_of: Id,
    worker: u32,
    bytes: Vec<u8>,
}

/// A result, and who waits for it: nobody for that of the whole search.
pub(super) type Settled<T> = (Id, Option<usize>, T);

/// What is not done any more.
#[derive(Default)]
pub(super) struct Dropped {
    /// Parts that run here.
    pub(super) open: Vec<Id>,
    /// Parts that have been given, and to whom.
    pub(super) given: Vec<(Id, usize)>,
}

impl<T> Parts<T> {
    pub(super) fn new(rank: usize, keeps: bool) -> Self {
        let (open, given, stock) = (BTreeMap::new(), BTreeMap::new(), VecDeque::new());
        Parts { rank: rank as u32, keeps, open, given, stock, sequence: 0 }
    }

    /// Opens the whole search, which runs here.
    pub(super) fn begin_whole(&mut self) {
        self.open.insert(Id::WHOLE, Open { giver: None, pending: 1, value: None });
    }

    /// Opens a part that `giver` has given, and puts it into the stock. False if it is open already.
    pub(super) fn import(&mut self, id: Id, giver: usize, bytes: Vec<u8>) -> bool {
        if id.rank as usize != giver || self.open.contains_key(&id) {
            return false;
        }
        self.open.insert(id, Open { giver: Some(giver), pending: 1, value: None });
        self.stock.push_back(Stocked { part_of: id, worker: id.worker, bytes });
        true
    }

    /// Puts a piece that `worker` has split off into the stock, unless nobody waits for what it is a part of any more.
    pub(super) fn export(&mut self, part_of: Id, worker: usize, bytes: Vec<u8>) {
        if let Some(open) = self.open.get_mut(&part_of) {
            open.pending += 1;
            self.stock.push_back(Stocked { part_of, worker: worker as u32, bytes });
        }
    }

    pub(super) fn stock(&self) -> usize {
        self.stock.len()
    }

    /// Takes a piece from the stock, to run here: what it is a part of, and the piece.
    pub(super) fn start(&mut self) -> Option<(Id, Vec<u8>)> {
        self.stock.pop_front().map(|Stocked { part_of, bytes, .. }| (part_of, bytes))
    }

    /// Takes a piece from the stock, to give it to a rank.
    pub(super) fn give(&mut self, to: usize) -> Option<(Id, Vec<u8>)> {
        let piece = self.stock.pop_front()?;
        self.sequence += 1;
        // Another rank says how deep its parts are.
        let depth = piece.part_of.depth.saturating_add(1);
        let id = Id { rank: self.rank, worker: piece.worker, depth, sequence: self.sequence };
        let kept = self.keeps.then(|| piece.clone());
        self.given.insert(id, Given { part_of: piece.part_of, to, kept });
        Some((id, piece.bytes))
    }

    /// A piece of an open part has come to its end here. Returns the result of that part if this was the last piece.
    pub(super) fn settle(&mut self, id: Id, value: T, combine: impl FnOnce(T, T) -> T) -> Option<Settled<T>> {
        let open = self.open.get_mut(&id)?;
        let value = match open.value.take() {
            Some(former) => combine(former, value),
            None => value,
        };
        open.pending -= 1;
        if open.pending > 0 {
            open.value = Some(value);
            return None;
        }
        let giver = self.open.remove(&id)?.giver;
        Some((id, giver, value))
    }

    /// Adds to the whole search what is not the result of a piece of it. It may come again with a result, and `combine`
    /// must not mind that.
    pub(super) fn add_to_whole(&mut self, value: T, combine: impl FnOnce(T, T) -> T) {
        if let Some(open) = self.open.get_mut(&Id::WHOLE) {
            open.value = Some(match open.value.take() {
                Some(former) => combine(former, value),
                None => value,
            });
        }
    }

    /// What the part is a part of that this rank has given to `from`, whose result has come. The result counts once:
    /// `None` if it has come before, or if the part is done again elsewhere.
    pub(super) fn returned(&mut self, id: Id, from: usize) -> Option<Id> {
        self.given.get(&id).filter(|given| given.to == from)?;
        self.given.remove(&id).map(|given| given.part_of)
    }

    /// A rank is lost. What it had been given is in the stock again, and its own parts are dropped: who gave them to it
    /// does them again.
    pub(super) fn lose(&mut self, rank: usize) -> Dropped {
        let ids = self.given.iter().filter(|(_, given)| given.to == rank).map(|(&id, _)| id).collect::<Vec<_>>();
        for id in ids {
            self.stock.extend(self.given.remove(&id).and_then(|given| given.kept));
        }
        let of = |open: &Open<T>| open.giver == Some(rank);
        let orphans = self.open.iter().filter(|(_, open)| of(open)).map(|(&id, _)| id).collect();
        self.drop_parts(orphans)
    }

    /// The giver of a part does not wait for it any more.
    pub(super) fn forget(&mut self, id: Id, giver: usize) -> Dropped {
        let is_its = self.open.get(&id).is_some_and(|open| open.giver == Some(giver));
        self.drop_parts(if is_its { vec![id] } else { Vec::new() })
    }

    /// The search is over.
    pub(super) fn clear(&mut self) {
        self.open.clear();
        self.given.clear();
        self.stock.clear();
    }

    fn drop_parts(&mut self, open: Vec<Id>) -> Dropped {
        for id in &open {
            self.open.remove(id);
        }
        self.stock.retain(|piece| !open.contains(&piece.part_of));
        let mut given = Vec::new();
        self.given.retain(|&id, piece| {
            let is_dropped = open.contains(&piece.part_of);
            if is_dropped {
                given.push((id, piece.to));
            }
            !is_dropped
        });
        Dropped { open, given }
    }
}
