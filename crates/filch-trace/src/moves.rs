//! Arrows for what moves from one track to another.
//!
//! When something leaves, it is not known yet whether it arrives: who has given it may take it back, and an event may
//! be lost. So the event of its leaving is held back. It gets its arrow when the other end is told, and is written
//! without one when there is none.

use std::collections::HashMap;

use crate::event::{Event, Flow, Track, What};

/// What has left, and has neither arrived nor come back. It is known by a number, such as its address.
#[derive(Debug, Default)]
pub struct Moves {
    left: HashMap<u64, Left>,
    flows: u64,
}

/// The event with which something has left.
#[derive(Debug)]
struct Left {
    at_ns: u64,
    track: Track,
    name: &'static str,
}

impl Left {
    fn event(&self, flow: Option<Flow>) -> Event<'static> {
        Event { at_ns: self.at_ns, track: self.track, what: What::Instant { name: self.name, flow } }
    }
}

/// Gets the events, to write them.
type Write<'w> = &'w mut dyn FnMut(&Event<'_>);

impl Moves {
    /// It leaves, with an instant of this name. If it has left before and has not arrived, there is no arrow for that.
    pub fn leaves(&mut self, it: u64, at_ns: u64, track: Track, name: &'static str, write: Write<'_>) {
        self.stays(it, write);
        self.left.insert(it, Left { at_ns, track, name });
    }

    /// It arrives, with a slice of this name, which begins here. There is an arrow if it has left.
    pub fn arrives(&mut self, it: u64, at_ns: u64, track: Track, name: &str, write: Write<'_>) {
        let flow = self.left.remove(&it).map(|left| {
            self.flows += 1;
            write(&left.event(Some(Flow::From(self.flows))));
            Flow::To(self.flows)
        });
        write(&Event { at_ns, track, what: What::Begin { name, flow } });
    }

    /// It does not arrive.
    pub fn stays(&mut self, it: u64, write: Write<'_>) {
        if let Some(left) = self.left.remove(&it) {
            write(&left.event(None));
        }
    }

    /// Nothing that has left arrives.
    pub fn end(&mut self, write: Write<'_>) {
        self.left.drain().for_each(|(_, left)| write(&left.event(None)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arrow_has_two_ends_or_is_not_there() {
        let (mut moves, mut told) = (Moves::default(), Vec::new());
        let (giver, thief) = (Track(0), Track(1));
        let mut write = |event: &Event<'_>| {
            told.push(match event.what {
                What::Instant { flow, .. } => (event.at_ns, "leaves", flow),
                _ => (event.at_ns, "arrives", None),
            });
            if let What::Begin { flow, .. } = event.what {
                told.last_mut().expect("it has just been told").2 = flow;
            }
        };
        moves.leaves(7, 1, giver, "give", &mut write);
        moves.leaves(8, 2, giver, "give", &mut write);
        moves.arrives(7, 3, thief, "task", &mut write);
        moves.stays(8, &mut write);
        moves.arrives(8, 4, thief, "task", &mut write);
        moves.leaves(9, 5, giver, "give", &mut write);
        moves.leaves(9, 6, giver, "give", &mut write);
        moves.end(&mut write);
        let expected = [
            (1, "leaves", Some(Flow::From(1))),
            (3, "arrives", Some(Flow::To(1))),
            (2, "leaves", None),
            (4, "arrives", None),
            (5, "leaves", None),
            (6, "leaves", None),
        ];
        assert_eq!(told, expected);
    }
}
