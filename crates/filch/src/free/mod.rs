//! What a user can do without a strand.
//!
//! Inside a run, each of these functions works in that run. Outside of any run, it works on the [global
//! pool](crate::Pool::global). May import: everything below.

mod blocking;
mod broadcast;
mod cancel;
mod check;
mod items;
mod join;
mod loops;
mod once_value;
mod ordered;
mod pipeline;
mod run;
mod scope;
mod search;
mod spawn;
mod speculate;
mod task_graph;
mod trace;
mod traverse;
mod yields;

pub use blocking::{block_on, blocking};
pub use broadcast::{broadcast, spawn_broadcast};
pub use cancel::{end_if_cancelled, is_cancelled, to_completion};
pub use check::{Check, Difference, check};
pub use items::{for_each_item, for_each_item_until, for_each_item_using, for_each_item_with, try_for_each_item};
pub use join::{join, join_context, join_with};
pub use loops::{find_any, for_each, for_each_until, for_each_using, for_each_with, map_reduce, try_for_each};
pub use ordered::map_ordered;
pub use pipeline::pipeline;
pub use run::{current_worker, is_wanted, is_worker, may_be_wanted, num_workers, run, run_urgent};
pub use scope::{scope, scope_fifo};
pub use search::{Here, search};
pub use spawn::{spawn, spawn_fifo, submit, submit_urgent};
pub use speculate::{first_of, speculate};
pub use trace::trace_span;
pub use traverse::traverse;
pub use yields::{has_pending_tasks, yield_local, yield_now};
