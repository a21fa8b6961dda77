//! The command as its users see it: its output, its files and its exit codes.

mod algorithms;
mod any_format;
mod bench;
#[cfg(unix)]
mod book;
mod busy;
mod completions;
mod figure;
mod files;
mod graphs;
mod graphs_refused;
mod help;
mod helpers;
#[cfg(unix)]
mod interrupt;
mod knary;
mod machine;
mod messages;
mod opening;
mod profile;
mod refusals;
mod report;
mod search;
mod shapes;
mod shortage;
mod simulate;
mod solve;
mod standard;
mod steals;
mod stress;
mod sweep;
#[cfg(target_os = "linux")]
mod top;
mod usage;
mod weights;
mod zoo;
