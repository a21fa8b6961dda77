//! Which worker is in which lane, and what stays in a lane when its worker leaves.

use crate::sync::{Mutex, lock};
use std::mem;

/// What belongs to each lane while it is free.
pub(super) struct Places<O>(Box<[Mutex<Place<O>>]>);

enum Place<O> {
    /// No worker has been here.
    New,
    Free(Box<O>),
    Taken,
}

impl<O> Places<O> {
    pub(super) fn new(count: usize) -> Self {
        Places((0..count).map(|_| Mutex::new(Place::New)).collect())
    }

    /// Takes a free lane, the first from `wanted` on. None if there is none: a worker that waits inside a visit may
    /// take part a second time, so there can be more participants than lanes.
    pub(super) fn take(&self, wanted: usize) -> Option<Occupancy<'_, O>> {
        let count = self.0.len();
        let (lane, place) = (0..count).map(|distance| (wanted + distance) % count).find_map(|lane| {
            let mut place = lock(&self.0[lane]);
            match mem::replace(&mut *place, Place::Taken) {
                Place::Taken => None,
                free => Some((lane, free)),
            }
        })?;
        let own = match place {
            Place::Free(own) => Some(own),
            _ => None,
        };
        Some(Occupancy { places: self, lane, own })
    }

    /// What belongs to the lanes that have been occupied.
    pub(super) fn into_owns(self) -> impl Iterator<Item = Box<O>> {
        let places =
            self.0.into_iter().map(|place| place.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner));
        places.filter_map(|place| if let Place::Free(own) = place { Some(own) } else { None })
    }
}

/// A lane that is occupied. Dropping this frees the lane, if there is something to leave in it.
pub(super) struct Occupancy<'p, O> {
    places: &'p Places<O>,
    pub(super) lane: usize,
    own: Option<Box<O>>,
}

impl<O> Occupancy<'_, O> {
    /// What belongs to the lane, made if the lane has not been occupied before.
    pub(super) fn own(&mut self, make: impl FnOnce() -> O) -> &mut O {
        self.own.get_or_insert_with(|| Box::new(make()))
    }
}

impl<O> Drop for Occupancy<'_, O> {
    fn drop(&mut self) {
        // None if `make` has panicked. Then the traversal is stopped, and no worker needs the lane.
        if let Some(own) = self.own.take() {
            *lock(&self.places.0[self.lane]) = Place::Free(own);
        }
    }
}
