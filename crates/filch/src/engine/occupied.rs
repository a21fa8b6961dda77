//! What this thread may do because it occupies a ladder ([`ladder::Occupied`]).

use super::frame::Header;
use super::spawned::OwnQueue;
use super::team::Worker;
use crate::protocol::ladder;

/// This thread occupies a ladder.
pub(crate) type Occupied<'l> = ladder::Occupied<'l, Header, Worker>;

/// The top of a ladder that this thread occupies.
pub(crate) type Top<'l> = ladder::Top<'l, Header, Worker>;

/// A frame that this thread has pushed.
pub(crate) type Pushed<'l> = ladder::Pushed<'l, Header, Worker>;

/// A return that has found E raised.
pub(crate) type Returned<'l> = ladder::Returned<'l, Header, Worker>;

impl<'l> ladder::Occupied<'l, Header, Worker> {
    /// The spawn queue of the worker, for its occupant.
    pub(crate) fn spawned(self) -> OwnQueue<'l> {
        // SAFETY: this thread occupies the worker.
        unsafe { self.owner().spawned.owned() }
    }
}
