//! Seats, from the side of a thread: the way in ([`enter`]), the seats that it holds ([`held`]), and those that it lends
//! ([`loans`]) to whom it depends on ([`waiters`]).

mod enter;
pub(crate) mod held;
pub(crate) mod loans;
pub(crate) mod waiters;
