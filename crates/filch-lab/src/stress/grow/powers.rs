//! The powers of programs.

/// What the programs of a case may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Powers {
    /// Use mutexes.
    pub locks: bool,
    /// Panic.
    pub panics: bool,
    /// Open scopes.
    pub scopes: bool,
    /// How many leaves may wait for the other branch to start.
    pub awaits: usize,
    /// The number of pools.
    pub pools: usize,
    /// Whether a run may enter a pool with a lower number.
    pub nest_any: bool,
    /// Use constructs in the code that the runtime calls between nodes: see [`callbacks`](crate::stress::callbacks).
    pub callbacks: bool,
}
