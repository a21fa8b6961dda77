//! Seats, as a thread sees them: the way in ([`enter`]), and loans of seats ([`loans`]) to threads on which the lender
//! depends ([`waiters`]).

pub(crate) mod enter;
pub(crate) mod loans;
pub(crate) mod waiters;
