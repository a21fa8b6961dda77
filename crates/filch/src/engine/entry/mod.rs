//! The way in ([`enter`]), and loans of seats ([`loans`]) to threads on which the lender depends ([`waiters`]). A
//! thread that has no seat runs what is bound to it [without one](unseated). A team has a substitute in a child of
//! fork(2) ([`fork_child`]).

pub(crate) mod enter;
mod fork_child;
pub(crate) mod loans;
pub(crate) mod unseated;
pub(crate) mod waiters;
