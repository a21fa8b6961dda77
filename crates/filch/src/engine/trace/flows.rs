//! From the events of threads to those of the file: pure, but for what it remembers.
//!
//! The event with which a frame leaves is held back until its other end is known. An arrow is written when the task of
//! the frame begins. If the owner takes the frame back, or if the same address leaves once more because the events in
//! between were lost, the event is written without an arrow.

use super::event::Event;
use filch_trace::{self as file, Flow, Track, What};
use std::collections::HashMap;

/// What the file is told by events, in the order of their times.
pub(super) struct Flows {
    /// The names of slices.
    names: &'static [&'static str],
    /// The frames that have left, and have neither begun nor come back.
    left: HashMap<u64, Left>,
    /// On which track the occupant of each worker was last.
    occupants: HashMap<u64, Track>,
    flows: u64,
}

/// The event with which a frame has left.
struct Left {
    at_ns: u64,
    track: Track,
    name: &'static str,
}

impl Left {
    fn event(&self, flow: Option<Flow>) -> file::Event<'static> {
        file::Event { at_ns: self.at_ns, track: self.track, what: What::Instant { name: self.name, flow } }
    }
}

impl Flows {
    pub(super) fn new(names: &'static [&'static str]) -> Self {
        Flows { names, left: HashMap::new(), occupants: HashMap::new(), flows: 0 }
    }

    /// Calls `write` with what the file is told by this event of the thread of `track`.
    pub(super) fn event(&mut self, at_ns: u64, track: Track, event: Event, write: &mut dyn FnMut(file::Event<'_>)) {
        match event {
            Event::Begin { name, frame, worker } => {
                if worker != 0 {
                    self.occupants.insert(worker, track);
                }
                let name = self.names.get(usize::from(name)).copied().unwrap_or("?");
                // A frame is on a stack or the heap, never at zero.
                let flow = self.left.remove(&frame).filter(|_| frame != 0).map(|left| {
                    self.flows += 1;
                    write(left.event(Some(Flow::From(self.flows))));
                    Flow::To(self.flows)
                });
                write(file::Event { at_ns, track, what: What::Begin { name, flow } });
            }
            Event::Span { name } => write(file::Event { at_ns, track, what: What::Begin { name, flow: None } }),
            Event::End => write(file::Event { at_ns, track, what: What::End }),
            Event::Given { frame } => self.leaves(frame, Left { at_ns, track, name: "give" }, write),
            Event::Taken { frame, from } => {
                let track = self.occupants.get(&from).copied().unwrap_or(track);
                self.leaves(frame, Left { at_ns, track, name: "taken" }, write);
            }
            Event::Reclaimed { frame } => {
                self.ends(frame, write);
                write(file::Event { at_ns, track, what: What::Instant { name: "take back", flow: None } });
            }
        }
    }

    fn leaves(&mut self, frame: u64, left: Left, write: &mut dyn FnMut(file::Event<'_>)) {
        self.ends(frame, write);
        self.left.insert(frame, left);
    }

    fn ends(&mut self, frame: u64, write: &mut dyn FnMut(file::Event<'_>)) {
        if let Some(left) = self.left.remove(&frame) {
            write(left.event(None));
        }
    }

    /// Writes what is held back, without arrows.
    pub(super) fn release(&mut self, write: &mut dyn FnMut(file::Event<'_>)) {
        self.left.drain().for_each(|(_, left)| write(left.event(None)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use filch_trace::{Format, Trace, read};

    /// The names of the events of a trace with two tracks, each with its arrows.
    fn told(events: &[(usize, Event)]) -> Vec<(String, usize, Option<u64>, Option<u64>)> {
        let mut trace = Trace::begin(Vec::new(), Format::Perfetto, "test", 1).expect("memory is written");
        let tracks = ["giver", "thief"].map(|name| trace.add_track(name).expect("as above"));
        let mut flows = Flows::new(&["task"]);
        let mut write = |event: file::Event<'_>| trace.write(&event).expect("as above");
        for (at_ns, &(track, event)) in (1..).zip(events) {
            flows.event(at_ns, tracks[track], event, &mut write);
        }
        flows.release(&mut write);
        let read = read::perfetto(&trace.end().expect("as above")).expect("it is a trace");
        read.flows().expect("each has two ends");
        read.events.into_iter().map(|event| (event.name, event.track, event.flow_from, event.flow_to)).collect()
    }

    const BEGINS: Event = Event::Begin { name: 0, frame: 8, worker: 2 };

    #[test]
    fn an_arrow_leads_from_who_gave_to_who_began() {
        let found = told(&[(0, Event::Given { frame: 8 }), (1, BEGINS), (1, Event::End)]);
        let expected = [("give", 0, Some(1), None), ("task", 1, None, Some(1)), ("", 1, None, None)];
        assert_eq!(found, expected.map(|(name, track, from, to)| (name.into(), track, from, to)));
    }

    #[test]
    fn an_arrow_of_what_was_taken_leaves_where_it_was() {
        let at_home = Event::Begin { name: 0, frame: 0, worker: 1 };
        let found = told(&[(0, at_home), (1, Event::Taken { frame: 8, from: 1 }), (1, BEGINS)]);
        let expected = [("task", 0, None, None), ("taken", 0, Some(1), None), ("task", 1, None, Some(1))];
        assert_eq!(found, expected.map(|(name, track, from, to)| (name.into(), track, from, to)));
    }

    #[test]
    fn what_comes_back_or_is_lost_has_no_arrow() {
        let given = (0, Event::Given { frame: 8 });
        let none = |names: &[&str], found: Vec<(String, usize, Option<u64>, Option<u64>)>| {
            assert_eq!(found.iter().map(|event| &*event.0).collect::<Vec<_>>(), names);
            assert!(found.iter().all(|event| event.2.or(event.3).is_none()));
        };
        none(&["give", "take back"], told(&[given, (0, Event::Reclaimed { frame: 8 })]));
        none(&["give", "give"], told(&[given, given]));
        none(&["task", "give"], told(&[(1, BEGINS), given]));
    }
}
