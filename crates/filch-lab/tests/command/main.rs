//! The command as its users see it: its output, its files and its exit codes.

mod algorithms;
mod bench;
mod busy;
mod completions;
mod figure;
mod files;
mod graphs;
mod graphs_refused;
mod helpers;
#[cfg(unix)]
mod interrupt;
mod knary;
mod machine;
mod search;
mod shapes;
mod shortage;
mod simulate;
mod steals;
mod stress;
mod sweep;
mod usage;
mod weights;
mod zoo;
