//! rayon's parallel iterators on [Filch](filch), without a grain.
//!
//! ```
//! use filch_rayon::prelude::*;
//!
//! let squares: u64 = [1_u64, 2, 3, 4].par_iter().filch().filter(|&&x| x % 2 == 0).map(|x| x * x).sum();
//! assert_eq!(squares, 20);
//! ```
//!
//! [`filch()`](Filch::filch) after an indexed source has Filch drive what follows, on Filch's workers instead of
//! rayon's. Sources, adaptors and consumers stay those of the crate `rayon`. What changes is how a loop is divided:
//! rayon halves it as often as there are threads, and again where a half has been stolen. Filch halves it until what is
//! left takes a few microseconds, since a join that nobody takes costs a few nanoseconds. So there is nothing to tune:
//!
//! - A loop of a few cheap items forks nothing, and costs about as much as a serial one. So nested loops can all be
//!   parallel, as they are written.
//! - A loop whose items differ in cost is divided where the work is.
//!
//! ```
//! use filch_rayon::prelude::*;
//!
//! // Rows and the entries of each row: no need to know which of the two are many.
//! fn multiply(rows: &[Vec<(usize, f64)>], x: &[f64]) -> Vec<f64> {
//!     let dot = |row: &Vec<(usize, f64)>| row.par_iter().filch().map(|&(column, value)| value * x[column]).sum();
//!     rows.par_iter().filch().map(dot).collect()
//! }
//!
//! assert_eq!(multiply(&[vec![(0, 2.0), (1, 1.0)], vec![(1, 3.0)]], &[1.0, 10.0]), [12.0, 30.0]);
//! ```
//!
//! # What is driven by Filch
//!
//! Everything between `filch()` and the end, with these rules:
//!
//! - Adaptors that keep the iterator indexed (`map`, `zip`, `enumerate`, `chunks`, `rev`, ...) have to be called on
//!   [`OnFilch`] itself, which every one of them returns. Generic code that only knows [`IndexedParallelIterator`], or
//!   a rayon adaptor around an [`OnFilch`] (`a.par_iter().zip(b.par_iter().filch())`), drives it on rayon. A second
//!   `filch()` puts that right.
//! - An iterator inside an item is driven on its own: `flat_map(|x| x.par_iter().filch())`.
//! - `with_min_len` and `with_max_len` are kept as rayon keeps them: no half is shorter, and no block longer, if it can
//!   be halved.
//! - What has no indices in rayon has no `filch()` after it, since rayon does not hand out what drives it. It begins on
//!   Filch instead, as the [table](#what-begins-on-filch) says.
//! - `intersperse` is driven by Filch if nothing indexed follows it.
//! - `by_exponential_blocks` and `by_uniform_blocks` run their blocks on rayon.
//!
//! Rayon's own functions (`rayon::join`, an iterator without `filch()`) inside of an item work, but they block the
//! worker of Filch until rayon's pool has run them.
//!
//! # What begins on Filch
//!
//! | rayon | on Filch |
//! |---|---|
//! | `v.par_sort()`, `v.par_sort_unstable_by_key(..)` ... | [`v.filch().par_sort()`][slice] ... |
//! | `text.par_lines()`, `text.par_split(',')` ... | [`text.filch().par_lines()`][text] ... |
//! | `(0..n).into_par_iter()` for a `u64`, an `i64` or wider | [`(0..n).filch()`][range], which is indexed |
//! | `iterator.par_bridge()` | [`iterator.filch_bridge()`][serial] |
//! | `map.par_iter()`, for maps, sets, lists and heaps | [`map.iter().filch_collected()`][collected] |
//! | `v.par_split(..)`, `v.par_chunk_by(..)` on slices | nothing: find the places, and drive a vector of parts |
//! | `walk_tree` | nothing: [`filch::scope()`], or a producer for [`bridge_unindexed`] |
//!
//! [slice]: FilchSlice::filch
//! [text]: FilchStr::filch
//! [range]: FilchRange::filch
//! [serial]: FilchIterator::filch_bridge
//! [collected]: FilchIterator::filch_collected
//!
//! ```
//! use filch_rayon::prelude::*;
//!
//! let mut words: Vec<&str> = "to be or not to be".filch().par_split(' ').collect();
//! words.filch().par_sort_unstable();
//! assert_eq!(words, ["be", "be", "not", "or", "to", "to"]);
//! ```
//!
//! # Where it runs
//!
//! Inside a [run](filch::Pool::run) the loop works there, also under [`filch::join`] or inside another loop. Outside of
//! any run it works on the [global pool](filch::Pool::global), with the calling thread as one of its workers. If the
//! loop is known to take only some microseconds, it runs on the calling thread alone.
//!
//! # How it is divided
//!
//! A block is as many items as take about 6 µs, according to blocks of the same loop that this thread has timed. The
//! first block of an unknown loop is one item. What is left of a loop is visible to idle workers at any time, the
//! larger half first. A block is run in a few pieces: if its items have become dear, what is left of it is divided,
//! too. Items that become dear within a piece are not; `with_max_len` helps there. While no other worker waits for
//! work, a block that follows one that was as cheap as expected is one piece.
//!
//! Each piece has a folder of its own. So `fold`, `map_init` and the like call their first closure once for each piece.
//! If that is dear, or if combining results is, blocks become longer, up to a quarter of a worker's share. Results are
//! combined in the order of the items, as halves of halves.
//!
//! What is dear to make, such as a large buffer, is made less often with a [`PerWorker`](filch::PerWorker), in any
//! adaptor: about once for each worker instead of once for each piece. Unlike the value of a `map_init` it has to be
//! `Send`.
//!
//! ```
//! use filch_rayon::prelude::*;
//!
//! let buffers = filch::PerWorker::new(|| vec![0_u8; 1 << 16]);
//! let starts = |text: &&str| {
//!     buffers.with(|buffer| {
//!         buffer[..text.len()].copy_from_slice(text.as_bytes());
//!         buffer[0]
//!     })
//! };
//! assert_eq!(["to", "be"].par_iter().filch().map(starts).collect::<Vec<_>>(), [b't', b'b']);
//! ```
//!
//! # Panics
//!
//! As with [`filch::join`]: the other half is dropped if it has not begun, and awaited if it has. Then the panic goes
//! on; of two panics, that of the earlier half. Every item is dropped once, as far as rayon's producers promise.
//!
//! # Authors of parallel iterators
//!
//! [`bridge`], [`bridge_producer_consumer`] and [`bridge_unindexed`] are what rayon's functions of these names are, on
//! Filch.

#![forbid(unsafe_code)]

mod adaptors;
mod block;
mod clock;
mod comparisons;
mod divisible;
mod drive;
mod on_filch;
mod pace;
mod piece;
mod ranges;
mod separator;
mod serial;
mod skip;
mod slice;
mod text;
mod undivided;
mod unindexed;
mod units;

/// What to import: the prelude of the crate `rayon`, and the methods `filch()`.
pub mod prelude {
    pub use crate::{Filch as _, FilchIterator as _, FilchRange as _, FilchSlice as _, FilchStr as _};
    pub use rayon::prelude::*;
}

pub use drive::{bridge, bridge_producer_consumer};
pub use on_filch::{Drivable, Filch, OnFilch};
pub use ranges::{FilchRange, Integers};
#[doc(no_inline)]
pub use rayon::iter::IndexedParallelIterator;
pub use separator::Separator;
pub use serial::{Bridge, FilchIterator};
pub use skip::Skip;
pub use slice::{FilchSlice, SliceOnFilch};
pub use text::{FilchStr, StrOnFilch};
pub use unindexed::bridge_unindexed;

// The Rust code on this page is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/iterators.md")]
struct Book;
