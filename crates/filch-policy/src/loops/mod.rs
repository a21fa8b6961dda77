//! Loops over ranges: how far a loop runs before it looks whether another worker wants a part, and which part that
//! worker gets.

mod cost;
mod hide;
mod pace;
mod split;

pub use cost::{Cost, Guess};
pub use hide::{hides_all, is_worth_a_call, most_few};
pub use pace::{Pace, SERIAL_BLOCK, Strides, UNTIMED};
pub use split::{fixed_block, is_divisible, middle};
