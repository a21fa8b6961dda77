//! The lab: the implementation of the command `filch`.
//!
//! ```
//! let mut page = Vec::new();
//! filch_lab::commands::doctor::run(&Default::default(), &mut page)?;
//! assert!(String::from_utf8_lossy(&page).contains("processors"));
//! # Ok::<(), filch_lab::failure::Failure>(())
//! ```
//!
//! Each layer imports only layers above it in this list:
//!
//! 1. [`ranks`]: several processes; [`tips`]: what users may have meant; [`failure`]: how a command can fail;
//!    [`interrupt`]: Ctrl-C; [`timeout`]: its limit; [`shortage`]: too little memory or too few threads;
//!    [`values`]: the values of options
//! 2. [`show`]: numbers, tables, pictures and progress; [`output`]: output files, and the form of figures
//! 3. [`measure`]: runs, times, counts, statistics, and facts about the machine
//! 4. [`comparison`]: programs compared; [`graphs`]: problems on graphs; [`stress`]: random programs and their oracle;
//!    [`recordings`]: files with the trees of forks of programs; [`simulation`]: what simulations of them need
//! 5. [`commands`]: the commands, one file or folder each

pub mod commands;
pub mod comparison;
pub mod failure;
pub mod graphs;
pub mod interrupt;
pub mod measure;
pub mod output;
pub mod process;
pub mod ranks;
pub mod recordings;
pub mod shortage;
pub mod show;
pub mod simulation;
pub mod stress;
pub mod timeout;
pub mod tips;
pub mod values;

// The Rust code on these pages is compiled and run.
#[cfg(doctest)]
mod book {
    #[doc = include_str!("../../../docs/why.md")]
    struct Why;
    #[doc = include_str!("../../../docs/start.md")]
    struct Start;
    #[doc = include_str!("../../../docs/constructs.md")]
    struct Constructs;
    #[doc = include_str!("../../../docs/recipes.md")]
    struct Recipes;
    #[doc = include_str!("../../../docs/rayon.md")]
    struct Rayon;
    #[doc = include_str!("../../../docs/tokio.md")]
    struct Tokio;
    #[doc = include_str!("../../../docs/openmp.md")]
    struct Openmp;
    #[doc = include_str!("../../../docs/onetbb.md")]
    struct Onetbb;
    #[doc = include_str!("../../../docs/cilk.md")]
    struct Cilk;
    #[doc = include_str!("../../../docs/questions.md")]
    struct Questions;
    #[doc = include_str!("../../../docs/search.md")]
    struct Search;
    #[doc = include_str!("../../../docs/schedulers/cab.md")]
    struct Cab;
    #[doc = include_str!("../../../docs/schedulers/chaos.md")]
    struct Chaos;
}
