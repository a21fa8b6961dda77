//! Batches of items: what lies in a lane.

use std::{iter, mem};

/// What lies in a lane.
pub(super) enum Batch<T> {
    /// One item needs no memory of its own.
    One(T),
    Many(Vec<T>),
}

impl<T> Batch<T> {
    /// What is in `items`, if that is something; `items` is empty then, with `empty`'s memory if it had to be given
    /// away.
    pub(super) fn of(items: &mut Vec<T>, empty: impl FnOnce() -> Vec<T>) -> Option<Self> {
        match items.len() {
            0 => None,
            1 => items.pop().map(Batch::One),
            _ => Some(Batch::Many(mem::replace(items, empty()))),
        }
    }

    /// Batches of `size` items, the last perhaps smaller.
    pub(super) fn cut(items: Vec<T>, size: usize) -> impl Iterator<Item = Self> {
        let mut items = items.into_iter();
        iter::from_fn(move || Batch::of(&mut items.by_ref().take(size).collect(), Vec::new))
    }
}
