//! What a user can do without a strand.
//!
//! Inside a run, each of these functions works in that run. Outside of any run, it works on the [global
//! pool](crate::Pool::global). May import: everything below.

mod items;
mod join;
mod loops;
mod run;
mod scope;
mod traverse;

pub use items::{for_each_item, for_each_item_until, try_for_each_item};
pub use join::{join, join_context};
pub use loops::{find_any, for_each, for_each_until, map_reduce, try_for_each};
pub use run::{current_worker, num_workers, run};
pub use scope::{scope, scope_fifo};
pub use traverse::traverse;
