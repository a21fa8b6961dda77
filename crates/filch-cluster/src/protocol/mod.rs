//! What a rank says to the others during a search: a state machine, without threads and clocks.
//!
//! One thread of each rank, the communication thread, owns a [`Core`]. It tells it what has come from other ranks and
//! from the workers of its own, and carries out the [`Action`]s. Messages from one rank to another must arrive in the
//! order in which they were sent; between pairs of ranks there need be no order.
//!
//! ```text
//!   rank without work                        rank with work
//!   ─────────────────                        ──────────────
//!   Ask ────────────────────────────────►    its workers are interrupted, some split parts off
//!   open: the parts        ◄──────── Give    given: the parts, each until its result has come
//!   runs them; may give parts of them
//!   Result, when these have come ───────►    combined; part of the next result up
//! ```
//!
//! - [`outside`]: what a core is told and says
//! - [`parts`]: how results return; why none is lost, or counted twice
//! - [`filch_policy::cluster`]: exactly one answer for each ask, and when
//! - [`turn`]: what begins, is given, refused and asked for now
//! - [`ending`]: when a rank may leave
//!
//! `models/steal.pml` has the same protocol for three ranks, and mistakes that break it.

mod ending;
mod outside;
mod parts;
#[cfg(test)]
mod tests;
mod turn;

use crate::counters::Counters;
use crate::error::Failure;
use crate::id::Id;
use crate::message::{Bytes, Message, OUT_OF_ORDER};
use crate::portable::{decoded, encoded};
use ending::Ending;
use filch_policy::Random;
use filch_policy::cluster::{Ask, Asked, Asking};
pub(crate) use outside::{Action, Fault, Place, Team, Values};
use parts::{Dropped, Parts, Settled};
use std::collections::VecDeque;

enum Phase<T> {
    Searching,
    /// There is a result. The others are to leave together.
    Ended(T),
    Failed(Fault),
}

/// One rank's view of a search.
pub(crate) struct Core<'v, V: Values> {
    values: &'v V,
    rank: usize,
    is_lost: Vec<bool>,
    survives: bool,
    phase: Phase<V::Value>,
    parts: Parts<V::Value>,
    asking: Asking,
    asked: Asked,
    /// How many workers have had work, at the last tick.
    busy: usize,
    ending: Ending,
    actions: VecDeque<Action>,
    pub(crate) counters: Counters,
}

impl<'v, V: Values> Core<'v, V> {
    /// A rank with so many `workers`. At rank 0 the whole search runs.
    pub(crate) fn new(values: &'v V, workers: usize, place: Place) -> Self {
        let Place { rank, ranks, mut rings, is_lost, survives, seed } = place;
        rings.iter_mut().for_each(|ring| ring.retain(|&to| !is_lost[to]));
        let mut parts = Parts::new(rank, survives);
        if rank == 0 {
            parts.begin_whole();
        }
        Core {
            values,
            rank,
            is_lost,
            survives,
            phase: Phase::Searching,
            parts,
            asking: Asking::new(rank, workers, rings, Random::new(seed)),
            asked: Asked::default(),
            busy: 0,
            ending: Ending::new(rank, ranks),
            actions: VecDeque::new(),
            counters: Counters::default(),
        }
    }

    /// What is to be done next. Doing it may add to that.
    pub(crate) fn next_action(&mut self) -> Option<Action> {
        self.actions.pop_front()
    }

    /// Whether something comes: an answer, a part for an ask, the end.
    pub(crate) fn awaits(&self) -> bool {
        !self.asking.is_quiet() || self.wanted() > 0 || !self.is_searching()
    }

    /// Before when this rank has nothing to do of its own accord.
    pub(crate) fn next_ns(&self) -> u64 {
        self.asking.next_ns()
    }

    /// How many parts the workers are to split off.
    pub(crate) fn wanted(&self) -> usize {
        if self.is_searching() { self.asked.wanted(self.busy).saturating_sub(self.parts.stock()) } else { 0 }
    }

    pub(crate) fn has_failed(&self) -> bool {
        self.fault().is_some()
    }

    /// Why the search has failed, if it has.
    pub(crate) fn fault(&self) -> Option<&Fault> {
        match &self.phase {
            Phase::Failed(fault) => Some(fault),
            _ => None,
        }
    }

