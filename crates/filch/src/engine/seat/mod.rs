//! Seats, as a thread sees them: the way in ([`enter`]), and loans of seats ([`loans`]) to threads on which the lender
//! depends ([`waiters`]).

mod enter;
pub(crate) mod loans;
pub(crate) mod waiters;
