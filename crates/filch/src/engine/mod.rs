//! The engine: which worker runs what, and when. It knows frames by a table ([`frame::FrameKind`]), and no construct.
//!
//! - [`team`]: the workers of a pool, and what they share; [`victims`]: the others, as one visits them;
//!   [`spare_workers`]; [`fork_child`]: a team in a child of fork(2)
//! - [`occupied`]: what this thread may do because it occupies a ladder
//! - [`frame`], [`part_memory`]: what slow paths know of a frame, and what leaves one
//! - [`prepare`]: what a construct has to do before a frame of it may leave; [`preparing`]: who does so
//! - [`task`], [`lineage`]: work that has moved, and what it is a part of
//! - [`share`]: how work gets from one worker to another
//! - [`execute`]: how a frame is run that has moved
//! - [`group`], [`spawned`], [`run_tasks`]: scopes and their tasks, which are not frames; [`detached`] tasks,
//!   and tasks that are [`bound`] to a thread by a [`binding`]; [`unseated`]: where it runs them without a seat
//! - [`wait`]: how a worker waits for what has moved
//! - [`sharing`]: the seam to the [`schedulers`], which decide about what is [`latent`]; [`beat`]: the clock of one
//! - [`squads`]: the workers that share a cache, and their pool
//! - [`crew`]: the threads of a pool; [`life`]: the life of one; [`calls`]: how sleeping threads are called
//! - [`held_seats`]: the seats that a thread holds; [`seat`]: the way in, and loans between pools that enter each other
//! - [`views`]: of reducers
//! - [`current`]: where a thread is working
//! - [`account`], [`sequence`], [`cost`] with its [table](cost_table), [`counters`], [`samples`]: what a
//!   worker keeps; [`statistics`]: all of them together
//! - [`inlet`]: code that has the state of a speculation
//! - [`stop`]: what ends early; [`abort`], [`payload`]: panics
//!
//! What is decided comes from the crate `filch-policy`. May import: `protocol`, `sync`.

mod abort;
mod account;
mod beat;
mod binding;
pub(crate) mod bound;
mod calls;
pub(crate) mod cost;
mod cost_table;
mod counters;
pub(crate) mod crew;
pub(crate) mod current;
mod detached;
mod execute;
mod fork_child;
pub(crate) mod frame;
pub(crate) mod group;
pub(crate) mod held_seats;
pub(crate) mod inlet;
mod latent;
pub(crate) mod life;
mod lineage;
pub(crate) mod occupied;
pub(crate) mod part_memory;
pub(crate) mod payload;
pub(crate) mod prepare;
mod preparing;
mod run_tasks;
mod samples;
pub(crate) mod schedulers;
pub(crate) mod seat;
mod sequence;
pub(crate) mod share;
mod sharing;
mod spare_workers;
pub(crate) mod spawned;
pub(crate) mod squads;
mod statistics;
pub(crate) mod stop;
pub(crate) mod task;
pub(crate) mod team;
mod unseated;
mod victims;
pub(crate) mod views;
pub(crate) mod wait;

pub use counters::Counters;
