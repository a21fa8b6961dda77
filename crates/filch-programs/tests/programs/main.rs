//! The programs as the lab uses them.

mod forms;
mod list;
mod steals;
mod threads;
