//! The engine: which worker runs what, and when. It knows frames by a table ([`frame::FrameKind`]), and no construct;
//! and schedulers by a seam ([`team::Sharing`]).
//!
//! Each room uses only rooms above its own line:
//!
//! - [`cancel`]: what ends early wherever it runs, and when
//! - [`trace`]: what a viewer is shown of a run
//! - [`meters`]: activities, accounts, counters, samples and random numbers of a worker; [`views`]: of reducers
//! - [`frame`]: what slow paths know of a frame, what leaves one, and which task it belongs to
//! - [`spawned`]: where tasks wait that are no frames
//! - [`team`]: the workers of a pool and what they share; what the occupant of one may do; the seam to schedulers
//! - [`seats`]: the seats that a thread holds, and where it works
//! - [`scopes`]: scopes and their tasks
//! - [`share`]: how work gets from one worker to another, and is run there
//! - [`entry`]: the way in, and loans of seats between pools that enter each other; [`detached`] tasks
//! - [`wait`]: how a worker waits for what has moved
//! - [`life`]: the life of a thread of a pool; [`schedulers`]: what makes one scheduler different from another
//!
//! What is decided comes from the crate `filch-policy`. May import: `protocol`, `sync`.

pub(crate) mod cancel;
pub(crate) mod detached;
pub(crate) mod entry;
pub(crate) mod frame;
pub(crate) mod life;
pub(crate) mod meters;
pub(crate) mod profile;
pub(crate) mod recording;
pub(crate) mod schedulers;
pub(crate) mod scopes;
pub(crate) mod seats;
pub(crate) mod share;
pub(crate) mod spawned;
pub(crate) mod team;
pub(crate) mod trace;
pub(crate) mod views;
pub(crate) mod wait;

pub use meters::activity::Activity;
pub use meters::counters::Counters;
pub use trace::span::TraceSpan;
