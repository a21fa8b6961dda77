//! The programs as the lab uses them.

mod forms;
mod list;
mod recordings;
mod steals;
mod threads;
