//! Where a thread is: the seats that it holds ([`held_seats`]), the rung at which it works ([`current`]), and whether
//! it has the state of a speculation ([`inlet`]), and whether what it runs has been cancelled ([`ambient`]).

pub(crate) mod ambient;
pub(crate) mod current;
pub(crate) mod held_seats;
pub(crate) mod inlet;
