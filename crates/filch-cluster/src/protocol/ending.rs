//! The end of a search: no rank leaves it while a message of it is under way.
//!
//! Rank 0 has the result, and tells it to all ([`Message::End`]). A rank is done when its asks have been answered and
//! nothing runs there any more; it tells rank 0 so, and goes on to answer asks. When all are done, rank 0 tells all to
//! leave. The messages that nobody answers are counted: rank 0 says how many a rank has been sent, and the rank leaves
//! when it has them.

use crate::message::Message;

pub(super) struct Ending {
    rank: usize,
    /// One-way messages to each rank.
    sent: Vec<u64>,
    /// One-way messages from each rank.
    received: Vec<u64>,
    is_done: bool,
    /// At rank 0: what the ranks have sent that are done.
    done: Vec<Option<Vec<(u32, u64)>>>,
    /// What this rank must have received before it leaves.
    expected: Option<Vec<(u32, u64)>>,
}

impl Ending {
    pub(super) fn new(rank: usize, ranks: usize) -> Self {
        let (sent, received) = (vec![0; ranks], vec![0; ranks]);
        Ending { rank, sent, received, is_done: false, done: vec![None; ranks], expected: None }
    }

    pub(super) fn sends(&mut self, to: usize, message: &Message) {
        self.sent[to] += u64::from(message.is_one_way());
    }

    pub(super) fn receives(&mut self, from: usize, message: &Message) {
        self.received[from] += u64::from(message.is_one_way());
    }

    pub(super) fn is_done(&mut self, from: usize, sent: Vec<(u32, u64)>) {
        self.done[from] = Some(sent);
    }

    pub(super) fn may_leave(&mut self, expected: Vec<(u32, u64)>) {
        self.expected = Some(expected);
    }

    /// Nothing is under way at this rank any more: what it says about that, once. `is_lost` says which ranks are.
    pub(super) fn quiet(&mut self, is_lost: &[bool]) -> Vec<(usize, Message)> {
        let sent = |sent: &[u64]| (0..).zip(sent.iter().copied()).filter(|&(_, count)| count > 0).collect::<Vec<_>>();
        if self.is_done {
            return Vec::new();
        }
        if self.rank != 0 {
            self.is_done = true;
            return vec![(0, Message::Done { sent: sent(&self.sent) })];
        }
        let live = |rank: usize| !is_lost[rank];
        if (1..self.done.len()).any(|rank| live(rank) && self.done[rank].is_none()) {
            return Vec::new();
        }
        self.is_done = true;
        self.done[0] = Some(sent(&self.sent));
        let expected_by = |to: u32| {
            let from = |(rank, sent): (usize, &Option<Vec<(u32, u64)>>)| {
                let count = sent.iter().flatten().find(|&&(rank, _)| rank == to)?.1;
                Some((rank as u32, count))
            };
            self.done.iter().enumerate().filter_map(from).collect::<Vec<_>>()
        };
        let expected = expected_by(0);
        let leave = |to: usize| (to, Message::Leave { expected: expected_by(to as u32) });
        let messages = (1..self.done.len()).filter(|&to| live(to)).map(leave).collect();
        self.expected = Some(expected);
        messages
    }

    /// Whether this rank leaves. Nothing more is expected from ranks that are lost.
    pub(super) fn is_over(&self, is_lost: &[bool]) -> bool {
        let has_come = |&(from, count): &(u32, u64)| {
            let from = from as usize;
            is_lost.get(from).is_none_or(|&is_lost| is_lost) || self.received[from] >= count
        };
        self.expected.as_ref().is_some_and(|expected| expected.iter().all(has_come))
    }
}
