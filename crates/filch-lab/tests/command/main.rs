//! The command as a user meets it: what it says, what it writes, how it exits.

mod bench;
mod busy;
mod files;
mod graphs;
mod graphs_refused;
mod helpers;
#[cfg(unix)]
mod interrupt;
mod knary;
mod machine;
mod shapes;
mod steals;
mod stress;
mod usage;
