//! How the programs with which Filch is measured are written, and the simplest of them.
//!
//! There is one file per program, short enough to be compared with the paper it comes from. Each file holds
//!
//! - the *program*, written once over a [`Token`](runtime::Token). From it the compiler makes the serial elision (a
//!   join becomes two calls in order, a parallel loop a plain one), the Filch form, and the rayon and chili forms of
//!   the same shape;
//! - its [`Kernel`]: the input in memory, and the work of one call;
//! - a *checker* that shares no code with what it checks.
//!
//! Some programs stop forking below a size, their [`Grain`]. With a grain of 1, they show the cost of a library's
//! forks. Programs with [loops](Program::loops) have no grain, because the library decides how finely to divide a loop.
//! For rayon there is a second form, whose loops are [tuned](runtime::Tunings) by hand.
//!
//! These are the programs of the tour: [`fib`], [`fib_implicit`], [`tree_sum`], [`queens`](mod@queens), [`cilksort`],
//! [`fft`] and [`notempmul`]. They are apart from the others, which the crate `filch-programs` has, because each
//! program is compiled for each runtime, and the tour is to begin soon after a checkout. [`matrix`], [`product`] and
//! [`sorting`] are what they share with others.
//!
//! ```
//! let mut instance = filch_kernels::queens::PROGRAM.prepare(8).unwrap();
//! instance.serial();
//! instance.verify().unwrap();
//! ```

mod answer;
mod extent;
mod kernel;
mod program;
mod quicksort;
pub mod runtime;

pub mod cilksort;
pub mod fft;
pub mod fib;
pub mod fib_implicit;
pub mod matrix;
pub mod notempmul;
pub mod product;
pub mod queens;
pub mod sorting;
pub mod tree_sum;

pub use answer::{Answer, Mismatch};
pub use extent::{Extent, ParseExtentError};
pub use kernel::{Forms, Implicit, Instance, Kernel, WithForms};
pub use program::{
    Built, Data, Domain, Forks, Grain, Input, InputError, Library, POWER_OF_TWO, Program, ReadInput, Rule, Shape,
    SizeError, Sizes,
};
