//! What a rank keeps from search to search.

use crate::counters::Counters;
use crate::error::{ClusterError, Failure};
use crate::message::{Envelope, Message};
use crate::protocol::Place;
use crate::transport::Transport;
use filch::Pool;
use std::cell::{RefCell, RefMut};
use std::collections::VecDeque;

/// The pool of this rank, and its connection to the others.
pub(crate) struct Ranks {
    pub(crate) pool: Pool,
    state: RefCell<State>,
}

pub(crate) struct State {
    pub(crate) transport: Box<dyn Transport>,
    /// How many searches have begun.
    pub(crate) search: u32,
    /// What ranks have sent that are a search further.
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

    /// The thread of a search has this while it runs. No other thread gets here, and no user code on this one.
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
        self.failed = Some(error);
        self.transport.abandon();
    }

    /// Tells the others that something has failed here outside of a search.
    pub(crate) fn tell_failure(&mut self, rank: usize, failure: &Failure) {
        let message = Message::Failed { rank: rank as u32, failure: failure.clone() };
        let envelope = Envelope { search: self.search, message };
        let Ok(bytes) = envelope.to_bytes() else { return };
        for to in (0..self.is_lost.len()).filter(|&to| to != rank) {
            if !self.is_lost[to] {
                self.transport.send(to, &bytes);
            }
        }
    }
}
