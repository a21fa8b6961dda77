//! What a row is.

use crate::site::Site;
use std::sync::Arc;

/// A row.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    /// Runs the construct, and checks what it has computed.
    pub(crate) run: fn(&Arc<Site>),
    /// How often the construct calls the callback, at least.
    pub(crate) calls: usize,
    /// How often a cell runs the construct, since what it calls depends on what other workers do.
    pub(crate) runs: usize,
    /// Whether nobody may get the payload of a panic of the callback.
    pub(crate) may_lose: bool,
}

/// A construct that calls the callback at least `calls` times.
pub(crate) const fn row(name: &'static str, calls: usize, run: fn(&Arc<Site>)) -> Row {
    Row { name, run, calls, runs: 1, may_lose: false }
}

/// A construct that calls the callback only where its work moves.
pub(crate) const fn moving(name: &'static str, run: fn(&Arc<Site>)) -> Row {
    Row { runs: if cfg!(miri) { 1 } else { 4 }, ..row(name, 0, run) }
}

/// A construct that passes the panic of the callback to nobody, or not always.
pub(crate) const fn losing(row: Row) -> Row {
    Row { may_lose: true, ..row }
}
