//! Seats, as a thread sees them: the way in ([`enter`]), the seats that a thread holds ([`held`]), and loans of seats
//! ([`loans`]) to threads on which the lender depends ([`waiters`]).

mod enter;
pub(crate) mod loans;
pub(crate) mod waiters;
