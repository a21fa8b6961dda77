//! The instruments of the lab: how programs are measured, compared and shown, and what a command needs that does so.
//!
//! ```
//! use filch_bench::show::numbers::{grouped, seconds};
//!
//! assert_eq!((grouped(247_686), seconds(0.0012)), ("247,686".into(), "1.20 ms".into()));
//! ```
//!
//! Each layer imports only layers above it in this list:
//!
//! 1. [`ranks`]: several processes; [`tips`]: what users may have meant; [`failure`]: how a command can fail;
//!    [`interrupt`]: Ctrl-C; [`timeout`]: its limit; [`shortage`]: too little memory or too few threads;
//!    [`values`]: the values of options; [`debian`]: a real graph
//! 2. [`show`]: numbers, tables and progress
//! 3. [`measure`]: runs, times, counts, statistics, and facts about the machine
//! 4. [`comparison`]: programs compared; [`entry`]: how a command begins and ends
//!
//! The crates `filch-tour` and `filch-lab` use them. The tour is to be built in little time, so the instruments depend
//! on few other crates. What needs more, such as pictures and output files, is in the lab.

pub mod comparison;
pub mod debian;
pub mod entry;
pub mod failure;
pub mod interrupt;
pub mod measure;
pub mod ranks;
pub mod shortage;
pub mod show;
pub mod timeout;
pub mod tips;
pub mod values;
