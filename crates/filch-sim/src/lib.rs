//! A simulator of the runtime Filch: its own decisions, on virtual workers and a virtual clock.
//!
//! It shows what the runtime does on more cores than a machine has, on sixty-four or on four thousand: virtual workers
//! call the functions of `filch-policy` that the runtime calls, with the virtual time. The cost of each step is
//! [given](Costs). `docs/scale.md` of the repository says what the model leaves out, and what can be concluded.
//!
//! ```
//! use filch_policy::Scheduler;
//! use filch_sim::{Costs, Simulation, program::text, rules};
//!
//! let fib = text::parse("fib:20,leaf=10us")?;
//! let rules = rules(&Scheduler::default(), &Costs::ASSUMED, 64)?;
//! let outcome = Simulation::new(&*fib, rules, Costs::ASSUMED, 64, 1).run();
//! assert_eq!(outcome.run.leaves, 10_946);
//! assert!(outcome.time_ns < outcome.run.work_ns / 32);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! State, and what changes it:
//!
//! | module | state | changed by |
//! |---|---|---|
//! | [`program`] | none: a tree is a formula, or was recorded | |
//! | `course` | a busy worker's ladder, and how far it has come | its worker; others mark it and remove frames |
//! | `claims` | frames that have left a ladder, and what they are parts of | gives, takes, begins, ends, waits |
//! | `shelf` | frames that a worker has left | the worker, and a worker that gets one |
//! | `worker` | what a worker does, its ask word, its accounts | the worker; askers and takers, as in the runtime |
//! | `sleepers` | which threads sleep, which is the sentinel | each for itself; a caller |
//! | `squads` | the pools of inter-socket tasks, and which squads are busy | workers of the squad; heads |
//! | `affinity` | who had each part of a range last, and what was handed to whom | forks and leaves |
//! | `sockets`, `order` | none: which worker is on which socket, and in which order others are visited | |
//! | `marks` | sets of workers | the change of what a set is about |
//! | `memory` | what the cache of each socket holds, and where memory is | the beginning of a node |
//! | `agenda` | when each actor acts next | any change of what an actor does |
//! | `timeline` | what each worker did when, if a run is recorded | `run` |
//! | `steps` | what each worker has begun and not ended, if steps are told | `run` |
//! | [`decisions`] | none: the functions of `filch-policy` | |
//! | `run` | the clock; it carries the decisions out | |
//! | [`clusters`] | several ranks and one search, with a clock of their own | itself |
//!
//! References, which the sources cite by author and year, are those of `filch-policy`, and:
//!
//! * Olivier, Huan, Liu, Prins, Dinan, Sadayappan and Tseng 2006: UTS: an unbalanced tree search benchmark, LCPC.
//! * Steele, Lea and Flood 2014: Fast splittable pseudorandom number generators, OOPSLA.

#![forbid(unsafe_code)]

mod affinity;
mod agenda;
mod claims;
pub mod clusters;
mod costs;
mod course;
pub mod decisions;
mod marks;
mod memory;
mod order;
mod outcome;
mod overhead;
pub mod program;
mod run;
mod shelf;
mod sleepers;
mod sockets;
mod squads;
mod steps;
mod supported;
mod timeline;
mod worker;

pub use costs::{Costs, UnknownCost};
pub use decisions::Decisions;
pub use filch_policy::Rules;
pub use outcome::{COUNTS, Counts, Outcome};
pub use overhead::{Timed, fitted_overhead};
pub use run::{EVENTS_PER_LOOK, MAX_WORKERS, Progress, Simulation};
pub use sockets::{Sockets, UnevenSockets};
pub use steps::{Activity, Step, StepKind};
pub use supported::{Unsupported, rules};
pub use timeline::{Spent, Timeline};
