//! What a rank keeps from search to search.

use crate::counters::Counters;
use crate::error::{ClusterError, Failure};
use crate::message::{Envelope, Message};
use crate::protocol::Place;
use crate::transport::Transport;
use filch::Pool;
use filch_policy::cluster::pause_ns;
use std::cell::{RefCell, RefMut};
use std::collections::VecDeque;
use std::time::Duration;

/// The pool of this rank, and its connection to the others.
pub(crate) struct Ranks {
    pub(crate) pool: Pool,
    state: RefCell<State>,
}

pub(crate) struct State {
    pub(crate) transport: Box<dyn Transport>,
    /// How many searches have begun.
    pub(crate) search: u32,
    /// What ranks have sent that are a search further, and after a failure what matters when they leave.
    pub(crate) early: VecDeque<(usize, Envelope)>,
    pub(crate) is_lost: Vec<bool>,
    pub(crate) failed: Option<ClusterError>,
    pub(crate) counters: Counters,
    pub(crate) survives: bool,
    pub(crate) seed: u64,
}

impl Ranks {
    pub(crate) fn new(transport: Box<dyn Transport>, pool: Pool) -> Self {
        let (seed, is_lost) = (transport.rank() as u64, vec![false; transport.size()]);
        let state = State {
            transport,
            search: 0,
            early: VecDeque::new(),
            is_lost,
            failed: None,
            counters: Counters::default(),
            survives: false,
            seed,
        };
        Ranks { pool, state: RefCell::new(state) }
    }

    /// The thread of a search has this while it runs, and no other thread gets here.
    ///
    /// # Panics
    ///
    /// If code of the user that this thread calls meanwhile, such as the encoding of a value, uses the cluster.
    pub(crate) fn state(&self) -> RefMut<'_, State> {
        self.state.borrow_mut()
    }

    pub(crate) fn rank(&self) -> usize {
        self.state().transport.rank()
    }

    pub(crate) fn size(&self) -> usize {
        self.state().transport.size()
    }
}

impl State {
    /// Begins a search.
    pub(crate) fn begin(&mut self) -> Result<Place, ClusterError> {
        if let Some(failed) = &self.failed {
            return Err(ClusterError::Unusable(Box::new(failed.clone())));
        }
        self.search += 1;
        Ok(Place {
            rank: self.transport.rank(),
            ranks: self.transport.size(),
            rings: self.transport.rings(),
            is_lost: self.is_lost.clone(),
            survives: self.survives,
            seed: self.seed.wrapping_mul(1 << 20).wrapping_add(self.search.into()),
        })
    }

    pub(crate) fn fail(&mut self, error: ClusterError) {
        if !error.is_giving_up() {
            self.transport.abandon();
        }
        self.failed = Some(error);
    }

    /// Whether nothing has failed, or a rank has given up, which all ranks tell each other: then they leave together.
    fn is_whole(&self) -> bool {
        self.failed.as_ref().is_none_or(ClusterError::is_giving_up)
    }

    /// Tells the others that something has failed at `rank`, other than by the protocol of a search.
    pub(crate) fn tell_failure(&mut self, rank: usize, failure: &Failure) {
        self.tell(Message::Failed { rank: rank as u32, failure: failure.clone() });
    }

    /// A search goes on without a rank that has left. It waits for all ranks to leave, and is told not to.
    pub(crate) fn dismiss(&mut self, rank: usize) {
        self.is_lost[rank] = true;
        let message = Message::Failed { rank: rank as u32, failure: Failure::Lost };
        if let Ok(bytes) = (Envelope { search: self.search, message }).to_bytes() {
            self.transport.send(rank, &bytes);
        }
    }

    fn tell(&mut self, message: Message) {
        let (rank, envelope) = (self.transport.rank(), Envelope { search: self.search, message });
        let Ok(bytes) = envelope.to_bytes() else { return };
        for to in (0..self.is_lost.len()).filter(|&to| to != rank) {
            if !self.is_lost[to] {
                self.transport.send(to, &bytes);
            }
        }
    }

    /// Receives what comes until all ranks have left, so that no message is under way then. False if something else has
    /// failed than that a rank gives up, if others go on without this rank, or if it is lost.
    fn await_others(&mut self) -> bool {
        let (rank, mut has_left) = (self.transport.rank(), self.is_lost.clone());
        for (from, envelope) in std::mem::take(&mut self.early) {
            if !self.may_leave_together(from, &envelope.message, &mut has_left) {
                return false;
            }
        }
        while !has_left.iter().enumerate().all(|(other, &has_left)| has_left || other == rank) {
            while let Some((from, bytes)) = self.transport.try_receive() {
                match Envelope::from_bytes(&bytes) {
                    Ok(Envelope { message, .. }) if self.may_leave_together(from, &message, &mut has_left) => {}
                    _ => return false,
                }
            }
            self.transport.lost().into_iter().for_each(|lost| has_left[lost] = true);
            if has_left[rank] {
                return false;
            }
            self.transport.pause(Duration::from_nanos(pause_ns(false, 0)));
        }
        true
    }

    /// Notes who leaves. Returns whether the ranks can still leave together after this message.
    fn may_leave_together(&self, from: usize, message: &Message, has_left: &mut [bool]) -> bool {
        match message {
            Message::Left => has_left[from] = true,
            Message::Failed { failure: Failure::GaveUp(_), .. } => {}
            Message::Failed { .. } => return false,
            // After a rank has given up, others may not have heard of it. Otherwise this rank is missing in a search.
            _ => return self.failed.is_some(),
        }
        true
    }
}

impl Drop for State {
    fn drop(&mut self) {
        // Whoever has failed has told it.
        if self.is_whole() {
            self.tell(Message::Left);
            if !self.await_others() {
                self.transport.abandon();
            }
        }
    }
}
