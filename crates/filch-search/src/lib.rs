//! Searches on Filch.
//!
//! ```
//! use filch_search::Sudoku;
//!
//! let sudoku = Sudoku::new(&[3, 0, 0, 0, 0, 0, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0])?;
//! let solution = sudoku.cover().first().expect("this one has a solution");
//! assert_eq!(sudoku.filled(&solution), [3, 1, 2, 4, 2, 4, 3, 1, 1, 2, 4, 3, 4, 3, 1, 2]);
//! # Ok::<(), filch_search::SudokuError>(())
//! ```
//!
//! | problem | what is found |
//! |---|---|
//! | [`ExactCover`]; [`NamedCover`], [read](mod@read) from a file | rows that cover each column once |
//! | [`Pentominoes`], [`Sudoku`] | filled boards, as exact covers |
//! | [`Knapsack`], [`Tour`], [`Colouring`] | the best choice, by branch and bound |
//! | [`uts`] | the sizes of unbalanced trees |
//!
//! Each is a [`filch::Search`], so [`filch::search`] can be asked for more than its own functions offer. [`verify`]
//! checks solutions by code that shares nothing with what found them. `docs/search.md` describes the formats of files.
//!
//! The searches run on the pool of the surrounding [`run`](filch::Pool::run), or else on the global pool.

// Layers, from the bottom up. A module imports only from lower layers.
//
// 1. `read`: text files, and what can be wrong with them; `verify`: imports nothing
// 2. `cover`: exact covers; `colouring`, `knapsack`, `tour` and `uts`
// 3. `pentominoes` and `sudoku`: exact covers of boards

mod colouring;
mod cover;
mod knapsack;
mod pentominoes;
pub mod read;
mod sudoku;
mod tour;
pub mod uts;
pub mod verify;

pub use colouring::{Colouring, Colours};
pub use cover::{Cover, CoverError, ExactCover, NamedCover};
pub use knapsack::{Knapsack, Packed, Thing};
pub use pentominoes::{Pentominoes, SizeError};
pub use sudoku::{Sudoku, SudokuError};
pub use tour::{Tour, Travelled};
