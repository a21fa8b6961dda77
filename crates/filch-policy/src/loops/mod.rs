//! Loops over ranges: how far a loop runs before it looks whether another worker wants a part, and which part that
//! worker gets.

mod cost;
mod hide;
mod pace;
mod split;

pub use cost::{Cost, Guess};
pub use hide::{HIDDEN_IF_SHORT, hidden, hides_all, is_worth_a_call, next_look};
pub use pace::{Pace, SERIAL_BLOCK, Strides};
pub use split::{is_divisible, middle};
