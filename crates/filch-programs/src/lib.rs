//! The programs that Filch is measured with.
//!
//! One file per program, short enough to put beside the paper it comes from. Each holds
//!
//! - the *serial elision*: the parallel program with every join replaced by two calls in order;
//! - the *Filch* form, and the *rayon* and *chili* forms of the same shape, each written the way
//!   that library's users would write it, none with a cut-off (the first two are never inlined,
//!   so that their assembly can be looked at by name);
//! - a *checker* that shares no code with what it checks.
//!
//! [`all`] is the table of programs: to add one, write its file and add its line here. [`units`] are work by the piece for
//! those that need some. Not in the table are [`random_tree`]s, which are for counting steals, not for timing.
//!
//! ```
//! let program = filch_programs::find("queens").unwrap();
//! let mut instance = program.prepare(8).unwrap();
//! instance.serial();
//! instance.verify().unwrap();
//! ```

mod answer;
mod program;

pub mod fib;
pub mod fib_implicit;
pub mod queens;
pub mod random_tree;
pub mod skew;
pub mod tree_sum;
pub mod units;

pub use answer::{Answer, Mismatch};
pub use program::{Domain, Forks, Instance, Program, Rule, SizeError, Sizes};

/// Every program, in the order in which reports show them.
pub fn all() -> &'static [Program] {
    static ALL: [Program; 5] = [fib::PROGRAM, fib_implicit::PROGRAM, tree_sum::PROGRAM, queens::PROGRAM, skew::PROGRAM];
    &ALL
}

/// The program of that name.
pub fn find(name: &str) -> Option<&'static Program> {
    all().iter().find(|program| program.name == name)
}
