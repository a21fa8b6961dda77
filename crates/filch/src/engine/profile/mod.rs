//! Recording a program: what it forks, and how long the strands in between take.
//!
//! Under the scheduler `profile` one thread runs everything in program order, on a ladder that is *shut*: full from
//! its first rung. So every fork, loop and search takes the path of one that finds no room, which runs all of it on
//! this worker, and there, far from the fast path, stand the calls of this room. No other scheduler knows of it.
//!
//! What takes little time is not worth a look at the clock. The [recorder] knows how long the forks at each site and
//! depth last on average. Where that is less than a *leaf*, the ladder is opened, and the fork with all that is below
//! runs on the fast path, as a part of the strand around it. Now and then such a fork runs on the shut ladder instead,
//! timed as a whole, so that its forks can be counted.
//!
//! A thread that enters the run of another pool from inside of a run goes on with its recording. So there is one for
//! each thread that enters from outside. Hooks run no user code, and user code runs between them; a panic leaves the
//! events nested, since each pair is a guard.
//!
//! - [`log`]: the events; [`site`]: where in the program they are; [`recorder`]: what adds them; `strand_clock`: how
//!   long strands are; [`store`]: the recordings of a team
//! - [`recording`](crate::engine::recording): what constructs call

pub(crate) mod log;
pub(crate) mod recorder;
pub(crate) mod site;
pub(crate) mod store;
mod strand_clock;
