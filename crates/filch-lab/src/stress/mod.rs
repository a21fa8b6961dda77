//! Random programs, an oracle that says what they mean, and their execution on pools.
//!
//! A case is a function of its seed: pools, callers and their programs. So a seed is all that a report needs. Which
//! worker runs which part is nondeterministic; running a case repeatedly gives faults more chances.
//!
//! Only `filch stress` uses this layer. It imports the instruments of [`filch_bench`], but no
//! command.
//!
//! - [`dice`]: random choices; [`plan`]: the contents of a case
//! - [`program`]: a tree that says what to do
//! - [`grow`]: how a program grows from a seed, and what keeps it legal; [`legal_panics`]: which panics it may have
//! - [`oracle`]: the meaning of a program, without any runtime
//! - [`callbacks`]: constructs in the code that the runtime calls between the nodes of a program
//! - [`run_log`], [`lineage`]: what ran and what was dropped, and whether it was allowed to run where it ran
//! - [`execute`]: a program on pools
//! - [`case`](mod@case): one case, compared with the oracle; [`totals`]: sums over cases
//! - [`hook`]: the panic hook

pub mod callbacks;
pub mod case;
pub mod dice;
pub mod execute;
pub mod grow;
pub mod hook;
pub mod legal_panics;
pub mod lineage;
pub mod oracle;
pub mod plan;
pub mod program;
pub mod run_log;
pub mod totals;
