//! The decisions of the work-stealing runtime Filch: which worker gets which work, when, and how much of it.
//!
//! Every function here is pure. It is given state, times and random numbers, and returns a decision, with the new state
//! if there is any. The crate uses no clock, no atomics and no `unsafe`. The runtime keeps the state where several
//! threads can see it, and carries out the decisions. `tests/toy.rs` does the same with virtual workers on a virtual
//! clock.
//!
//! Users of the runtime need only the crate `filch`, which re-exports [`Scheduler`], [`Wait`], [`ParseSchedulerError`],
//! [`Batches`] and [`topology`]. The documentation of these types is written to be read there.
//!
//! ```
//! use filch_policy::Credit;
//!
//! // Once per microsecond on average, and twice in a row after a quiet time.
//! let credit = Credit::new(1_000, 2);
//! let paid_ns = credit.spend(0, 5_000).expect("it has been quiet");
//! let paid_ns = credit.spend(paid_ns, 5_000).expect("the second in a row");
//! assert_eq!(credit.spend(paid_ns, 5_000), None);
//! assert_eq!(credit.allowed_from(paid_ns), 6_000);
//! ```
//!
//! | decisions | |
//! |---|---|
//! | what a user chooses, and what follows from it | [`Scheduler`], [`Rules`], [`Costs`], [`Staff`], [`topology`] |
//! | how an idle worker comes to work | [`Approach`], [`Neighbours`], [`Look`], [`Rest`], [`Pauses`] |
//! | what a busy one gives, and how often | [`Credit`], [`Gift`], [`Fork`], [`Beat`], [`Paid`], [`Tier`] |
//! | who is woken, and who may do without a seat | [`Call`], [`Sentinel`], [`works_without_seat`] |
//! | work that is shared in parts | [`loops`], [`traversals`], [`backtracking`], [`cluster`] |
//! | one thread that plays all workers | [`Chaos`] |
//!
//! References, which the sources cite by author and year:
//!
//! * Acar, Blelloch and Blumofe 2000: The data locality of work stealing, SPAA.
//! * Acar, Charguéraud, Guatto, Rainey and Sieczkowski 2018: Heartbeat scheduling, PLDI.
//! * Chen, Huang, Guo and Zhou 2011: CAB: cache aware bi-tier task-stealing in multi-socket multi-core architecture,
//!   ICPP. Sections and equations are those of a manuscript by the first three authors.
//! * Cong, Kodali, Krishnamoorthy, Lea, Saraswat and Wen 2008: Solving large, irregular graph problems using adaptive
//!   work-stealing, ICPP.
//! * Frigo, Leiserson and Randall 1998: The implementation of the Cilk-5 multithreaded language, PLDI.
//! * Hiraishi, Yasugi, Umatani and Yuasa 2009: Backtracking-based load balancing, PPoPP.
//! * Marsaglia 2003: Xorshift RNGs, Journal of Statistical Software.
//! * Saraswat, Kambadur, Kodali, Grove and Krishnamoorthy 2011: Lifeline-based global load balancing, PPoPP.
//! * Yasugi, Hiraishi, Umatani and Yuasa 2012: Parallel graph traversals using work-stealing frameworks for many-core
//!   platforms, Information and Media Technologies.

#![forbid(unsafe_code)]

#[macro_use]
mod mistake;

// What a user chooses, and the numbers that follow from it.
mod quantity;
mod scheduler;
mod settings;
mod text;

mod rules;
mod staff;

// Where the workers are.
pub mod topology;

// Sharing: what an idle worker does about a busy one, and what the busy one does about the idle one.
mod affinity;
mod approach;
mod back_off;
mod beat;
mod bias;
mod credit;
mod fork;
mod give;
mod grain;
mod interrupt;
mod patience;
mod random;
mod shelf;
mod sources;
mod tasks;
mod tiers;
mod victims;

// Having nothing to do.
mod calls;
mod queue;
mod rest;
mod search;
mod squad_calls;
mod wait;

// Work that is shared in parts.
pub mod backtracking;
#[cfg(feature = "cluster")]
pub mod cluster;
pub mod loops;
pub mod traversals;

// One thread that plays all workers.
mod chaos;

pub use affinity::{Halving, cells_of, first_holders, may_begin_handed, part_of};
pub use approach::{Approach, Silence, Victim, Word};
pub use beat::Beat;
pub use bias::{awaits_owner, biases_after};
pub use calls::{Call, Occasion, Sentinel, sleeps};
pub use chaos::Chaos;
pub use credit::Credit;
pub use fork::{Fork, Wish, becomes_patient, begins_eager};
pub use give::{Gift, Gifts, Left, answers_before_next_item, calls_one, is_wanted, leaves_alone};
pub use grain::{Grain, Over};
pub use interrupt::Paid;
#[cfg(filch_decisions = "tested")]
#[doc(hidden)]
pub use mistake::Mistake;
pub use patience::{LOOKS_PER_CLOCK, awaits_end, yields_to_victim};
pub use quantity::parse_time;
pub use queue::{LOOK_AGAIN, works_without_seat};
pub use random::{Random, SPREAD, Sequence, scatter};
pub use rest::{Pauses, Plan, Rest, SEARCH_NS};
pub use rules::{Costs, Rules, SchedulerKind};
pub use scheduler::{Balancer, Scheduler, Wait};
pub use search::{Look, Searcher};
pub use settings::SettingError;
pub use sources::Source;
pub use squad_calls::{Called, Moment, called_at};
pub use staff::Staff;
pub use tasks::{End, MAX_MOVED, moved_of};
pub use text::ParseSchedulerError;
pub use tiers::{Tier, looks_across};
pub use traversals::{Batches, ParseBatchesError};
pub use victims::Neighbours;
