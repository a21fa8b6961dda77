//! The lab: the implementation of the command `filch`.
//!
//! ```
//! let mut page = Vec::new();
//! filch_lab::commands::doctor::run(&Default::default(), &mut page)?;
//! assert!(String::from_utf8_lossy(&page).contains("processors"));
//! # Ok::<(), filch_bench::failure::Failure>(())
//! ```
//!
//! What the commands measure with is in the crate [`filch_bench`]. Each layer imports only layers above it in this
//! list:
//!
//! 1. [`process`]: processes that the lab starts; [`show`]: pages, pictures, and figures for other programs;
//!    [`memory`]: whether the input of a program fits into it
//! 2. [`output`]: output files, and the form of figures; [`programs`]: programs by name
//! 3. [`comparison`]: what becomes of programs compared; [`graphs`]: problems on graphs; [`stress`]: random programs
//!    and their oracle; [`recordings`]: files with the trees of forks of programs; [`simulation`]: what simulations of
//!    them need
//! 4. [`commands`]: the commands, one file or folder each

pub mod commands;
pub mod comparison;
pub mod graphs;
pub mod memory;
pub mod output;
pub mod process;
pub mod programs;
pub mod recordings;
pub mod show;
pub mod simulation;
pub mod stress;

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
