//! What a rank has: its workers, the messages that have not been looked at, and the parts that it answers for.

use super::walk::Walk;
use filch_policy::cluster::{Asked, Asking, Interrupts};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// A part of the search that a rank answers for, in the list of all parts.
pub(super) type PartId = usize;

/// A part, and how many pieces of it have not come to their end.
#[derive(Debug)]
pub(super) struct Part {
    /// The rank that waits for its result, and the part there that this is a piece of. `None`: the whole search.
    pub(super) giver: Option<(usize, PartId)>,
    pub(super) pending: usize,
}

/// A piece of a part, which one worker walks through.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) part: PartId,
    pub(super) walk: Walk,
}

/// A worker.
#[derive(Debug, Default)]
pub(super) struct Worker {
    /// What it walks through, if it is busy.
    pub(super) piece: Option<Piece>,
    /// Up to when its walk has been carried out. Before, it begins.
    pub(super) at_ns: u64,
    pub(super) has_begun: bool,
    /// Up to when what it has split off is paid for.
    pub(super) paid_ns: u64,
}

/// A message.
#[derive(Debug)]
pub(super) enum Message {
    Ask { seq: u32, parks: bool, lacks: usize },
    Give { seq: u32, pieces: Vec<Piece> },
    Refuse { seq: u32 },
    Result { part: PartId },
}

/// A message on its way, the earliest first.
#[derive(Debug)]
pub(super) struct Mail {
    pub(super) arrives_ns: u64,
    /// In which order messages were sent.
    pub(super) number: u64,
    pub(super) from: usize,
    pub(super) message: Message,
}

impl PartialEq for Mail {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl Eq for Mail {}

impl PartialOrd for Mail {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Mail {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.arrives_ns, self.number).cmp(&(other.arrives_ns, other.number))
    }
}

/// A rank, as its communication thread sees it.
#[derive(Debug)]
pub(super) struct Rank {
    pub(super) mail: BinaryHeap<Reverse<Mail>>,
    pub(super) asking: Asking,
    pub(super) asked: Asked,
    /// Pieces that no worker has begun.
    pub(super) stock: VecDeque<Piece>,
    /// Parts of which a piece has come to its end here, since the last look.
    pub(super) ended: Vec<PartId>,
    pub(super) interrupts: Interrupts,
    /// When something has happened last.
    pub(super) since_ns: u64,
}

impl Rank {
    pub(super) fn new(asking: Asking) -> Self {
        Rank {
            mail: BinaryHeap::new(),
            asking,
            asked: Asked::default(),
            stock: VecDeque::new(),
            ended: Vec::new(),
            interrupts: Interrupts::default(),
            since_ns: 0,
        }
    }

    /// The next message that has arrived.
    pub(super) fn arrived(&mut self, now_ns: u64) -> Option<Mail> {
        let Reverse(first) = self.mail.peek()?;
        if first.arrives_ns > now_ns {
            return None;
        }
        self.mail.pop().map(|Reverse(mail)| mail)
    }
}