    pub(crate) fn is_searching(&self) -> bool {
        matches!(self.phase, Phase::Searching)
    }

    /// Whether the rank leaves the search. `active`: how many pieces run here.
    pub(crate) fn is_over(&self, active: usize) -> bool {
        match self.phase {
            Phase::Searching => false,
            Phase::Ended(_) => self.ending.is_over(&self.is_lost),
            Phase::Failed(_) => active == 0,
        }
    }

    pub(crate) fn into_result(self) -> Result<V::Value, Fault> {
        match self.phase {
            Phase::Ended(value) => Ok(value),
            Phase::Failed(fault) => Err(fault),
            Phase::Searching => unreachable!("a search that is not over has no result"),
        }
    }

    /// A worker has split off a piece of an open part.
    pub(crate) fn exported(&mut self, part_of: Id, worker: usize, bytes: Vec<u8>) {
        if self.is_searching() {
            self.counters.copies += 1;
            self.parts.export(part_of, worker, bytes);
        }
    }

    /// A piece of an open part has come to its end here.
    pub(crate) fn ended(&mut self, part_of: Id, value: V::Value) {
        if self.is_searching() {
            let settled = self.parts.settle(part_of, value, |former, latter| self.values.combine(former, latter));
            self.pass_up(settled);
        }
    }

    /// A worker has found a solution that ends the search.
    pub(crate) fn found(&mut self, value: V::Value) {
        match self.rank {
            _ if !self.is_searching() => {}
            0 => self.finish(value),
            _ => {
                if let Some(value) = self.encode(&value, "a solution") {
                    self.send(0, Message::Found { value });
                }
            }
        }
    }

    /// A worker has found the best solution so far that this rank knows of. Rank 0 has it from now on: the part that it
    /// is in may be dropped, at any rank, and whoever does that part again leaves out what is not better.
    pub(crate) fn better(&mut self, value: V::Value) {
        match self.rank {
            _ if !self.is_searching() => {}
            0 => self.keep(value),
            _ => {
                if let Some(value) = self.encode(&value, "a solution") {
                    self.send(0, Message::Better { value });
                }
            }
        }
    }

    /// Rank 0 knows of a better solution than before, of this value.
    pub(crate) fn bound(&mut self, bound: i64) {
        if self.is_searching() && self.rank == 0 {
            self.send_all(&Message::Bound(bound));
        }
    }

    /// This rank has counted something.
    pub(crate) fn tally(&mut self, counts: Vec<u64>) {
        if !counts.is_empty() && !self.has_failed() {
            self.send(0, Message::Tally { counts });
        }
    }

    /// A message has come.
    pub(crate) fn receive(&mut self, from: usize, message: Message, now_ns: u64) {
        if self.is_lost[from] {
            return;
        }
        let about = message.about();
        if let Err(text) = self.hear(from, message, now_ns) {
            self.fail((self.rank, Failure::Corrupt { from, about, text }));
        }
    }

    fn hear(&mut self, from: usize, message: Message, now_ns: u64) -> Result<(), String> {
        self.ending.receives(from, &message);
        match message {
            Message::Ask { seq, parks, lacks } => {
                self.asked.push(Ask { rank: from, seq, parks, lacks: lacks as usize, since_ns: now_ns });
            }
            Message::Give { seq, parts } => {
                if !self.asking.answered(from, seq, false, now_ns) {
                    return Err("it answers no ask".into());
                }
                for (id, Bytes(part)) in parts {
                    if self.is_searching() && !self.parts.import(id, from, part) {
                        return Err("there is such a part already, or another rank names parts so".into());
                    }
                }
            }
            Message::Refuse { seq } => {
                if !self.asking.answered(from, seq, true, now_ns) {
                    return Err("it answers no ask".into());
                }
            }
            Message::Result { id, value } => match self.parts.returned(id, from) {
                Some(part_of) => self.ended(part_of, value_of::<V>(&value)?),
                // After a loss, the part is done again, or nobody waits for it.
                None if self.survives || !self.is_searching() => {}
                None => return Err("nobody waits for it".into()),
            },
            Message::Forget { id } => {
                let dropped = self.parts.forget(id, from);
                self.drop_parts(dropped);
            }
            Message::Found { value } => self.found(value_of::<V>(&value)?),
            Message::Better { value } => {
                let value = value_of::<V>(&value)?;
                self.values.hear_better(&value);
                self.keep(value);
            }
            Message::Tally { counts } => self.actions.push_back(Action::Tally(counts)),
            Message::Bound(bound) => self.values.hear_bound(bound),
            Message::End { value } => self.end(value_of::<V>(&value)?),
            Message::Done { sent } => self.ending.is_done(from, sent),
            Message::Leave { expected } => self.ending.may_leave(expected),
            // A rank that is lost may have told some and not all.
            Message::Failed { rank, failure } if self.survives => self.fail((rank as usize, failure)),
            Message::Failed { rank, failure } => self.give_up((rank as usize, failure)),
            _ => return Err(OUT_OF_ORDER.into()),
        }
        Ok(())
    }

