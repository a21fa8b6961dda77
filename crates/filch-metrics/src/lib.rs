//! What the workers of a pool of [`filch`] do and have done, for the facade [`metrics`]: whichever recorder the program
//! has installed gets it.
//!
//! ```
//! let pool = filch::Pool::builder().workers(2).build()?;
//! filch_metrics::describe();
//! pool.run(|mut s| s.join(|_| (), |_| ()));
//! filch_metrics::record(&pool); // now and then: where the program is scraped, or by a `Reporter`
//! # Ok::<(), filch::PoolError>(())
//! ```
//!
//! | metric | kind | labels |
//! |---|---|---|
//! | `filch_` and the name of one of the [`Counters`], such as `filch_asks` | counter | `pool`, `worker` |
//! | `filch_worker_activity` | gauge: 1 for what the worker is doing, 0 otherwise | `pool`, `worker`, `activity` |
//! | `filch_workers`, `filch_seats`, `filch_seats_free`, `filch_runs_waiting` | gauge | `pool` |
//!
//! A pool is known by its [number](Pool::number) in the process, and a worker by its index in the pool. Programs that
//! need no facade have the same as text: [`Pool::openmetrics`].

mod recording;
mod reporter;

pub use recording::{describe, record};
pub use reporter::Reporter;

#[cfg(doc)]
use filch::{Counters, Pool};
