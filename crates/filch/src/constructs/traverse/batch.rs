//! Batches of items: what lies in a lane.

use crate::engine::profile::site::Site;
use crate::engine::recording::{self, BegunTask, SpawnedTask};
use std::{iter, mem};

/// What lies in a lane.
pub(super) struct Batch<T> {
    pub(super) items: Items<T>,
    /// For a profile: the task that the batch is.
    pub(super) spawned: Option<SpawnedTask>,
}

pub(super) enum Items<T> {
    /// One item needs no memory of its own.
    One(T),
    Many(Vec<T>),
}

impl<T> Batch<T> {
    /// What is in `items`, if that is something; `items` is empty then, with `empty`'s memory if it had to be given
    /// away.
    pub(super) fn of(items: &mut Vec<T>, empty: impl FnOnce() -> Vec<T>) -> Option<Self> {
        let items = match items.len() {
            0 => None,
            1 => items.pop().map(Items::One),
            _ => Some(Items::Many(mem::replace(items, empty()))),
        };
        items.map(|items| Batch { items, spawned: None })
    }

    /// This batch, of which a profile says that it has been spawned here.
    pub(super) fn spawned(self) -> Self {
        Batch { spawned: Self::spawn(), ..self }
    }

    /// Begins the batch, in a profile, until the result is dropped.
    pub(super) fn begin(&self) -> BegunTask {
        recording::begin(self.spawned.or_else(Self::spawn))
    }

    fn spawn() -> Option<SpawnedTask> {
        recording::spawn_into_innermost(Site::of::<T>(Self::spawn as *const () as usize))
    }

    /// Batches of `size` items, the last perhaps smaller.
    pub(super) fn cut(items: Vec<T>, size: usize) -> impl Iterator<Item = Self> {
        let mut items = items.into_iter();
        iter::from_fn(move || Batch::of(&mut items.by_ref().take(size).collect(), Vec::new))
    }
}