    /// A rank is gone.
    pub(crate) fn lose(&mut self, rank: usize) {
        if std::mem::replace(&mut self.is_lost[rank], true) {
            return;
        }
        self.asking.lose(rank);
        self.asked.lose(rank);
        // The whole search was at rank 0. A rank that is lost itself has nobody to talk to.
        if !self.survives || rank == 0 || rank == self.rank {
            self.fail((rank, Failure::Lost));
        } else if self.is_searching() {
            let dropped = self.parts.lose(rank);
            self.drop_parts(dropped);
        }
    }

    /// The search has failed here, or has been found to have failed.
    pub(crate) fn fail(&mut self, fault: Fault) {
        if !self.has_failed() {
            self.send_all(&Message::Failed { rank: fault.0 as u32, failure: fault.1.clone() });
            self.give_up(fault);
        }
    }

    /// At rank 0: keeps a solution, whatever becomes of the part that it is in.
    fn keep(&mut self, value: V::Value) {
        self.parts.add_to_whole(value, |former, latter| self.values.combine(former, latter));
    }

    fn pass_up(&mut self, settled: Option<Settled<V::Value>>) {
        match settled {
            None => {}
            Some((_, None, value)) => self.finish(value),
            Some((id, Some(giver), value)) => {
                if let Some(value) = self.encode(&value, &format!("the result of part {id}")) {
                    self.send(giver, Message::Result { id, value });
                }
            }
        }
    }

    /// At rank 0: there is a result.
    fn finish(&mut self, value: V::Value) {
        if let Some(bytes) = self.encode(&value, "the result of the search") {
            self.send_all(&Message::End { value: bytes });
            self.end(value);
        }
    }

    fn end(&mut self, value: V::Value) {
        if self.is_searching() {
            // Its bound may not have been told.
            self.values.hear_better(&value);
            self.phase = Phase::Ended(value);
            self.parts.clear();
            self.actions.push_back(Action::Stop);
        }
    }

    fn give_up(&mut self, fault: Fault) {
        if !self.has_failed() {
            self.phase = Phase::Failed(fault);
            self.parts.clear();
            self.actions.push_back(Action::Stop);
        }
    }

    fn drop_parts(&mut self, dropped: Dropped) {
        self.actions.extend(dropped.open.into_iter().map(Action::Cancel));
        for (id, to) in dropped.given {
            self.send(to, Message::Forget { id });
        }
    }

    fn refuse(&mut self, Ask { rank, seq, .. }: Ask) {
        self.counters.refusals += 1;
        self.send(rank, Message::Refuse { seq });
    }

    fn encode(&mut self, value: &V::Value, about: &str) -> Option<Vec<u8>> {
        match encoded(value) {
            Ok(bytes) => Some(bytes),
            Err(error) => {
                self.fail((self.rank, Failure::Unportable { about: about.into(), text: error.0 }));
                None
            }
        }
    }

    fn send_all(&mut self, message: &Message) {
        let rank = self.rank;
        for to in (0..self.is_lost.len()).filter(|&to| to != rank) {
            self.send(to, message.clone());
        }
    }

    fn send(&mut self, to: usize, message: Message) {
        if !self.is_lost[to] {
            self.ending.sends(to, &message);
            self.actions.push_back(Action::Send(to, message));
        }
    }
}

fn value_of<V: Values>(bytes: &[u8]) -> Result<V::Value, String> {
    decoded(bytes).map_err(|error| error.0)
}
