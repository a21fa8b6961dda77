//! What a user can say without a strand in hand.
//!
//! Inside a run each of these goes on from where the thread is; outside of any it runs on the
//! [global pool](crate::Pool::global). May import: everything below.

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
