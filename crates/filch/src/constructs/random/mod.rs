//! Pseudo-random numbers that depend on their place in the fork tree, and not on the schedule.
//!
//! - [`Stream`]: the numbers of one strand, which are split at forks by hand
//! - [`RandomStrand`]: a strand that splits its stream at each fork
//!
//! A generator that is shared by all workers, or one for each of them, gives other numbers in every run, because what
//! is drawn from it depends on who runs what. Here a number is a hash of its place (DotMix): the seed, the forks
//! above it, and how often its strand has drawn or forked before. So a seed reproduces a run, under every scheduler and
//! on any number of workers (pedigrees: Leiserson, Schardl and Sukha 2012).

mod dotmix;
mod strand;
mod stream;

pub use strand::RandomStrand;
pub use stream::{Stream, Streams};
