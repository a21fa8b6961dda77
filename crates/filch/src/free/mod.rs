//! What a user can do without a strand.
//!
//! Inside a run, each of these functions works in that run. Outside of any run, it works on the [global
//! pool](crate::Pool::global). May import: everything below.

mod broadcast;
mod cancel;
mod items;
mod join;
mod loops;
mod ordered;
mod run;
mod scope;
mod search;
mod spawn;
mod speculate;
mod traverse;
mod yields;

pub use broadcast::{broadcast, spawn_broadcast};
pub use cancel::{end_if_cancelled, is_cancelled, to_completion};
pub use items::{for_each_item, for_each_item_until, try_for_each_item};
pub use join::{join, join_context, join_with};
pub use loops::{find_any, for_each, for_each_until, map_reduce, try_for_each};
pub use ordered::map_ordered;
pub use run::{current_worker, is_wanted, is_worker, may_be_wanted, num_workers, run};
pub use scope::{scope, scope_fifo};
pub use search::{Here, search};
pub use spawn::{spawn, spawn_fifo, submit};
pub use speculate::{first_of, speculate};
pub use traverse::traverse;
pub use yields::{has_pending_tasks, yield_local, yield_now};
